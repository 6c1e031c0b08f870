import { access, type HubApp } from '@birdhub/shared/app';
import type { PrismaClient } from '@birdhub/shared/db';
import { replyWithKeepAlive } from '../keep-alive-reply.js';
import { type RetentionDeps, requireRetention } from './retention.js';
import { RetentionBodySchema, RetentionResponseSchema, RetentionStateSchema } from './retention.schema.js';
import { findRetentionRun } from './retention.store.js';

const schema = {
  operationId: 'applyRetention',
  summary: 'Apply the retention policy',
  description:
    'Purges files, oldest first: files older than `retention.days`, except those of the best recordings of ' +
    'each species; then further files until the total size is within `retention.max_gb` and at least ' +
    '`retention.min_free_gb` is free, with the best recordings of each species last. Favourites are never ' +
    'purged. The hub also applies the policy every hour and when disk space runs low. Purging more than ' +
    'half of all recordings in one run requires `confirm`; otherwise returns 409 `confirm_required`. Scheduled ' +
    'runs then purge only what `retention.min_free_gb` needs; see `awaiting_confirmation`.',
  tags: ['storage'],
  security: access.admin,
  body: RetentionBodySchema,
  response: { 200: RetentionResponseSchema },
};

const stateSchema = {
  operationId: 'getRetention',
  summary: 'Get the retention policy and its last run',
  tags: ['storage'],
  security: access.admin,
  response: { 200: RetentionStateSchema },
};

/** `GET /system/retention`, `POST /system/retention` */
export function retentionRoutes(app: HubApp, deps: RetentionDeps & { readonly prisma: PrismaClient }): void {
  app.get('/api/ui/system/retention', { schema: stateSchema }, async () => {
    const { days, max_gb, min_free_gb, protect_favorites, keep_best_per_species } = (
      await deps.settings.current()
    ).retention;
    return {
      policy: { days, max_gb, min_free_gb, protect_favorites, keep_best_per_species },
      last_run: await findRetentionRun(deps.prisma),
    };
  });
  app.post('/api/ui/system/retention', { schema }, async (request, reply) => {
    const { dry_run: isDryRun = false, confirm: isConfirmed = false } = request.body ?? {};
    const retentionRequest = { isDryRun, isConfirmed, requestId: request.id, startedBy: 'request' } as const;
    return replyWithKeepAlive(reply, requireRetention(deps, retentionRequest));
  });
}
