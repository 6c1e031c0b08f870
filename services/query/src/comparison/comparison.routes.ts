import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import { invalidField } from '@birdhub/shared/errors';
import { daysBetween, dayWindow, isDay } from '@birdhub/shared/time';
import type { FastifyRequest } from 'fastify';
import { type RouteCacheOptions, tagged } from '../response-cache/response-cache.js';
import {
  type ComparisonQuery,
  ComparisonQuerySchema,
  ComparisonSchema,
  maxComparedDays,
} from './comparison.schema.js';
import { type DayPeriod, readComparison } from './comparison.store.js';

const schema = {
  operationId: 'comparePeriods',
  summary: 'Compare two periods',
  description:
    'The periods are whole days in the time zone of the hub. They may have different lengths ' +
    'and may overlap. A visit is counted in the period in which it starts. Generic species and ' +
    'other animals are left out, except with `species_id`.',
  tags: ['overview'],
  security: access.open,
  querystring: ComparisonQuerySchema,
  response: { 200: ComparisonSchema },
};

function readPeriod(query: ComparisonQuery, prefix: '' | 'other_'): DayPeriod {
  const [start, end] = [`${prefix}start_date`, `${prefix}end_date`] as const;
  for (const field of [start, end])
    if (!isDay(query[field])) throw invalidField(field, 'must be a day, YYYY-MM-DD');
  const days = daysBetween(query[start], query[end]) + 1;
  if (days < 1) throw invalidField(end, `must not be before ${start}`);
  if (days > maxComparedDays)
    throw invalidField(end, `must be at most ${maxComparedDays} days, ${start} included`);
  return { from: query[start], to: query[end] };
}

/** `GET /comparison` */
export function comparisonRoutes(app: HubApp, { settings }: { settings: SettingsReader }): void {
  const cache: RouteCacheOptions = {
    tags: { species: true },
    async key({ query }: FastifyRequest<{ Querystring: ComparisonQuery }>) {
      const { start_date, end_date, other_start_date, other_end_date, species_id } = query;
      const { timezone } = (await settings.current()).general;
      return JSON.stringify([start_date, end_date, other_start_date, other_end_date, species_id, timezone]);
    },
  };
  app.get('/api/ui/comparison', { schema, config: { cache } }, async ({ query, readPool }) => {
    const pair = [readPeriod(query, ''), readPeriod(query, 'other_')] as const;
    const { timezone: zone } = (await settings.current()).general;
    const days = pair.flatMap(({ from, to }) => [from, to]).sort();
    const [first = pair[0].from, last = pair[0].to] = [days.at(0), days.at(-1)];
    const recordings = { from: dayWindow(zone, first).start, to: dayWindow(zone, last).end };
    return tagged(await readComparison(readPool, pair, zone, query.species_id), { recordings });
  });
}
