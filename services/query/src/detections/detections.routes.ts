import { authorOf, type RecordingWriter } from '@birdhub/domain/recordings';
import { access, type HubApp } from '@birdhub/shared/app';
import type { FastifyReply } from 'fastify';
import { CorrectionSchema, DetectionParamsSchema, ReviewedSchema, scopeOf } from './detections.schema.js';

const shared = {
  tags: ['review'],
  security: access.contributor,
  params: DetectionParamsSchema,
  response: { 200: ReviewedSchema },
};

const correctRoute = {
  ...shared,
  operationId: 'correctDetection',
  summary: 'Correct the species of a detection',
  description:
    'Moves every row of its track in the recording, or of its visit, to the species and marks them reviewed. ' +
    'A later post of the recording does not undo it. Nothing changes when all of them are of the species already.',
  body: CorrectionSchema,
};

const confirmRoute = {
  ...shared,
  operationId: 'confirmDetection',
  summary: 'Confirm a detection',
  description: 'Marks it reviewed, and with it the rows of its track that are of the same species.',
};

const revertRoute = {
  ...shared,
  operationId: 'revertCorrection',
  summary: 'Revert the last correction or confirmation of a detection',
  description:
    'Takes it back for all detections that are still as it left them: they are of the species again, and reviewed ' +
    'or not, as before. Asked again, takes back the one before that; 409 when there is none.',
};

type Outcome = Awaited<ReturnType<RecordingWriter['confirm']>>;

function toAnswer(reply: FastifyReply, { bell, speciesId, updatedCount, visitId }: Outcome) {
  if (bell) reply.header('x-hub-bell', bell);
  const message = updatedCount ? 'success' : 'unchanged';
  return { message, species_id: speciesId, updated_count: updatedCount, visit_id: visitId };
}

/** `PATCH /detections/:id`, `POST /detections/:id/confirm`, `POST /detections/:id/revert` */
export function detectionRoutes(
  app: HubApp,
  { writer }: { writer: Pick<RecordingWriter, 'correct' | 'confirm' | 'revert'> },
): void {
  app.patch('/api/ui/detections/:id', { schema: correctRoute }, async (request, reply) => {
    const { species_id: speciesId, apply_scope: applyScope } = request.body;
    const correction = { detectionId: request.params.id, speciesId, scope: scopeOf(applyScope) };
    return toAnswer(reply, await writer.correct(correction, authorOf(request)));
  });

  app.post('/api/ui/detections/:id/confirm', { schema: confirmRoute }, async (request, reply) =>
    toAnswer(reply, await writer.confirm(request.params.id, authorOf(request))),
  );

  app.post('/api/ui/detections/:id/revert', { schema: revertRoute }, async (request, reply) =>
    toAnswer(reply, await writer.revert(request.params.id, authorOf(request))),
  );
}
