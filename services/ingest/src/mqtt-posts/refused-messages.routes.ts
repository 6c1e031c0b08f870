import { access, type HubApp } from '@birdhub/shared/app';
import { literals } from '@birdhub/shared/config';
import { ErrorDetailSchema, shownDetail } from '@birdhub/shared/errors';
import { Type } from 'typebox';
import { type RefusedMessages, refusalReasons } from './refused-messages.store.js';

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const RefusedMessageSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the rejected message; ids increase over time' }),
    received_at: Type.String({ format: 'date-time', description: 'When the message was received' }),
    topic: Type.String({ description: 'Topic of the message' }),
    reason: literals(refusalReasons, {
      description:
        '`topic`: the topic names no camera; `size`: larger than 15 MB; `json`: not JSON; `fields`: a ' +
        'field is invalid; `camera`: the body names a different camera than the topic; `retained`: a ' +
        'retained message without a time; `internal`: processing failed several times',
    }),
    field: orNull('JSON Pointer of the invalid field; null when the whole message was rejected'),
    error: Type.String({ description: 'Reason for the rejection' }),
    details: Type.Array(ErrorDetailSchema, {
      description:
        'The same reason by field, for translation; empty for messages rejected by earlier versions',
    }),
    payload: Type.String({ description: 'The first 2 KB of the message' }),
    bytes: Type.Integer({ description: 'Size of the whole message in bytes' }),
  },
  { $id: 'RefusedMessage' },
);

const schema = {
  operationId: 'listRefusedMessages',
  summary: 'List rejected MQTT messages',
  description: 'The last 100 messages, newest first.',
  tags: ['settings'],
  security: access.admin,
  response: { 200: Type.Array(RefusedMessageSchema) },
};

/** `GET /api/ui/mqtt/refused` */
export function refusedMessagesRoutes(
  app: HubApp,
  { refusedMessages }: { refusedMessages: Pick<RefusedMessages, 'list'> },
): void {
  app.get('/api/ui/mqtt/refused', { schema }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    const messages = await refusedMessages.list();
    return messages.map(({ receivedAt, details, ...message }) => ({
      ...message,
      details: details.map(shownDetail),
      received_at: receivedAt.toISOString(),
    }));
  });
}
