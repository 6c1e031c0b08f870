import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import { Type } from 'typebox';
import type { Answers } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import { sendAnswer } from '../answers/send-answer.js';
import { instant, orNull, text } from '../wire.schema.js';
import { findLastDispense } from './feed-info.store.js';

const schema = {
  operationId: 'getFeedInfo',
  summary: 'Get the state of the feeder',
  tags: ['food'],
  security: access.open,
  response: {
    200: Type.Object(
      {
        feed_source: text('How the feeder is driven; `none` for no feeder'),
        last_dispense_at: orNull(instant('When it last gave a portion'), 'Null when it never did'),
        cooldown_seconds: Type.Number({ description: 'Least seconds between two portions' }),
      },
      { $id: 'FeedInfo' },
    ),
  },
};

/** `GET /feed/info` */
export function feedInfoRoutes(
  app: HubApp,
  { answers, settings }: { answers: Answers; settings: SettingsReader },
): void {
  app.get('/api/ui/feed/info', { schema }, async (request, reply) =>
    sendAnswer(answers, request, reply, {
      key: 'feed info',
      async answer(pool) {
        const [{ feed }, last_dispense_at] = await Promise.all([settings.current(), findLastDispense(pool)]);
        const { source: feed_source, cooldown_seconds } = feed;
        const info = { feed_source, last_dispense_at, cooldown_seconds };
        // Nothing rings when a portion is given; the row is found by index.
        return { answer: makeAnswer(JSON.stringify(info)), scope: undefined };
      },
    }),
  );
}
