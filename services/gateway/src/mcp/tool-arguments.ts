import { daysBetween, isDay, nextDay, startOfDay } from '@birdhub/shared/time';
import { HubCallError, type HubCalls } from './hub-calls.js';

/** Finds a species by name, label or id. @throws HubCallError */
export async function findSpecies(
  hub: HubCalls,
  given: string,
): Promise<{ species_id: number; name: string }> {
  if (/^\d{1,9}$/.test(given)) {
    const { species } = await hub.get(`/api/ui/species/${given}/summary`);
    return { species_id: species.id, name: hub.nameOf(species.name) };
  }
  const { species_id, name } = await hub.get('/api/ui/species/resolve', { label: given });
  if (species_id === null)
    throw new HubCallError(
      `species: the hub knows none called "${given}". find_species lists those it knows.`,
    );
  return { species_id, name: hub.nameOf(name) };
}

const maxDays = 31;

/** Days as given by an assistant. */
interface GivenDays {
  readonly date?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Returns the first and last of the given days, by default today. @throws HubCallError */
export async function readDays({ date, from, to }: GivenDays, hub: HubCalls) {
  if (date !== undefined && (from !== undefined || to !== undefined))
    throw new HubCallError('date: cannot be given with `from` and `to`');
  if ((from === undefined) !== (to === undefined))
    throw new HubCallError(
      `${from === undefined ? 'from' : 'to'}: \`from\` and \`to\` must be given together`,
    );
  const single = date ?? (await hub.today());
  const [first, last] = from !== undefined && to !== undefined ? [from, to] : [single, single];
  checkPeriod(
    first,
    last,
    date === undefined ? { first: 'from', last: 'to' } : { first: 'date', last: 'date' },
  );
  return { first, last };
}

/**
 * Checks a period of days.
 * @throws HubCallError naming an argument that is not a day, or is before or too far after the other
 */
export function checkPeriod(
  first: string,
  last: string,
  names: { readonly first: string; readonly last: string },
  maxLength = maxDays,
): void {
  for (const [name, given] of [
    [names.first, first],
    [names.last, last],
  ] as const)
    if (!isDay(given)) throw new HubCallError(`${name}: there is no day ${given}`);
  if (last < first) throw new HubCallError(`${names.last}: is before \`${names.first}\``);
  if (daysBetween(first, last) >= maxLength)
    throw new HubCallError(`${names.last}: at most ${maxLength} days`);
}

/** Returns the query parameters of a period of days. */
export async function windowOf(first: string, last: string, hub: HubCalls) {
  const zone = await hub.zone();
  const instant = (date: string) => new Date(startOfDay(zone, date)).toISOString();
  return { start_time: instant(first), end_time: instant(nextDay(last)) };
}

/** Returns the rows of a page and the cursor of the next one. @throws HubCallError */
export function pageOf<T>(rows: readonly T[], count: number, page: string | undefined) {
  const start = startOfPage(page);
  const end = start + count;
  return { part: rows.slice(start, end), next: end < rows.length ? `from-${end}` : null };
}

/** Returns the number of rows before a page. @throws HubCallError */
export function startOfPage(page: string | undefined): number {
  const start = page === undefined ? 0 : Number(/^from-(\d{1,9})$/.exec(page)?.[1] ?? Number.NaN);
  if (Number.isNaN(start)) throw badCursor();
  return start;
}

export const badCursor = () => new HubCallError('cursor: is not a `next_cursor` of this tool');

/** Ignores the failure of an optional part of an output. */
export function ignoreRefused(error: unknown): undefined {
  if (!(error instanceof HubCallError)) throw error;
  return undefined;
}
