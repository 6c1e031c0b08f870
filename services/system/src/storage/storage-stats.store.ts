import { waitingUploadSql } from '@birdhub/domain/storage';
import { type DayWindow, dayWindowAt } from '@birdhub/shared/time';
import type pg from 'pg';
import type { StorageDay } from './storage.schema.js';

const storedSql = `
  WITH ${waitingUploadSql},
  stored AS (
    SELECT begins_at, files, bytes FROM media_quarter
    UNION ALL SELECT uploaded_at, 1, bytes FROM waiting_upload)`;

const statsSql = `${storedSql}
  SELECT width_bucket(begins_at, $1::timestamptz[]) AS bucket, sum(files) AS "fileCount", sum(bytes) AS "totalSize"
  FROM stored GROUP BY 1 HAVING sum(files) > 0 ORDER BY 1 DESC`;

interface Row extends Pick<StorageDay, 'fileCount' | 'totalSize'> {
  /** Index of the day, starting at 1. */
  readonly bucket: number;
}

/** Reads files and bytes by local day, newest first. */
export async function readStorageStats(pool: pg.Pool, zone: string): Promise<StorageDay[]> {
  const days = await readDays(pool, zone);
  if (!days.length) return [];
  const { rows } = await pool.query<Row>(statsSql, [days.map(({ start }) => new Date(start).toISOString())]);
  return rows.map(({ bucket, ...counts }) => ({ date: days[bucket - 1]?.day ?? '', ...counts }));
}

async function readDays(pool: pg.Pool, zone: string): Promise<DayWindow[]> {
  const { rows } = await pool.query<{ first: Date | null; last: Date | null }>(
    `${storedSql} SELECT min(begins_at) AS first, max(begins_at) AS last FROM stored WHERE files <> 0`,
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
