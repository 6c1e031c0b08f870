import type { PrismaClient } from '@birdhub/shared/db';
import { localHour, msSql, type TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Weather } from './weather-source.js';

/** The name under which the results of all weather sources are cached. */
export const weatherService = 'weather';

/** The weather fetched at a time. */
export interface WeatherSnapshot extends Omit<Weather, 'temp'> {
  readonly source: string;
  readonly temp: number | null;
  readonly fetchedAt: Date;
  /** Whether the last request to the current source failed. */
  readonly hasFailed: boolean;
}

/**
 * Stores a snapshot; returns its id. Snapshots are kept, as recordings refer to them and a year takes five megabytes.
 */
export async function addSnapshot(
  prisma: PrismaClient,
  { source, weather, fetchedAt }: { source: string; weather: Weather; fetchedAt: number },
): Promise<number> {
  const data = { ...weather, source, fetchedAt: new Date(fetchedAt) };
  return (await prisma.weatherSnapshot.create({ data, select: { id: true } })).id;
}

const newestSql = `
  WITH requested AS (
    SELECT value::bigint AS snapshot_id, has_failed FROM outside_answer
    WHERE service = '${weatherService}' AND key = $1)
  SELECT source, main, description, temp, humidity, pressure, clouds, wind_speed AS "windSpeed",
    fetched_at AS "fetchedAt", coalesce((SELECT has_failed FROM requested), false) AS "hasFailed"
  FROM weather_snapshot
  WHERE id = coalesce((SELECT snapshot_id FROM requested), (SELECT id FROM weather_snapshot ORDER BY fetched_at DESC LIMIT 1))`;

/** Returns the last snapshot of the source with this key, or of any source when it has none yet. */
export async function findNewestSnapshot(pool: pg.Pool, key: string): Promise<WeatherSnapshot | undefined> {
  const { rows } = await pool.query<WeatherSnapshot>({
    name: 'newest-weather',
    text: newestSql,
    values: [key],
  });
  return rows[0];
}

interface Measured {
  readonly instant: number;
  readonly temp: number;
}

const temperaturesSql = `
  SELECT ${msSql('fetched_at')} AS instant, temp FROM weather_snapshot
  WHERE fetched_at >= $1 AND fetched_at < $2 AND temp IS NOT NULL`;

const toTenths = (value: number) => Math.round(value * 10) / 10;

function mean(temperatures: readonly number[]): number | null {
  if (!temperatures.length) return null;
  return toTenths(temperatures.reduce((sum, temp) => sum + temp, 0) / temperatures.length);
}

/**
 * Returns the mean temperature in °C by local hour: 24 entries, null without measurements. Both occurrences of a
 * repeated hour count.
 */
export async function readHourlyTemperatures(
  pool: pg.Pool,
  span: TimeWindow,
  zone: string,
): Promise<(number | null)[]> {
  const values = [new Date(span.start), new Date(span.end)];
  const { rows } = await pool.query<Measured>({ name: 'hourly-temperatures', text: temperaturesSql, values });
  const hours = Array.from({ length: 24 }, (): number[] => []);
  for (const { instant, temp } of rows) hours[localHour(zone, instant)]?.push(temp);
  return hours.map(mean);
}
