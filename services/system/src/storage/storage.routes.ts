import { authorOf } from '@birdhub/domain/recordings';
import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import { answerLate } from '../answer-late.js';
import { purgeSpan } from './purge-span.js';
import { type ClearingDependencies, purgeStorage } from './purge-storage.js';
import { PurgeAnswerSchema, PurgeBodySchema, StorageStatsSchema } from './storage.schema.js';
import { readStorageStats } from './storage-stats.store.js';

const statsRoute = {
  operationId: 'getStorageStats',
  summary: 'Get the storage used on each day',
  description: 'Newest day first; days without files are left out.',
  tags: ['storage'],
  security: access.open,
  response: { 200: StorageStatsSchema },
};

const purgeRoute = {
  operationId: 'purgeStorage',
  summary: 'Purge media files of recordings',
  description:
    'The recordings stay as history, with `media` `purged`, unless `delete_history` is set; then a later post of one ' +
    'stores nothing. More than half of all recordings in one run take `confirm`, else the answer is 409 ' +
    '`confirm_required` with the numbers in `details`.',
  tags: ['storage'],
  security: access.admin,
  body: PurgeBodySchema,
  response: { 200: PurgeAnswerSchema },
};

/** What the routes work with. */
export interface StorageDependencies extends ClearingDependencies {
  readonly settings: Pick<SettingsReader, 'current'>;
}

/** `GET /storage/stats`, `POST /storage/purge` */
export function storageRoutes(app: HubApp, dependencies: StorageDependencies): void {
  const zone = async () => (await dependencies.settings.current()).general.timezone;

  app.get('/api/ui/storage/stats', { schema: statsRoute }, async () =>
    readStorageStats(dependencies.pool, await zone()),
  );

  app.post('/api/ui/storage/purge', { schema: purgeRoute }, async (request, reply) => {
    const { dry_run = false, include_favorites = false, delete_history = false } = request.body;
    const { confirm = false, ...dates } = request.body;
    const asked = {
      span: purgeSpan(dates, await zone()),
      isDryRun: dry_run,
      includesFavorites: include_favorites,
      deletesHistory: delete_history,
      isConfirmed: confirm,
    };
    return answerLate(reply, purgeStorage(dependencies, asked, authorOf(request)));
  });
}
