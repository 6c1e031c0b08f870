import { access, type HubApp } from '@birdhub/shared/app';
import { answerLate } from '../answer-late.js';
import { type RetentionDependencies, requireRetention } from './apply-retention.js';
import { RetentionAnswerSchema, RetentionBodySchema } from './retention.schema.js';

const schema = {
  operationId: 'applyRetention',
  summary: 'Clear the files that the retention rules of the settings give up',
  description:
    'Oldest first: what is older than `retention.days`, but for the best of each species; then what all files are ' +
    'more than `retention.max_gb`, or the disk lacks of `retention.min_free_gb`, the best of each species last. ' +
    'Favourites never go. The same runs by itself every hour, and when the disk gets short of space. More than half ' +
    'of all recordings in one run take `confirm`, else the answer is 409 `confirm_required`.',
  tags: ['storage'],
  security: access.admin,
  body: RetentionBodySchema,
  response: { 200: RetentionAnswerSchema },
};

/** `POST /system/retention` */
export function retentionRoutes(app: HubApp, dependencies: RetentionDependencies): void {
  app.post('/api/ui/system/retention', { schema }, async (request, reply) => {
    const { dry_run: isDryRun = false, confirm: isConfirmed = false } = request.body ?? {};
    const asked = { isDryRun, isConfirmed, requestId: request.id };
    return answerLate(reply, requireRetention(dependencies, asked));
  });
}
