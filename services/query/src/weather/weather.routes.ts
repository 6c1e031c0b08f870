import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import type { Clock } from '@birdhub/shared/time';
import type { Answers, Question } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import { sendAnswer } from '../answers/send-answer.js';
import type { HubOutside } from '../outside/hub-outside.js';
import { type WeatherNow, WeatherNowSchema } from './weather.schema.js';
import { findNewestSnapshot, type WeatherSnapshot } from './weather.store.js';
import { chooseSource } from './weather-source.js';

const schema = {
  operationId: 'getWeather',
  summary: 'Get the current weather',
  description: 'As it was last fetched from its source.',
  tags: ['weather'],
  security: access.open,
  response: { 200: WeatherNowSchema },
};

const staleMs = 30 * 60_000;

function toWeatherNow(
  { windSpeed, fetchedAt, hasFailed, ...rest }: WeatherSnapshot,
  now: number,
): WeatherNow {
  return {
    ...rest,
    wind_speed: windSpeed,
    fetched_at: fetchedAt.toISOString(),
    stale: hasFailed || now - fetchedAt.getTime() > staleMs,
  };
}

/** What the routes of the weather work with. */
export interface WeatherRoutesDependencies {
  readonly answers: Answers;
  readonly settings: SettingsReader;
  readonly clock: Clock;
  readonly outside: Pick<HubOutside, 'urls'>;
}

/** `GET /weather` */
export function weatherRoutes(app: HubApp, dependencies: WeatherRoutesDependencies): void {
  const { answers, settings, clock, outside } = dependencies;
  const question: Question = {
    key: 'weather',
    async answer(pool) {
      const source = chooseSource(await settings.current(), outside.urls);
      const snapshot = source && (await findNewestSnapshot(pool, source.key));
      const body = snapshot ? toWeatherNow(snapshot, clock.now()) : {};
      return { answer: makeAnswer(JSON.stringify(body)), scope: { weather: true, settings: true } };
    },
  };
  app.get('/api/ui/weather', { schema }, async (request, reply) =>
    sendAnswer(answers, request, reply, question),
  );
}
