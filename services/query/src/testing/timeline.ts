import type { TestQuery, TestResponse } from './create-test-query.js';

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;

/** The start of the first recording of a test. */
export const start = Date.UTC(2026, 4, 1, 8);

/** Returns the query parameters of a time window, given in ms after {@link start}. */
export function between(from: number, to: number): string {
  return `start_time=${(start + from) / 1000}&end_time=${(start + to) / 1000}`;
}

/** Returns the response of `GET /timeline`. */
export function getTimeline(
  query: TestQuery,
  parameters: string,
  headers?: Record<string, string>,
): Promise<TestResponse> {
  return query.get(`/api/ui/timeline?${parameters}`, headers);
}

/** Returns the id of a species of the catalogue. */
export async function speciesIdOf({ database }: TestQuery, name: string): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>('SELECT id FROM species WHERE name = $1', [
    name,
  ]);
  const [species] = rows;
  if (!species) throw new Error(`the catalogue has no ${name}`);
  return species.id;
}
