import type { SettingsReader } from '@birdhub/domain/settings';
import { readWindow } from '@birdhub/domain/timeline';
import { access, type HubApp } from '@birdhub/shared/app';
import { invalidField } from '@birdhub/shared/errors';
import { type Clock, dayWindow, isDay, localDay, type TimeWindow } from '@birdhub/shared/time';
import { type Static, Type } from 'typebox';
import {
  HighlightSchema,
  HighlightsQuerySchema,
  OnThisDayQuerySchema,
  PastDaySchema,
} from './highlights.schema.js';
import { type HighlightsSearch, readDayCounts, readHighlights } from './highlights.store.js';

const route = { tags: ['overview'], security: access.open };

const highlightsRoute = {
  ...route,
  operationId: 'listHighlights',
  summary: 'List the best moments of a window',
  description:
    'Returns highlights, best first: large and sharp pictures of birds with a high confidence or a ' +
    'review, favourites, and rare or new species, with a variety of species and days. A species without ' +
    'a picture in the window is represented by its most certain detection. Species that were only heard ' +
    'rank behind those that were seen.',
  querystring: HighlightsQuerySchema,
  response: { 200: Type.Array(HighlightSchema) },
};

const onThisDayRoute = {
  ...route,
  operationId: 'listHighlightsOfPastYears',
  summary: 'List the best moments of the same day of past years',
  description: 'Returns the years in which birds came on that day, latest first.',
  querystring: OnThisDayQuerySchema,
  response: { 200: Type.Array(PastDaySchema) },
};

const maxYears = 20;
/** Longer than any hub has watched, so that a window has an end in the calendar of the database. */
const maxWindowDays = 366 * 100;
const beginning = Date.UTC(2000, 0, 1);

/** Returns the same day of past years, the latest first; of 29 February only in leap years. */
function sameDayOfPastYears(day: string): string[] {
  const [year, rest] = [Number(day.slice(0, 4)), day.slice(4)];
  return Array.from({ length: maxYears }, (_, ago) => `${year - ago - 1}${rest}`).filter(isDay);
}

/** `GET /highlights`, `GET /highlights/on-this-day` */
export function highlightsRoutes(
  app: HubApp,
  { settings, clock }: { settings: SettingsReader; clock: Clock },
): void {
  const zoneNow = async () => (await settings.current()).general.timezone;

  /** Without times all until the end of today, so that the response holds for a day. */
  function toWindow(
    { start_time, end_time }: Static<typeof HighlightsQuerySchema>,
    zone: string,
  ): TimeWindow {
    if (start_time !== undefined || end_time !== undefined)
      return readWindow({ start_time, end_time }, zone, maxWindowDays);
    return { start: beginning, end: dayWindow(zone, localDay(zone, clock.now())).end };
  }

  async function toSearch(query: Static<typeof HighlightsQuerySchema>): Promise<HighlightsSearch> {
    const zone = await zoneNow();
    return { window: toWindow(query, zone), limit: query.limit, speciesId: query.species_id, zone };
  }

  // What is rare or new depends on all visits, those before the window too.
  const cache = {
    tags: { recordings: 'all', species: true },
    async key({ query }: { query: unknown }) {
      const search = await toSearch(query as Static<typeof HighlightsQuerySchema>);
      return JSON.stringify(search);
    },
  } as const;
  app.get('/api/ui/highlights', { schema: highlightsRoute, config: { cache } }, async (request) => {
    return readHighlights(request.readPool, await toSearch(request.query));
  });

  const dayOf = async (date: string | undefined) => {
    const zone = await zoneNow();
    if (date !== undefined && !isDay(date)) throw invalidField('date', 'must be a day, YYYY-MM-DD');
    return { zone, day: date ?? localDay(zone, clock.now()) };
  };
  const pastCache = {
    tags: { recordings: 'all', species: true },
    async key({ query }: { query: unknown }) {
      const { date, limit } = query as Static<typeof OnThisDayQuerySchema>;
      return JSON.stringify([await dayOf(date), limit]);
    },
  } as const;
  app.get(
    '/api/ui/highlights/on-this-day',
    { schema: onThisDayRoute, config: { cache: pastCache } },
    async ({ query: { date, limit }, readPool }) => {
      const { zone, day } = await dayOf(date);
      const counts = await readDayCounts(readPool, sameDayOfPastYears(day));
      return Promise.all(
        counts.map(async (past) => {
          const search = { window: dayWindow(zone, past.date), limit, speciesId: undefined, zone };
          const highlights = await readHighlights(readPool, search);
          return { ...past, years_ago: Number(day.slice(0, 4)) - Number(past.date.slice(0, 4)), highlights };
        }),
      );
    },
  );
}
