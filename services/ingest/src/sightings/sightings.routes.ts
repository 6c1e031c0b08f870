import type { Author } from '@birdhub/domain/recordings';
import { access, authorOf, type HubApp, unlessDisconnected } from '@birdhub/shared/app';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toPostedResponse } from '../posted-response.js';
import { type SightingBody, type SightingDeps, storeSighting } from './sightings.js';
import { SightingBodySchema, SightingResponseSchema } from './sightings.schema.js';

const bodyLimit = 15 * 1024 * 1024;

const response = { 200: SightingResponseSchema, 201: SightingResponseSchema };

const processorSchema = {
  operationId: 'postSighting',
  summary: 'Store a sighting',
  description:
    'A sighting is a bird that was seen or heard without a recording, with an optional picture. Sightings ' +
    'are grouped into visits like detections of recordings. The key is (camera_id, id). Posting again is ' +
    'safe and replaces what changed; the picture is kept until another one is posted. Without an id, the ' +
    'same content at the same time is the same sighting.',
  tags: ['processor'],
  security: access.processor,
  body: SightingBodySchema,
  response,
};

const personSchema = {
  ...processorSchema,
  operationId: 'addSighting',
  summary: 'Add a manual sighting',
  description:
    'Like `POST /api/processor/sightings`, but the sighting is marked as reviewed, is stored regardless of ' +
    'its confidence, and has `human` as its detector.',
  tags: ['detections'],
  security: access.contributor,
};

/** `POST /api/processor/sightings`, `POST /api/ui/sightings` */
export function sightingRoutes(app: HubApp, deps: SightingDeps): void {
  // storeSighting validates the body, as it does for MQTT and hooks.
  const validatorCompiler = () => () => true;
  const options = { bodyLimit, validatorCompiler };
  app.post('/api/processor/sightings', { ...options, schema: processorSchema }, (request, reply) =>
    store(deps, request, reply),
  );
  app.post('/api/ui/sightings', { ...options, schema: personSchema }, (request, reply) =>
    store(deps, request, reply, authorOf(request)),
  );
}

async function store(deps: SightingDeps, request: FastifyRequest, reply: FastifyReply, author?: Author) {
  // A disconnected client will post again.
  return unlessDisconnected(reply, async (signal) => {
    const options = { requestId: request.id, signal, ...(author && { author }) };
    const result = await storeSighting(deps, request.body as SightingBody, options);
    reply.code(result.created ? 201 : 200);
    return toPostedResponse(result);
  });
}
