import { access, type HubApp } from '@birdhub/shared/app';
import { invalidField } from '@birdhub/shared/errors';
import type { FastifyRequest } from 'fastify';
import { LiveQuerySchema, liveAnswer } from './live.schema.js';
import { isLiveName, type LiveName } from './live-client.js';
import type { LiveEvents, LiveWish } from './live-events.js';

const schema = {
  operationId: 'streamEvents',
  summary: 'Stream events',
  description:
    'The id of an event is its position in the stream. A client that reconnects with `Last-Event-ID` ' +
    'receives the events that it missed, at most 5,000 events and only those of the last 24 hours. A ' +
    '`reset` event means that events are missing, and that the client must read all data again. Clients ' +
    'that read too slowly are disconnected.',
  tags: ['live'],
  security: access.open,
  querystring: LiveQuerySchema,
  response: liveAnswer,
};

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // nginx buffers responses otherwise.
  'x-accel-buffering': 'no',
};

function readNames(types: string | undefined): ReadonlySet<LiveName> | undefined {
  const given = (types ?? '').split(',').flatMap((name) => name.trim() || []);
  const known = given.filter(isLiveName);
  const unknown = given.find((name) => !isLiveName(name));
  if (unknown !== undefined) throw invalidField('types', `knows no event ${unknown}`);
  return known.length ? new Set(known) : undefined;
}

/** A header that is no number comes from a client that lost its position, so it is no error. */
function readLastEvent(headers: FastifyRequest['headers']): LiveWish['lastEvent'] {
  const given = headers['last-event-id'];
  if (given === undefined || given === '') return undefined;
  return /^\d{1,15}$/.test(String(given)) ? Number(given) : 'unknown';
}

/** `GET /events` */
export function liveRoutes(app: HubApp, { live }: { live: LiveEvents }): void {
  app.addHook('preClose', () => live.close());
  app.head('/api/ui/events', (_request, reply) => reply.headers(streamHeaders).send());
  app.get('/api/ui/events', { schema, exposeHeadRoute: false }, async (request, reply) => {
    const { types, last_event_id } = request.query;
    const wish = { names: readNames(types), lastEvent: readLastEvent(request.headers) ?? last_event_id };
    await live.prepare();
    if (reply.raw.destroyed) return reply.hijack();
    reply.hijack();
    reply.raw.writeHead(200, { ...streamHeaders, 'x-request-id': request.id });
    live.follow(reply.raw, wish);
    return reply;
  });
}
