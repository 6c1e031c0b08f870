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
    'Oldest first: what is older than `retention.days`, but for the best of each species; then what all files are ' +
    'more than `retention.max_gb`, or the disk lacks of `retention.min_free_gb`, the best of each species last. ' +
    'Favourites never go. The same runs by itself every hour, and when the disk gets short of space. More than half ' +
    'of all recordings in one run take `confirm`, else the answer is 409 `confirm_required`.',
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
