import { type DayWindow, dayWindowAt } from '@birdhub/shared/time';
import type pg from 'pg';
import type { StorageDay } from './storage.schema.js';

async function readDays(pool: pg.Pool, zone: string): Promise<DayWindow[]> {
  const { rows } = await pool.query<{ first: Date | null; last: Date | null }>(
    'SELECT min(begins_at) AS first, max(begins_at) AS last FROM media_quarter WHERE files <> 0',
  );
  const { first, last } = rows[0] ?? {};
  if (!first || !last) return [];
  const days = [dayWindowAt(zone, first.getTime())];
  for (let day = days[0]; day && day.end <= last.getTime(); ) {
    day = dayWindowAt(zone, day.end);
    days.push(day);
  }
  return days;
}

const statsSql = `
  SELECT width_bucket(begins_at, $1::timestamptz[]) AS place, sum(files) AS "fileCount", sum(bytes) AS "totalSize"
  FROM media_quarter GROUP BY 1 HAVING sum(files) > 0 ORDER BY 1 DESC`;

interface Row extends Pick<StorageDay, 'fileCount' | 'totalSize'> {
  /** Which of the days, from 1 on. */
  readonly place: number;
}

/** Files and bytes of each day of a zone that has any, newest first. */
export async function readStorageStats(pool: pg.Pool, zone: string): Promise<StorageDay[]> {
  const days = await readDays(pool, zone);
  if (!days.length) return [];
  const { rows } = await pool.query<Row>(statsSql, [days.map(({ start }) => new Date(start).toISOString())]);
  return rows.map(({ place, ...counts }) => ({ date: days[place - 1]?.day ?? '', ...counts }));
}
