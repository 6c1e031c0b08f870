import { access, type HubApp } from '@birdhub/shared/app';
import { literals } from '@birdhub/shared/config';
import { sentencesSchema } from '@birdhub/shared/errors';
import { Type } from 'typebox';
import { channelKindNames } from '../channels/channel-kinds.js';
import type { NotificationChannels } from '../channels/index.js';

const ResultSchema = Type.Object({
  channel: literals(channelKindNames, { description: 'Kind of the channel' }),
  ok: Type.Boolean({ description: 'Whether every recipient of the channel was reached' }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Reason for the failure; null on success' }),
  sentences: sentencesSchema('The same reason as a list of sentences, for translation'),
});

const schema = {
  operationId: 'testNotifications',
  summary: 'Send a test notification to every configured channel',
  description: 'Ignores cooldown, quiet hours and `general.enable_notifications`.',
  tags: ['notifications'],
  security: access.admin,
  response: {
    200: Type.Object(
      {
        message: Type.String({ description: 'Human-readable result' }),
        results: Type.Array(ResultSchema, { description: 'Result of each channel' }),
      },
      { $id: 'NotificationTest' },
    ),
  },
};

/** `POST /notify/test` */
export function notificationsRoutes(
  app: HubApp,
  { channels }: { channels: Pick<NotificationChannels, 'testAll'> },
): void {
  app.post('/api/ui/notify/test', { schema }, async () => {
    const results = await channels.testAll();
    const failed = results.filter(({ ok }) => !ok).length;
    if (!results.length) return { message: 'No channel is configured.', results };
    return { message: failed ? `${failed} of ${results.length} channels failed.` : 'Sent.', results };
  });
}
