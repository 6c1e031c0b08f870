import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp, publicPrefix } from '@birdhub/shared/app';
import { invalidField } from '@birdhub/shared/errors';
import {
  type Clock,
  dayNumber,
  dayOfNumber,
  daysBefore,
  firstInstantAt,
  isDay,
  localDay,
  type TimeWindow,
} from '@birdhub/shared/time';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { Type } from 'typebox';
import type { CacheTags } from '../response-cache/cache-entries.js';
import { tagged } from '../response-cache/response-cache.js';
import { idInPath } from '../wire.schema.js';
import { readHours, readSpeciesOfDay, readSpeciesSummary } from './display-species.store.js';
import {
  countVisits,
  type DaySpan,
  type DisplayFrame,
  getVisit,
  planPage,
  readDays,
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
  type DisplayVisitsQuery,
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

const defaultResults = 100;
const defaultRecent = 10;
const defaultDays = 30;
const maxHourlyDays = 366;
/** A span of all days. */
const allDays: DaySpan = { first: '1970-01-01', last: '9998-12-31' };
const everything = { species: true, settings: true, recordings: 'all' } as const satisfies CacheTags;
const settled = { species: true, settings: true } as const satisfies CacheTags;

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
    { schema: schemas.visits, config: { cache: { tags: everything, key: keyWithDay(today, frameNow) } } },
    async ({ query, readPool }) => {
      const frame = await frameNow();
      return readPage(readPool, query, frame, today(frame.zone));
    },
  );

  app.get(
    '/api/v2/detections/recent',
    { schema: schemas.recent, config: { cache: { tags: everything } } },
    async ({ query, readPool }) =>
      readVisits(readPool, { ...newest, limit: query.limit ?? defaultRecent }, await frameNow()),
  );

  app.get(
    '/api/v2/detections/:id',
    { schema: schemas.visit, config: { cache: { tags: everything } } },
    async ({ params, readPool }) => getVisit(readPool, params.id, await frameNow()),
  );

  app.get(
    '/api/v2/analytics/species/summary',
    { schema: schemas.summary, config: { cache: { tags: settled } } },
    async (request) => {
      const { zone, language } = await frameNow();
      const { start_date, end_date, limit } = request.query;
      const span = readSpan(start_date, end_date);
      const prefix = publicPrefix(request);
      const species = await readSpeciesSummary(request.readPool, { span, zone, language, limit, prefix });
      return tagged(species, tagsOf(windowOfDays(zone, span)));
    },
  );

  app.get(
    '/api/v2/analytics/species/daily',
    { schema: schemas.day, config: { cache: { tags: settled, key: keyWithDay(today, frameNow) } } },
    async (request) => {
      const { zone, language } = await frameNow();
      const { date, min_confidence = 0, limit } = request.query;
      const day = date ? requireDay('date', date) : today(zone);
      const prefix = publicPrefix(request);
      const given = { day, zone, language, minConfidence: min_confidence / 100, limit, prefix };
      return tagged(await readSpeciesOfDay(request.readPool, given), everything);
    },
  );

  app.get(
    '/api/v2/analytics/time/daily',
    { schema: schemas.daily, config: { cache: { tags: settled } } },
    async ({ query, readPool }) => {
      const { zone, language } = await frameNow();
      const span = readRequiredSpan(query);
      const days = await readDays(readPool, span, { species: query.species, search: undefined, language });
      const response = {
        start_date: span.first,
        end_date: span.last,
        ...(query.species && { species: query.species }),
        data: days.map(({ day, visits }) => ({ date: day, count: visits })),
        total: sumOf(days),
      };
      return tagged(response, tagsOf(windowOfDays(zone, span)));
    },
  );

  app.get(
    '/api/v2/analytics/species/diversity',
    { schema: schemas.diversity, config: { cache: { tags: settled } } },
    async ({ query, readPool }) => {
      const { zone } = await frameNow();
      const span = readRequiredSpan(query);
      const days = await readDays(readPool, span, allSpecies);
      const response = {
        start_date: span.first,
        end_date: span.last,
        data: days.map(({ day, species }) => ({ date: day, unique_species: species })),
        max_diversity: days.reduce((most, { species }) => Math.max(most, species), 0),
      };
      return tagged(response, tagsOf(windowOfDays(zone, span)));
    },
  );

  app.get(
    '/api/v2/analytics/time/distribution/hourly',
    { schema: schemas.hours, config: { cache: { tags: settled, key: keyWithDay(today, frameNow) } } },
    async ({ query, readPool }) => {
      const { zone, language } = await frameNow();
      const last = query.end_date ? requireDay('end_date', query.end_date) : today(zone);
      const first = query.start_date
        ? requireDay('start_date', query.start_date)
        : daysBefore(last, defaultDays);
      const window = windowOfDays(zone, requireOrder({ first, last }, maxHourlyDays));
      const match = { species: query.species, search: undefined, language };
      const hours = await readHours(readPool, zone, window, match);
      return tagged(hours, tagsOf(window));
    },
  );
}

const allSpecies = { species: undefined, search: undefined, language: 'en' } as const;
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

const sumOf = (days: readonly { readonly visits: number }[]) =>
  days.reduce((sum, { visits }) => sum + visits, 0);

async function readPage(pool: pg.Pool, query: DisplayVisitsQuery, frame: DisplayFrame, today: string) {
  const { numResults, offset = 0, sortBy } = query;
  const limit = numResults ?? query.limit ?? defaultResults;
  const isAscending = sortBy === 'date_asc';
  const match = { species: query.species, search: query.search, language: frame.language };
  const finish = (data: Awaited<ReturnType<typeof readVisits>>, total: number) => ({
    data,
    total,
    limit,
    offset,
    current_page: Math.floor(offset / limit) + 1,
    total_pages: Math.ceil(total / limit),
  });
  const hours = readHourWindow(query, frame.zone, today);
  if (hours) {
    const total = await countVisits(pool, hours, match);
    const search = { window: hours, match, limit, skip: offset, isAscending };
    return finish(offset < total ? await readVisits(pool, search, frame) : [], total);
  }
  const days = await readDays(pool, readQuerySpan(query), match);
  const total = sumOf(days);
  const plan = planPage(days, { offset, limit, isAscending });
  if (!plan) return finish([], total);
  const search = { window: windowOfDays(frame.zone, plan.span), match, limit, skip: plan.skip, isAscending };
  return finish(await readVisits(pool, search, frame), total);
}

/** Returns the requested hours; undefined when none are requested. @throws HubError invalid_request */
function readHourWindow(
  { queryType, hour, date, duration }: DisplayVisitsQuery,
  zone: string,
  today: string,
): TimeWindow | undefined {
  if (hour === undefined) {
    if (queryType === 'hourly') throw invalidField('hour', 'is needed with queryType=hourly');
    return undefined;
  }
  const day = date ? requireDay('date', date) : today;
  const start = firstInstantAt(zone, dayNumber(day) * dayMs + hour * hourMs);
  return { start, end: start + Math.max(1, duration ?? 1) * hourMs };
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** @throws HubError invalid_request */
function readQuerySpan({ date, start_date, end_date }: DisplayVisitsQuery): DaySpan {
  if (!date) return readSpan(start_date, end_date);
  if (start_date || end_date) throw invalidField('date', 'must not be set beside start_date or end_date');
  const day = requireDay('date', date);
  return { first: day, last: day };
}

/** @throws HubError invalid_request */
function readSpan(start: string | undefined, end: string | undefined): DaySpan {
  const first = start ? requireDay('start_date', start) : allDays.first;
  return requireOrder({ first, last: end ? requireDay('end_date', end) : allDays.last });
}

/** @throws HubError invalid_request */
function readRequiredSpan({ start_date, end_date }: { start_date: string; end_date?: string }): DaySpan {
  const first = requireDay('start_date', start_date);
  const last = end_date ? requireDay('end_date', end_date) : dayOfNumber(dayNumber(first) + defaultDays);
  return requireOrder({ first, last });
}

/** @throws HubError invalid_request, naming the field */
function requireDay(field: string, day: string): string {
  if (!isDay(day) || day < allDays.first || day > allDays.last)
    throw invalidField(field, 'must be a calendar day YYYY-MM-DD, from 1970 on');
  return day;
}

function requireOrder(span: DaySpan, maxDays?: number): DaySpan {
  if (span.first > span.last) throw invalidField('start_date', 'must not be after end_date');
  if (maxDays !== undefined && dayNumber(span.last) - dayNumber(span.first) > maxDays)
    throw invalidField('start_date', `must be at most ${maxDays} days before end_date`);
  return span;
}
