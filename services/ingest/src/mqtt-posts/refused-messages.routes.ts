import { access, type HubApp } from '@birdhub/shared/app';
import { literals } from '@birdhub/shared/config';
import { Type } from 'typebox';
import { type RefusedMessages, refusalReasons } from './refused-messages.store.js';

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const RefusedMessageSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the refusal; later ones have larger ids' }),
    received_at: Type.String({ format: 'date-time', description: 'When it came' }),
    topic: Type.String({ description: 'The topic that it came on' }),
    reason: literals(refusalReasons, {
      description:
        '`topic`: the topic names no camera; `size`: more than 15 MB; `json`: not JSON; `fields`: a field is wrong; ' +
        '`camera`: the body names another camera than the topic; `retained`: kept by the broker, and without a time; ' +
        '`internal`: the hub failed at it several times',
    }),
    field: orNull('JSON Pointer of the field that is wrong; null when it is the whole message'),
    error: Type.String({ description: 'What is wrong' }),
    payload: Type.String({ description: 'The first 2 KB of the message' }),
    bytes: Type.Integer({ description: 'Length of the whole message' }),
  },
  { $id: 'RefusedMessage' },
);

const schema = {
  operationId: 'listRefusedMessages',
  summary: 'List the MQTT messages that were refused',
  description: 'The last 100, the newest first.',
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
    return messages.map(({ receivedAt, ...message }) => ({
      ...message,
      received_at: receivedAt.toISOString(),
    }));
  });
}
