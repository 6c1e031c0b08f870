import { localHour, type TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';

interface Measured {
  readonly instant: number;
  readonly temp: number;
}

const text = `
  SELECT (extract(epoch FROM fetched_at) * 1000)::bigint AS instant, temp FROM weather_snapshot
  WHERE fetched_at >= $1 AND fetched_at < $2 AND temp IS NOT NULL`;

const toTenths = (value: number) => Math.round(value * 10) / 10;

function mean(temperatures: readonly number[]): number | null {
  if (!temperatures.length) return null;
  return toTenths(temperatures.reduce((sum, temp) => sum + temp, 0) / temperatures.length);
}

/**
 * The mean temperature in °C by hour of the clock on the wall: 24 entries, null where nothing was measured. Of an
 * hour that a day has twice, both count.
 */
export async function readHourlyTemperatures(
  pool: pg.Pool,
  span: TimeWindow,
  zone: string,
): Promise<(number | null)[]> {
  const values = [new Date(span.start), new Date(span.end)];
  const { rows } = await pool.query<Measured>({ name: 'hourly-temperatures', text, values });
  const hours = Array.from({ length: 24 }, (): number[] => []);
  for (const { instant, temp } of rows) hours[localHour(zone, instant)]?.push(temp);
  return hours.map(mean);
}
