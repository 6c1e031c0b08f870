import { Type } from 'typebox';
import { liveNames } from './live-client.js';

const names = [...new Set(Object.values(liveNames))];

/** Query parameters of `GET /events`. */
export const LiveQuerySchema = Type.Object({
  types: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: `Names of the events to receive, separated by commas, by default all: ${names.join(', ')}`,
    }),
  ),
  last_event_id: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Id of the last received event, for clients that cannot send `Last-Event-ID`',
    }),
  ),
});

/** The responses of `GET /events`. */
export const liveResponses = {
  200: {
    description: 'A continuous stream of events, until the client disconnects',
    content: { 'text/event-stream': { schema: Type.String() } },
  },
};
