import { access, authorOf, type HubApp, limits } from '@birdhub/shared/app';
import {
  ChannelBodySchema,
  ChannelChangeSchema,
  ChannelDoneSchema,
  ChannelParamsSchema,
  ChannelSchema,
  ChannelTestBodySchema,
  ChannelTestSchema,
} from './channels.schema.js';
import type { NotificationChannels } from './notification-channels.js';

const tags = ['notifications'];
const security = access.admin;

const listSchema = {
  operationId: 'listNotificationChannels',
  summary: 'List notification channels',
  description: 'The notification channels, oldest first.',
  tags,
  security,
  response: { 200: { type: 'array', items: ChannelSchema } as const },
};

const createSchema = {
  operationId: 'createNotificationChannel',
  summary: 'Add a notification channel',
  description: 'A hub has at most 32 channels, and one of kind `web_push`.',
  tags,
  security,
  body: ChannelBodySchema,
  response: { 201: ChannelSchema },
};

const changeSchema = {
  operationId: 'updateNotificationChannel',
  summary: 'Change a notification channel',
  description:
    'Omitted fields stay unchanged. A secret must be sent again when the address that it belongs to changes.',
  tags,
  security,
  params: ChannelParamsSchema,
  body: ChannelChangeSchema,
  response: { 200: ChannelSchema },
};

const removeSchema = {
  operationId: 'deleteNotificationChannel',
  summary: 'Delete a notification channel',
  description: 'Messages waiting to be sent to the channel are discarded.',
  tags,
  security,
  params: ChannelParamsSchema,
  response: { 200: ChannelDoneSchema },
};

const testSchema = {
  operationId: 'testNotificationChannel',
  summary: 'Test a notification channel',
  description:
    'Sends a test message with the configuration in the body, or with the stored channel with the given ' +
    '`id`. Nothing is stored. `kind` is optional when `id` is set.',
  tags,
  security,
  body: ChannelTestBodySchema,
  response: { 200: ChannelTestSchema },
};

/** Dependencies of these routes. */
export interface ChannelRoutesDeps {
  readonly channels: NotificationChannels;
}

/**
 * `GET, POST /api/ui/notification-channels`, `PATCH, DELETE /api/ui/notification-channels/:id`,
 * `POST /api/ui/notification-channels/test`
 */
export function channelRoutes(app: HubApp, { channels }: ChannelRoutesDeps): void {
  const path = '/api/ui/notification-channels';
  app.get(path, { schema: listSchema }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return channels.show();
  });
  app.post(path, { schema: createSchema }, async (request, reply) => {
    const { kind, ...change } = request.body;
    const created = await channels.create(kind, change, authorOf(request));
    return reply.code(201).send(created);
  });
  app.patch(`${path}/:id`, { schema: changeSchema }, async (request) =>
    channels.update(request.params.id, request.body, authorOf(request)),
  );
  app.delete(`${path}/:id`, { schema: removeSchema }, async (request) => {
    await channels.delete(request.params.id, authorOf(request));
    return { message: 'The channel is deleted.' };
  });
  app.post(`${path}/test`, { schema: testSchema, config: { limit: limits.render } }, async ({ body }) =>
    channels.test(body),
  );
}
