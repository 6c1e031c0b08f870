import type { SettingsReader } from '@birdhub/domain/settings';
import { type AskedWindow, readWindow } from '@birdhub/domain/timeline';
import { access, type HubApp } from '@birdhub/shared/app';
import { type Clock, localDay, readZoneClock, type TimeWindow } from '@birdhub/shared/time';
import type { Answers, Question } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import { sendAnswer } from '../answers/send-answer.js';
import { readHourlyTemperatures } from '../weather/hourly-temperatures.store.js';
import { lastHourFrom } from './last-hour.js';
import { OverviewQuerySchema, OverviewSchema } from './overview.schema.js';
import { readVisitsOverview } from './overview.store.js';

const schema = {
  operationId: 'getOverview',
  summary: 'Get the overview of a day or a window',
  description: 'A visit counts in the window in which it begins. Generic species are left out.',
  tags: ['overview'],
  security: access.open,
  querystring: OverviewQuerySchema,
  response: { 200: OverviewSchema },
};

const isAsked = ({ start_time, end_time, date }: AskedWindow) =>
  (start_time ?? end_time ?? date) !== undefined;

function toQuestion(window: TimeWindow, zone: string, now: number): Question {
  const search = { window, clock: readZoneClock(zone, window), lastHourFrom: lastHourFrom(window, now) };
  return {
    key: `overview ${window.start} ${window.end} ${search.lastHourFrom} ${zone}`,
    async answer(pool) {
      const [visits, hourlyTemperature] = await Promise.all([
        readVisitsOverview(pool, search),
        readHourlyTemperatures(pool, window, zone),
      ]);
      const body = JSON.stringify({ ...visits, hourlyTemperature, observer_timezone: zone });
      const recordings = { from: window.start, to: window.end };
      return { answer: makeAnswer(body), scope: { recordings, species: true, weather: true } };
    },
  };
}

/** `GET /overview` */
export function overviewRoutes(
  app: HubApp,
  { answers, settings, clock }: { answers: Answers; settings: SettingsReader; clock: Clock },
): void {
  app.get('/api/ui/overview', { schema }, async (request, reply) => {
    const { timezone } = (await settings.current()).general;
    const now = clock.now();
    const asked = isAsked(request.query) ? request.query : { date: localDay(timezone, now) };
    return sendAnswer(answers, request, reply, toQuestion(readWindow(asked, timezone), timezone, now));
  });
}
