import { access, type HubApp } from '@birdhub/shared/app';
import { AddressPlaces, forwardedKey } from '@birdhub/shared/attempts';
import { invalidField } from '@birdhub/shared/errors';
import type { FastifyRequest } from 'fastify';
import { LiveQuerySchema, liveResponses } from './live.schema.js';
import { isLiveName, type LiveName } from './live-client.js';
import type { LiveEvents, LiveRequest } from './live-events.js';

/** Maximum streams for one address, of the 1,000 of a process: a school may come from one. */
const maxStreamsPerAddress = 250;

const schema = {
  operationId: 'streamEvents',
  summary: 'Stream events',
  description:
    'The id of an event is its position in the stream. A client that reconnects with `Last-Event-ID` ' +
    'receives the events that it missed, at most 5,000 events and only those of the last 24 hours. A ' +
    '`reset` event means that events are missing, and that the client must read all data again. Clients ' +
    `that read too slowly are disconnected. An address can have ${maxStreamsPerAddress} streams.`,
  tags: ['live'],
  security: access.open,
  querystring: LiveQuerySchema,
  response: liveResponses,
};

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // nginx buffers responses otherwise.
  'x-accel-buffering': 'no',
};

function readNames(types: string | undefined): ReadonlySet<LiveName> | undefined {
  const input = (types ?? '').split(',').flatMap((name) => name.trim() || []);
  const known = input.filter(isLiveName);
  const unknown = input.find((name) => !isLiveName(name));
  if (unknown !== undefined) throw invalidField('types', `must not contain the unknown event ${unknown}`);
  return known.length ? new Set(known) : undefined;
}

/** A header that is not a number is no error: its client lost its position. */
function readLastEvent(headers: FastifyRequest['headers']): LiveRequest['lastEvent'] {
  const input = headers['last-event-id'];
  if (input === undefined || input === '') return undefined;
  return /^\d{1,15}$/.test(String(input)) ? Number(input) : 'unknown';
}

/** `GET /events` */
export function liveRoutes(app: HubApp, { live }: { live: LiveEvents }): void {
  const places = new AddressPlaces(maxStreamsPerAddress);
  app.addHook('preClose', () => live.close());
  app.head('/api/ui/events', (_request, reply) => reply.headers(streamHeaders).send());
  app.get('/api/ui/events', { schema, exposeHeadRoute: false }, async (request, reply) => {
    const { types, last_event_id } = request.query;
    const wanted = { names: readNames(types), lastEvent: readLastEvent(request.headers) ?? last_event_id };
    places.hold(forwardedKey(request), reply.raw);
    await live.prepare();
    if (reply.raw.destroyed) return reply.hijack();
    reply.hijack();
    reply.raw.writeHead(200, { ...streamHeaders, 'x-request-id': request.id });
    live.follow(reply.raw, wanted);
    return reply;
  });
}
