import type { HubLanguage } from '@birdhub/domain/language';
import { access, type HubApp, publicPrefix } from '@birdhub/shared/app';
import type { TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import { Type } from 'typebox';
import type { CacheTags } from '../response-cache/cache-entries.js';
import { tagged } from '../response-cache/response-cache.js';
import { allTags, type DisplayRoutesDeps, frameNow, keyWithDay, today } from './display-frame.js';
import { readHourlySpan, readRequiredSpan, readSpan, requireDay } from './display-queries.js';
import { readHours, readSpeciesOfDay, readSpeciesSummary } from './display-species.store.js';
import { allSpecies, type DaySpan, readDays, windowOfDays } from './display-visits.store.js';
import {
  DisplayDailyQuerySchema,
  DisplayDailySchema,
  DisplayDayQuerySchema,
  DisplayDaySchema,
  DisplayDaysQuerySchema,
  DisplayDiversitySchema,
  DisplayHourSchema,
  DisplayHoursQuerySchema,
  DisplaySummaryQuerySchema,
  DisplaySummarySchema,
} from './displays.schema.js';

const common = { tags: ['displays'], security: access.open };

const schemas = {
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

const baseTags = { species: true, settings: true } as const satisfies CacheTags;
const tagsOf = ({ start, end }: TimeWindow): CacheTags => ({ recordings: { from: start, to: end } });

/** `GET /api/v2/analytics/…`: numbers of visits for displays made for BirdNET-Go. */
export function displayAnalyticsRoutes(app: HubApp, deps: DisplayRoutesDeps): void {
  app.get(
    '/api/v2/analytics/species/summary',
    { schema: schemas.summary, config: { cache: { tags: baseTags } } },
    async (request) => {
      const { zone, language } = await frameNow(deps);
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
    { schema: schemas.day, config: { cache: { tags: baseTags, key: keyWithDay(deps) } } },
    async (request) => {
      const { zone, language } = await frameNow(deps);
      const { date, min_confidence = 0, limit } = request.query;
      const day = date ? requireDay('date', date) : today(deps, zone);
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
      const { zone, language } = await frameNow(deps);
      const span = readRequiredSpan(query);
      const response = await readDailyVisits(readPool, { span, species: query.species, language });
      return tagged(response, tagsOf(windowOfDays(zone, span)));
    },
  );

  app.get(
    '/api/v2/analytics/species/diversity',
    { schema: schemas.diversity, config: { cache: { tags: baseTags } } },
    async ({ query, readPool }) => {
      const { zone } = await frameNow(deps);
      const span = readRequiredSpan(query);
      const response = await readDiversity(readPool, span);
      return tagged(response, tagsOf(windowOfDays(zone, span)));
    },
  );

  app.get(
    '/api/v2/analytics/time/distribution/hourly',
    { schema: schemas.hours, config: { cache: { tags: baseTags, key: keyWithDay(deps) } } },
    async ({ query, readPool }) => {
      const { zone, language } = await frameNow(deps);
      const window = windowOfDays(zone, readHourlySpan(query, today(deps, zone)));
      const match = { species: query.species, search: undefined, language };
      const hours = await readHours(readPool, zone, window, match);
      return tagged(hours, tagsOf(window));
    },
  );
}

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
