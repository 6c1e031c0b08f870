import type { SettingsReader } from '@birdhub/domain/settings';
import { waitingUploadSql } from '@birdhub/domain/storage';
import { access, authorOf, type HubApp } from '@birdhub/shared/app';
import { type DayWindow, dayWindowAt } from '@birdhub/shared/time';
import type pg from 'pg';
import { replyWithKeepAlive } from '../keep-alive-reply.js';
import { type PurgeDeps, purgeSpan, purgeStorage } from './purge-storage.js';
import {
  PurgeBodySchema,
  PurgeResponseSchema,
  type StorageDay,
  StorageStatsSchema,
} from './storage.schema.js';

const statsRoute = {
  operationId: 'getStorageStats',
  summary: 'Get the storage used on each day',
  description:
    'Newest day first; days without files are omitted. Uploaded files that no recording names yet count on ' +
    'the day of their upload.',
  tags: ['storage'],
  security: access.open,
  response: { 200: StorageStatsSchema },
};

const purgeRoute = {
  operationId: 'purgeStorage',
  summary: 'Purge media files of recordings',
  description:
    'The recordings are kept as history, with `media` set to `purged`, unless `delete_history` is set; in ' +
    'that case, posting such a recording again stores nothing. Purging more than half of all recordings in ' +
    'one run requires `confirm`; otherwise returns 409 `confirm_required` with the numbers in `details`.',
  tags: ['storage'],
  security: access.admin,
  body: PurgeBodySchema,
  response: { 200: PurgeResponseSchema },
};

const storedSql = `
  WITH ${waitingUploadSql},
  stored AS (
    SELECT begins_at, files, bytes FROM media_quarter
    UNION ALL SELECT uploaded_at, 1, bytes FROM waiting_upload)`;

const statsSql = `${storedSql}
  SELECT width_bucket(begins_at, $1::timestamptz[]) AS bucket, sum(files) AS "fileCount", sum(bytes) AS "totalSize"
  FROM stored GROUP BY 1 HAVING sum(files) > 0 ORDER BY 1 DESC`;

/** Dependencies of these routes. */
export interface StorageDeps extends PurgeDeps {
  readonly settings: Pick<SettingsReader, 'current'>;
}

interface Row extends Pick<StorageDay, 'fileCount' | 'totalSize'> {
  /** Index of the day, starting at 1. */
  readonly bucket: number;
}

/** `GET /storage/stats`, `POST /storage/purge` */
export function storageRoutes(app: HubApp, deps: StorageDeps): void {
  const zone = async () => (await deps.settings.current()).general.timezone;

  app.get('/api/ui/storage/stats', { schema: statsRoute }, async () =>
    readStorageStats(deps.pool, await zone()),
  );

  app.post('/api/ui/storage/purge', { schema: purgeRoute }, async (request, reply) => {
    const { dry_run = false, include_favorites = false, delete_history = false } = request.body;
    const { confirm = false, ...dates } = request.body;
    const purgeRequest = {
      span: purgeSpan(dates, await zone()),
      isDryRun: dry_run,
      includesFavorites: include_favorites,
      deletesHistory: delete_history,
      isConfirmed: confirm,
    };
    return replyWithKeepAlive(reply, purgeStorage(deps, purgeRequest, authorOf(request)));
  });
}

/** Reads files and bytes by local day, newest first. */
async function readStorageStats(pool: pg.Pool, zone: string): Promise<StorageDay[]> {
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
