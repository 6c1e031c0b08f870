import { isReservedActivity } from '@birdhub/domain/activity';
import { access, callerTokenOf, type HubApp } from '@birdhub/shared/app';
import { HubError, invalidField } from '@birdhub/shared/errors';
import { Type } from 'typebox';
import { isName, toStorable } from '../plain-text.js';
import type { SpaceGuard } from '../space-guard.js';
import { type ActivityLogStore, heartbeat } from './activity-log.store.js';

const maxDataBytes = 65_536;

const ResponseSchema = Type.Object(
  {
    message: Type.String({ description: 'Human-readable result' }),
    id: Type.Integer({ description: 'Id of the log entry' }),
    commands: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.Integer({ description: 'Id of the command, used to acknowledge it' }),
          type: Type.String({ description: 'The requested action, such as `restart`' }),
        }),
        {
          description: 'Commands for the processor; only in the response to a heartbeat',
        },
      ),
    ),
  },
  { $id: 'ActivityResult' },
);

const schema = {
  operationId: 'postActivity',
  summary: 'Write an activity log entry or a heartbeat',
  description:
    'With `id`, the existing entry is updated. Heartbeats have separate ids; a heartbeat whose entry no ' +
    'longer exists is created again with the same id. A token that is limited to some cameras can only ' +
    'update the entries that it has written; a heartbeat with the id of another entry gets an entry of its ' +
    'own. Types that the hub itself writes are rejected.',
  tags: ['processor'],
  security: access.processor,
  body: Type.Object(
    {
      type: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Type of the entry; `heartbeat` for a heartbeat',
      }),
      data: Type.Unknown({ description: 'Any JSON, maximum 64 KB' }),
      id: Type.Optional(
        Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }), Type.Null()], {
          description: 'Id of the entry to update; without it, a new entry is created',
        }),
      ),
    },
    { additionalProperties: true },
  ),
  response: { 200: ResponseSchema, 201: ResponseSchema },
};

/** Dependencies of this route. */
interface ActivityLogRoutesDeps {
  readonly activityLog: ActivityLogStore;
  readonly space: Pick<SpaceGuard, 'requireSpace'>;
}

/** `POST /activity_log` */
export function activityLogRoutes(app: HubApp, { activityLog, space }: ActivityLogRoutesDeps): void {
  app.post('/activity_log', { schema, bodyLimit: 4 * maxDataBytes }, async (request, reply) => {
    const { type, id } = request.body;
    if (!isName(type)) throw invalidField('/type', 'must be a name without control characters');
    if (isReservedActivity(type))
      throw invalidField('/type', 'must not be a type that the hub itself writes');
    const data = JSON.stringify(toStorable(request.body.data));
    if (Buffer.byteLength(data) > maxDataBytes) {
      throw new HubError('payload_too_large', {
        details: [{ path: '/data', message: 'must be at most 64 KB' }],
      });
    }
    // Heartbeats show that processors run, also while the disk is full.
    if (id == null && type !== heartbeat) space.requireSpace();
    const token = callerTokenOf(request);
    const written = await activityLog.write({
      type,
      data,
      id: id ?? undefined,
      requestId: request.id,
      tokenName: token?.name,
      isLimited: token?.cameras !== undefined,
    });
    reply.code(written.created ? 201 : 200);
    const { commands } = written;
    return { message: 'success', id: written.id, ...(commands && { commands: [...commands] }) };
  });
}
