import type { SettingsReader } from '@birdhub/domain/settings';
import { type RequestedWindow, readWindow } from '@birdhub/domain/timeline';
import { access, type HubApp } from '@birdhub/shared/app';
import { type Clock, localDay, readZoneClock } from '@birdhub/shared/time';
import type { FastifyRequest } from 'fastify';
import type { RouteCacheOptions } from '../response-cache/response-cache.js';
import { readHourlyTemperatures } from '../weather/weather.store.js';
import { OverviewQuerySchema, OverviewSchema } from './overview.schema.js';
import { lastHourFrom, type OverviewSearch, readVisitsOverview } from './overview.store.js';

const schema = {
  operationId: 'getOverview',
  summary: 'Get the overview of a day or a window',
  description:
    'Without parameters, returns the overview of today. A visit is counted in the window in which it ' +
    'starts. Generic species and other animals are left out.',
  tags: ['overview'],
  security: access.open,
  querystring: OverviewQuerySchema,
  response: { 200: OverviewSchema },
};

const isAsked = ({ start_time, end_time, date }: RequestedWindow) =>
  (start_time ?? end_time ?? date) !== undefined;

/** `GET /overview` */
export function overviewRoutes(
  app: HubApp,
  { settings, clock }: { settings: SettingsReader; clock: Clock },
): void {
  async function toSearch(query: RequestedWindow): Promise<OverviewSearch> {
    const { timezone: zone } = (await settings.current()).general;
    const now = clock.now();
    const window = readWindow(isAsked(query) ? query : { date: localDay(zone, now) }, zone);
    return { window, zone, clock: readZoneClock(zone, window), lastHourFrom: lastHourFrom(window, now) };
  }

  const cache: RouteCacheOptions = {
    // Whether a species is noteworthy also depends on earlier visits.
    tags: { recordings: 'all', species: true, weather: true },
    async key({ query }: FastifyRequest<{ Querystring: RequestedWindow }>) {
      const { window, zone, lastHourFrom } = await toSearch(query);
      return `${window.start} ${window.end} ${lastHourFrom} ${zone}`;
    },
  };
  app.get('/api/ui/overview', { schema, config: { cache } }, async ({ query, readPool }) => {
    const search = await toSearch(query);
    const { window, zone } = search;
    const [visits, hourlyTemperature] = await Promise.all([
      readVisitsOverview(readPool, search),
      readHourlyTemperatures(readPool, window, zone),
    ]);
    return { ...visits, hourlyTemperature, observer_timezone: zone };
  });
}
