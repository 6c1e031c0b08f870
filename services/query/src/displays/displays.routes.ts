import type { HubLanguage } from '@birdhub/domain/language';
import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp, publicPrefix } from '@birdhub/shared/app';
import { type Clock, localDay, type TimeWindow } from '@birdhub/shared/time';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { Type } from 'typebox';
import type { CacheTags } from '../response-cache/cache-entries.js';
import { tagged } from '../response-cache/response-cache.js';
import { idInPath } from '../wire.schema.js';
import { readHourlySpan, readPageSearch, readRequiredSpan, readSpan, requireDay } from './display-queries.js';
import { readHours, readSpeciesOfDay, readSpeciesSummary } from './display-species.store.js';
import {
  allSpecies,
  type DaySpan,
  type DisplayFrame,
  getVisit,
  readDays,
  readVisitPage,
  readVisits,
  windowOfDays,
} from './display-visits.store.js';
import {
  DisplayConfigSchema,
  DisplayDailyQuerySchema,
  DisplayDailySchema,
  DisplayDayQuerySchema,
  DisplayDaySchema,
  DisplayDaysQuerySchema,
  DisplayDiversitySchema,
  DisplayHourSchema,
  DisplayHoursQuerySchema,
  DisplayRecentQuerySchema,
  DisplaySummaryQuerySchema,
  DisplaySummarySchema,
  DisplayVisitPageSchema,
  DisplayVisitSchema,
  DisplayVisitsQuerySchema,
} from './displays.schema.js';

/** Dependencies of these routes. */
export interface DisplayRoutesDeps {
  readonly settings: SettingsReader;
  readonly clock: Clock;
}

const common = { tags: ['displays'], security: access.open };

const schemas = {
  config: {
    ...common,
    operationId: 'getDisplayConfig',
    summary: 'Get the configuration for displays',
    description: 'Returns the configuration of a BirdNET-Go without a login, as far as displays read it.',
    response: { 200: DisplayConfigSchema },
  },
  visits: {
    ...common,
    operationId: 'listDisplayVisits',
    summary: 'List visits as detections of BirdNET-Go',
    description:
      'Each visit of a bird is returned as one detection, seen or heard. Noise, other animals and birds ' +
      'without a scientific name are left out. `start_date` and `end_date` can also be used alone.',
    querystring: DisplayVisitsQuerySchema,
    response: { 200: DisplayVisitPageSchema },
  },
  recent: {
    ...common,
    operationId: 'listRecentDisplayVisits',
    summary: 'List the latest visits as detections of BirdNET-Go',
    description: 'Returns visits, newest first.',
    querystring: DisplayRecentQuerySchema,
    response: { 200: Type.Array(DisplayVisitSchema) },
  },
  visit: {
    ...common,
    operationId: 'getDisplayVisit',
    summary: 'Get a visit as a detection of BirdNET-Go',
    params: idInPath('Id of the visit'),
    response: { 200: DisplayVisitSchema },
  },
  summary: {
    ...common,
    operationId: 'getDisplaySpecies',
    summary: 'Get the species of a range of days for displays',
    description: 'Returns species, most visits first. Without days, the range is all time.',
    querystring: DisplaySummaryQuerySchema,
    response: { 200: Type.Array(DisplaySummarySchema) },
  },
  day: {
    ...common,
    operationId: 'getDisplaySpeciesOfDay',
    summary: 'Get the species of a day by hour for displays',
    description: 'Returns species, most visits first.',
    querystring: DisplayDayQuerySchema,
    response: { 200: Type.Array(DisplayDaySchema) },
  },
  daily: {
    ...common,
    operationId: 'getDisplayDays',
    summary: 'Get visits by day for displays',
    querystring: DisplayDailyQuerySchema,
    response: { 200: DisplayDailySchema },
  },
  diversity: {
    ...common,
    operationId: 'getDisplayDiversity',
    summary: 'Get the number of species by day for displays',
    querystring: DisplayDaysQuerySchema,
    response: { 200: DisplayDiversitySchema },
  },
  hours: {
    ...common,
    operationId: 'getDisplayHours',
    summary: 'Get visits by hour of the day for displays',
    querystring: DisplayHoursQuerySchema,
    response: { 200: Type.Array(DisplayHourSchema, { minItems: 24, maxItems: 24 }) },
  },
};

const defaultRecent = 10;
const allTags = { species: true, settings: true, recordings: 'all' } as const satisfies CacheTags;
const baseTags = { species: true, settings: true } as const satisfies CacheTags;

/** `GET /api/v2/…`: the API for displays made for BirdNET-Go. */
export function displayRoutes(app: HubApp, deps: DisplayRoutesDeps): void {
  const frameNow = async (): Promise<DisplayFrame> => {
    const { general, video } = await deps.settings.current();
    return { zone: general.timezone, language: general.language, cameras: video.cameras };
  };
  const today = (zone: string) => localDay(zone, deps.clock.now());

  app.get('/api/v2/app/config', { schema: schemas.config }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    return {
      version: 'birdhub' as const,
      basePath: publicPrefix(request),
      audioExportEnabled: true,
      security: { enabled: false, accessAllowed: true, privateMode: false },
    };
  });

  app.get(
    '/api/v2/detections',
    { schema: schemas.visits, config: { cache: { tags: allTags, key: keyWithDay(today, frameNow) } } },
    async ({ query, readPool }) => {
      const frame = await frameNow();
      return readVisitPage(readPool, readPageSearch(query, frame, today(frame.zone)), frame);
    },
  );

  app.get(
    '/api/v2/detections/recent',
    { schema: schemas.recent, config: { cache: { tags: allTags } } },
    async ({ query, readPool }) =>
      readVisits(readPool, { ...newest, limit: query.limit ?? defaultRecent }, await frameNow()),
  );

  app.get(
    '/api/v2/detections/:id',
    { schema: schemas.visit, config: { cache: { tags: allTags } } },
    async ({ params, readPool }) => getVisit(readPool, params.id, await frameNow()),
  );

  app.get(
    '/api/v2/analytics/species/summary',
    { schema: schemas.summary, config: { cache: { tags: baseTags } } },
    async (request) => {
      const { zone, language } = await frameNow();
      const { start_date, end_date, limit } = request.query;
      const span = readSpan(start_date, end_date);
      const prefix = publicPrefix(request);
      const species = await readSpeciesSummary(request.readPool, {
        span,
        zone,
        language,
        limit: limit || undefined,
        prefix,
      });
      return tagged(species, tagsOf(windowOfDays(zone, span)));
    },
  );

  app.get(
    '/api/v2/analytics/species/daily',
    { schema: schemas.day, config: { cache: { tags: baseTags, key: keyWithDay(today, frameNow) } } },
    async (request) => {
      const { zone, language } = await frameNow();
      const { date, min_confidence = 0, limit } = request.query;
      const day = date ? requireDay('date', date) : today(zone);
      const prefix = publicPrefix(request);
      const search = {
        day,
        zone,
        language,
        minConfidence: min_confidence / 100,
        limit: limit || undefined,
        prefix,
      };
      return tagged(await readSpeciesOfDay(request.readPool, search), allTags);
    },
  );

  app.get(
    '/api/v2/analytics/time/daily',
    { schema: schemas.daily, config: { cache: { tags: baseTags } } },
    async ({ query, readPool }) => {
      const { zone, language } = await frameNow();
      const span = readRequiredSpan(query);
      const response = await readDailyVisits(readPool, { span, species: query.species, language });
      return tagged(response, tagsOf(windowOfDays(zone, span)));
    },
  );

  app.get(
    '/api/v2/analytics/species/diversity',
    { schema: schemas.diversity, config: { cache: { tags: baseTags } } },
    async ({ query, readPool }) => {
      const { zone } = await frameNow();
      const span = readRequiredSpan(query);
      const response = await readDiversity(readPool, span);
      return tagged(response, tagsOf(windowOfDays(zone, span)));
    },
  );

  app.get(
    '/api/v2/analytics/time/distribution/hourly',
    { schema: schemas.hours, config: { cache: { tags: baseTags, key: keyWithDay(today, frameNow) } } },
    async ({ query, readPool }) => {
      const { zone, language } = await frameNow();
      const window = windowOfDays(zone, readHourlySpan(query, today(zone)));
      const match = { species: query.species, search: undefined, language };
      const hours = await readHours(readPool, zone, window, match);
      return tagged(hours, tagsOf(window));
    },
  );
}

const newest = {
  window: { start: 0, end: Date.UTC(9999, 0) },
  match: allSpecies,
  skip: 0,
  isAscending: false,
} as const;

const tagsOf = ({ start, end }: TimeWindow): CacheTags => ({ recordings: { from: start, to: end } });

/** Cache key of routes that default to the current day. */
const keyWithDay =
  (today: (zone: string) => string, frameNow: () => Promise<DisplayFrame>) =>
  async ({ query }: FastifyRequest): Promise<string> => {
    const { zone } = await frameNow();
    return `${today(zone)} ${JSON.stringify(Object.entries(query as object).sort())}`;
  };

/** Returns the number of visits of each day. */
async function readDailyVisits(
  pool: pg.Pool,
  { span, species, language }: { span: DaySpan; species: string | undefined; language: HubLanguage },
) {
  const days = await readDays(pool, span, { species, search: undefined, language });
  return {
    start_date: span.first,
    end_date: span.last,
    ...(species && { species }),
    data: days.map(({ day, visits }) => ({ date: day, count: visits })),
    total: days.reduce((sum, { visits }) => sum + visits, 0),
  };
}

/** Returns the number of species of each day. */
async function readDiversity(pool: pg.Pool, span: DaySpan) {
  const days = await readDays(pool, span, allSpecies);
  return {
    start_date: span.first,
    end_date: span.last,
    data: days.map(({ day, species }) => ({ date: day, unique_species: species })),
    max_diversity: days.reduce((max, { species }) => Math.max(max, species), 0),
  };
}
