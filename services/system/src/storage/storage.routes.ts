import type { SettingsReader } from '@birdhub/domain/settings';
import { access, authorOf, type HubApp } from '@birdhub/shared/app';
import { replyWithKeepAlive } from '../keep-alive-reply.js';
import { type PurgeDeps, purgeSpan, purgeStorage } from './purge-storage.js';
import { PurgeBodySchema, PurgeResponseSchema, StorageStatsSchema } from './storage.schema.js';
import { readStorageStats } from './storage-stats.store.js';

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

/** Dependencies of these routes. */
export interface StorageDeps extends PurgeDeps {
  readonly settings: Pick<SettingsReader, 'current'>;
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
