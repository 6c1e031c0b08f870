import type { SettingsReader } from '@birdhub/domain/settings';
import { readWindow } from '@birdhub/domain/timeline';
import { access, type HubApp } from '@birdhub/shared/app';
import { invalidField } from '@birdhub/shared/errors';
import { type Clock, dayWindow, isDay, localDay } from '@birdhub/shared/time';
import type pg from 'pg';
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
/** Longer than any hub has existed; keeps windows within the calendar of PostgreSQL. */
const maxWindowDays = 366 * 100;
const earliestStart = Date.UTC(2000, 0, 1);

type HighlightsQuery = Static<typeof HighlightsQuerySchema>;
type OnThisDayQuery = Static<typeof OnThisDayQuerySchema>;

/** `GET /highlights`, `GET /highlights/on-this-day` */
export function highlightsRoutes(
  app: HubApp,
  { settings, clock }: { settings: SettingsReader; clock: Clock },
): void {
  const currentZone = async () => (await settings.current()).general.timezone;
  const toSearch = async (query: HighlightsQuery) => searchOf(query, await currentZone(), clock.now());
  const toDay = async (query: OnThisDayQuery) => dayOf(query, await currentZone(), clock.now());
  // Rarity and novelty depend on all visits, including those before the window.
  const tags = { recordings: 'all', species: true } as const;
  const cache = {
    tags,
    key: async ({ query }: { query: unknown }) => JSON.stringify(await toSearch(query as HighlightsQuery)),
  };
  const pastCache = {
    tags,
    async key({ query }: { query: unknown }) {
      const given = query as OnThisDayQuery;
      return JSON.stringify([await toDay(given), given.limit]);
    },
  };

  app.get('/api/ui/highlights', { schema: highlightsRoute, config: { cache } }, async (request) => {
    return readHighlights(request.readPool, await toSearch(request.query));
  });

  app.get(
    '/api/ui/highlights/on-this-day',
    { schema: onThisDayRoute, config: { cache: pastCache } },
    async ({ query, readPool }) => readPastDays(readPool, await toDay(query), query.limit),
  );
}

/** Without times all until the end of today, so that the response holds for a day. */
function searchOf(query: HighlightsQuery, zone: string, now: number): HighlightsSearch {
  const { start_time, end_time, limit, species_id: speciesId } = query;
  const hasWindow = start_time !== undefined || end_time !== undefined;
  const window = hasWindow
    ? readWindow({ start_time, end_time }, zone, maxWindowDays)
    : { start: earliestStart, end: dayWindow(zone, localDay(zone, now)).end };
  return { window, limit, speciesId, zone };
}

interface ZonedDay {
  readonly zone: string;
  readonly day: string;
}

/** Returns the day of a query, by default today. @throws HubError invalid_request */
function dayOf({ date }: OnThisDayQuery, zone: string, now: number): ZonedDay {
  if (date !== undefined && !isDay(date)) throw invalidField('date', 'must be a day, YYYY-MM-DD');
  return { zone, day: date ?? localDay(zone, now) };
}

/** Returns the highlights of the same day of past years. */
async function readPastDays(pool: pg.Pool, { zone, day }: ZonedDay, limit: number) {
  const counts = await readDayCounts(pool, sameDayOfPastYears(day));
  return Promise.all(
    counts.map(async (past) => {
      const search = { window: dayWindow(zone, past.date), limit, speciesId: undefined, zone };
      const highlights = await readHighlights(pool, search);
      return { ...past, years_ago: Number(day.slice(0, 4)) - Number(past.date.slice(0, 4)), highlights };
    }),
  );
}

/** Returns the same day of past years, latest first; 29 February only exists in leap years. */
function sameDayOfPastYears(day: string): string[] {
  const [year, rest] = [Number(day.slice(0, 4)), day.slice(4)];
  return Array.from({ length: maxYears }, (_, ago) => `${year - ago - 1}${rest}`).filter(isDay);
}
