import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import { invalidField } from '@birdhub/shared/errors';
import { type Clock, dayWindow, isDay, localDay } from '@birdhub/shared/time';
import type { FastifyRequest } from 'fastify';
import type { ExternalApis } from '../external/external-apis.js';
import type { RouteCacheOptions } from '../response-cache/response-cache.js';
import { computeSunTimes, hubPlace } from './sun-times.js';
import {
  type SunTimesQuery,
  SunTimesQuerySchema,
  SunTimesSchema,
  type WeatherNow,
  WeatherNowSchema,
} from './weather.schema.js';
import { findNewestSnapshot, type WeatherSnapshot } from './weather.store.js';
import { chooseSource } from './weather-source.js';

/** Dependencies of these routes. */
export interface WeatherRoutesDeps {
  readonly settings: SettingsReader;
  readonly clock: Clock;
  readonly externalApis: Pick<ExternalApis, 'urls'>;
}

/** Routes of the weather and of the sun. */
export function weatherRoutes(app: HubApp, deps: WeatherRoutesDeps): void {
  currentWeatherRoutes(app, deps);
  sunTimesRoutes(app, deps);
}

const weatherRoute = {
  operationId: 'getWeather',
  summary: 'Get the current weather',
  description: 'Returns the weather as last fetched from the source.',
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

/** `GET /weather` */
function currentWeatherRoutes(app: HubApp, { settings, clock, externalApis }: WeatherRoutesDeps): void {
  const config = { cache: { tags: { weather: true, settings: true } } } as const;
  app.get('/api/ui/weather', { schema: weatherRoute, config }, async ({ readPool }) => {
    const source = chooseSource(await settings.current(), externalApis.urls);
    const snapshot = source && (await findNewestSnapshot(readPool, source.key));
    return snapshot ? toWeatherNow(snapshot, clock.now()) : {};
  });
}

const sunTimesRoute = {
  operationId: 'getSunTimes',
  summary: 'Get sunrise and sunset of a day',
  tags: ['weather'],
  security: access.open,
  querystring: SunTimesQuerySchema,
  response: { 200: SunTimesSchema },
};

/** `GET /sun-times` */
function sunTimesRoutes(app: HubApp, { settings, clock }: WeatherRoutesDeps): void {
  async function readDay({ date }: SunTimesQuery): Promise<string> {
    const { general } = await settings.current();
    const day = date ?? localDay(general.timezone, clock.now());
    if (!isDay(day)) throw invalidField('date', 'must be a day, YYYY-MM-DD');
    return day;
  }

  const cache: RouteCacheOptions = {
    tags: { settings: true },
    key: ({ query }: FastifyRequest<{ Querystring: SunTimesQuery }>) => readDay(query),
  };
  app.get('/api/ui/sun-times', { schema: sunTimesRoute, config: { cache } }, async ({ query }) => {
    const [day, current] = [await readDay(query), await settings.current()];
    const place = hubPlace(current);
    return place ? computeSunTimes(dayWindow(current.general.timezone, day), place) : {};
  });
}
