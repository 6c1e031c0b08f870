import type { PrismaClient } from '@birdhub/shared/db';
import type pg from 'pg';
import type { Weather } from './weather-source.js';

/** The name under which the answers of all weather sources are kept. */
export const weatherService = 'weather';

/** The weather as it was fetched at a time. */
export interface WeatherSnapshot extends Omit<Weather, 'temp'> {
  readonly source: string;
  readonly temp: number | null;
  readonly fetchedAt: Date;
  /** Whether the source that is asked now gave no answer when it was last asked. */
  readonly hasFailed: boolean;
}

/** Stores a snapshot; answers its number. Snapshots stay: a year of them is five megabytes, and recordings name them. */
export async function addSnapshot(
  prisma: PrismaClient,
  { source, weather, fetchedAt }: { source: string; weather: Weather; fetchedAt: number },
): Promise<number> {
  const data = { ...weather, source, fetchedAt: new Date(fetchedAt) };
  return (await prisma.weatherSnapshot.create({ data, select: { id: true } })).id;
}

const newestSql = `
  WITH asked AS (
    SELECT value::bigint AS snapshot_id, has_failed FROM outside_answer
    WHERE service = '${weatherService}' AND key = $1)
  SELECT source, main, description, temp, humidity, pressure, clouds, wind_speed AS "windSpeed",
    fetched_at AS "fetchedAt", coalesce((SELECT has_failed FROM asked), false) AS "hasFailed"
  FROM weather_snapshot
  WHERE id = coalesce((SELECT snapshot_id FROM asked), (SELECT id FROM weather_snapshot ORDER BY fetched_at DESC LIMIT 1))`;

/** The last snapshot of the source with this key, or of any while that one has not answered yet. */
export async function findNewestSnapshot(pool: pg.Pool, key: string): Promise<WeatherSnapshot | undefined> {
  const { rows } = await pool.query<WeatherSnapshot>({
    name: 'newest-weather',
    text: newestSql,
    values: [key],
  });
  return rows[0];
}
