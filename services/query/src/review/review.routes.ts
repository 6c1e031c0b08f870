import type { RecordingWriter } from '@birdhub/domain/recordings';
import type { SettingsReader } from '@birdhub/domain/settings';
import { readWindow } from '@birdhub/domain/timeline';
import { access, authorOf, type HubApp, publicPrefix } from '@birdhub/shared/app';
import { Type } from 'typebox';
import { readyJson } from '../response-cache/response-cache.js';
import {
  CorrectionSchema,
  DetectionParamsSchema,
  DetectionSchema,
  RecentCorrectionSchema,
  RecentCorrectionsQuerySchema,
  ReviewedSchema,
  scopeOf,
  UnknownSchema,
  UnknownsQuerySchema,
} from './review.schema.js';
import { listRecentCorrections, listUnknowns, readDetection } from './review.store.js';

/** Dependencies of these routes. */
export interface ReviewRoutesDeps {
  readonly writer: Pick<RecordingWriter, 'correct' | 'confirm' | 'revert'>;
  readonly settings: SettingsReader;
}

/** Routes for the review of detections. */
export function reviewRoutes(app: HubApp, deps: ReviewRoutesDeps): void {
  detectionRoutes(app, deps);
  unknownsRoutes(app, deps);
  recentCorrectionsRoutes(app);
}

const shared = {
  tags: ['review'],
  security: access.contributor,
  params: DetectionParamsSchema,
  response: { 200: ReviewedSchema },
};

const readRoute = {
  operationId: 'getDetection',
  summary: 'Get a detection',
  description: 'Returns the recording, the visit and the species of the detection.',
  tags: ['detections'],
  security: access.open,
  params: DetectionParamsSchema,
  response: { 200: DetectionSchema },
};

const correctRoute = {
  ...shared,
  operationId: 'correctDetection',
  summary: 'Correct the species of a detection',
  description:
    'Moves all detections of the track in the recording, or of the visit, to the species and marks them ' +
    'as reviewed. A later post of the recording does not undo this. Nothing changes when all of them ' +
    'already have the species.',
  body: CorrectionSchema,
};

const confirmRoute = {
  ...shared,
  operationId: 'confirmDetection',
  summary: 'Confirm a detection',
  description:
    'Marks the detection as reviewed, together with the detections of its track that have the same species.',
};

const revertRoute = {
  ...shared,
  operationId: 'revertCorrection',
  summary: 'Revert the last correction or confirmation of a detection',
  description:
    'Restores the previous species and review state of all detections that have not changed since. When ' +
    'called again, reverts the review before that. Returns 409 when there is nothing to revert.',
};

type Outcome = Awaited<ReturnType<RecordingWriter['confirm']>>;

function toResponse({ speciesId, updatedCount, visitId }: Outcome) {
  const message = updatedCount ? 'success' : 'unchanged';
  return { message, species_id: speciesId, updated_count: updatedCount, visit_id: visitId };
}

/** `PATCH /detections/:id`, `POST /detections/:id/confirm`, `POST /detections/:id/revert` */
function detectionRoutes(app: HubApp, { writer }: ReviewRoutesDeps): void {
  const config = { cache: { tags: { recordings: 'all', species: true } } } as const;
  app.get('/api/ui/detections/:id', { schema: readRoute, config }, async ({ params, readPool }) =>
    readyJson(await readDetection(readPool, params.id)),
  );

  app.patch('/api/ui/detections/:id', { schema: correctRoute }, async (request) => {
    const { species_id: speciesId, apply_scope: applyScope } = request.body;
    const correction = { detectionId: request.params.id, speciesId, scope: scopeOf(applyScope) };
    return toResponse(await writer.correct(correction, authorOf(request)));
  });

  app.post('/api/ui/detections/:id/confirm', { schema: confirmRoute }, async (request) =>
    toResponse(await writer.confirm(request.params.id, authorOf(request))),
  );

  app.post('/api/ui/detections/:id/revert', { schema: revertRoute }, async (request) =>
    toResponse(await writer.revert(request.params.id, authorOf(request))),
  );
}

const unknownsRoute = {
  operationId: 'listUnknowns',
  summary: 'List the detections of a window that need a review',
  description:
    'Returns detections that nobody has reviewed and that have a generic species or a confidence below ' +
    '`ui.unknown_confidence_threshold`, newest first.',
  tags: ['review'],
  security: access.open,
  querystring: UnknownsQuerySchema,
  response: { 200: Type.Array(UnknownSchema) },
};

/** `GET /api/ui/unknowns` */
function unknownsRoutes(app: HubApp, { settings }: ReviewRoutesDeps): void {
  const config = { cache: { tags: { species: true, settings: true } } } as const;
  app.get('/api/ui/unknowns', { schema: unknownsRoute, config }, async (request) => {
    const { general, ui } = await settings.current();
    const window = readWindow(request.query, general.timezone);
    const unknowns = await listUnknowns(request.readPool, {
      window,
      threshold: ui.unknown_confidence_threshold,
      limit: request.query.limit,
      prefix: publicPrefix(request),
    });
    return readyJson(unknowns, { tags: { recordings: { from: window.start, to: window.end } } });
  });
}

const recentRoute = {
  operationId: 'listRecentCorrections',
  summary: 'List recent corrections and confirmations',
  description: 'Returns corrections and confirmations, newest first.',
  tags: ['review'],
  security: access.open,
  querystring: RecentCorrectionsQuerySchema,
  response: { 200: Type.Array(RecentCorrectionSchema) },
};

/** `GET /corrections/recent` */
function recentCorrectionsRoutes(app: HubApp): void {
  const config = { cache: { tags: { recordings: 'all', species: true } } } as const;
  app.get('/api/ui/corrections/recent', { schema: recentRoute, config }, async ({ query, readPool }) =>
    readyJson(await listRecentCorrections(readPool, query.limit)),
  );
}
