import { isReservedActivity } from '@birdhub/domain/activity';
import { access, callerTokenOf, type HubApp } from '@birdhub/shared/app';
import { HubError, invalidField } from '@birdhub/shared/errors';
import { Type } from 'typebox';
import { isName, toStorable } from '../plain-text.js';
import type { ActivityLogStore } from './activity-log.store.js';

const longestData = 65_536;

const ResponseSchema = Type.Object(
  {
    message: Type.String({ description: 'What was done, for a person' }),
    id: Type.Integer({ description: 'Id of the row' }),
    commands: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.Integer({ description: 'Id of the command, to acknowledge it by' }),
          type: Type.String({ description: 'The requested action, such as `restart`' }),
        }),
        {
          description: 'What the processor is asked to do; in the answer to a heartbeat',
        },
      ),
    ),
  },
  { $id: 'ActivityAnswer' },
);

const schema = {
  operationId: 'postActivity',
  summary: 'Write an activity log row or a heartbeat',
  description:
    'With `id` that row is updated; heartbeats have ids of their own, and one whose row is gone is made again under its id. ' +
    'Types that the hub itself writes are rejected.',
  tags: ['processor'],
  security: access.processor,
  body: Type.Object(
    {
      type: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Kind of the row; `heartbeat` for a heartbeat',
      }),
      data: Type.Unknown({ description: 'At most 64 KB of JSON' }),
      id: Type.Optional(
        Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }), Type.Null()], {
          description: 'The row to update; a new one without it',
        }),
      ),
    },
    { additionalProperties: true },
  ),
  response: { 200: ResponseSchema, 201: ResponseSchema },
};

/** `POST /activity_log` */
export function activityLogRoutes(app: HubApp, { activityLog }: { activityLog: ActivityLogStore }): void {
  app.post('/activity_log', { schema, bodyLimit: 4 * longestData }, async (request, reply) => {
    const { type, id } = request.body;
    if (!isName(type)) throw invalidField('/type', 'must be a name without control characters');
    if (isReservedActivity(type))
      throw invalidField('/type', 'must not be a type that the hub itself writes');
    const data = JSON.stringify(toStorable(request.body.data));
    if (Buffer.byteLength(data) > longestData) {
      throw new HubError('payload_too_large', {
        details: [{ path: '/data', message: 'must be at most 64 KB' }],
      });
    }
    const written = await activityLog.write({
      type,
      data,
      id: id ?? undefined,
      requestId: request.id,
      tokenName: callerTokenOf(request)?.name,
    });
    reply.code(written.created ? 201 : 200);
    const { commands } = written;
    return { message: 'success', id: written.id, ...(commands && { commands: [...commands] }) };
  });
}
