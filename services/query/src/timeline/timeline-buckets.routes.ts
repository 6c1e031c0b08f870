import type { SettingsReader } from '@birdhub/domain/settings';
import { bindFilters, readWindow } from '@birdhub/domain/timeline';
import { access, type HubApp } from '@birdhub/shared/app';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type RouteCacheOptions, tagged } from '../response-cache/response-cache.js';
import {
  type BucketsQuery,
  BucketsQuerySchema,
  maxBucketDays,
  TimelineBucketSchema,
} from './timeline-buckets.schema.js';
import { type BucketSearch, readBuckets } from './timeline-buckets.store.js';

const schema = {
  operationId: 'getTimelineBuckets',
  summary: 'Count the visits of a window by day or month',
  description:
    'Returns days or months in the time zone of the hub, oldest first; those without visits are left out. ' +
    'A visit is counted in the day or month in which it starts. The filters are the same as for the ' +
    'timeline. Without filters, or with only `species_id` or `group`, years are read from stored sums; ' +
    'other filters read each visit. Recordings without detections are not counted.',
  tags: ['timeline'],
  security: access.open,
  querystring: BucketsQuerySchema,
  response: { 200: Type.Array(TimelineBucketSchema) },
};

function toSearch({ start_time, end_time, by, ...filters }: BucketsQuery, zone: string): BucketSearch {
  const window = readWindow({ start_time, end_time }, zone, maxBucketDays[by]);
  return { window, zone, by, filters: bindFilters(filters, zone, window) };
}

/** `GET /timeline/buckets` */
export function timelineBucketsRoutes(app: HubApp, { settings }: { settings: SettingsReader }): void {
  type BucketsRequest = FastifyRequest<{ Querystring: BucketsQuery }>;
  const searchOf = async ({ query }: BucketsRequest) =>
    toSearch(query, (await settings.current()).general.timezone);

  const cache: RouteCacheOptions = {
    tags: { species: true },
    async key(request: BucketsRequest) {
      const { window, zone, by, filters } = await searchOf(request);
      return JSON.stringify([window.start, window.end, zone, by, filters.names, filters.values]);
    },
  };
  app.get('/api/ui/timeline/buckets', { schema, config: { cache } }, async (request) => {
    const search = await searchOf(request);
    const { start, end } = search.window;
    const buckets = await readBuckets(request.readPool, search);
    return tagged(buckets, { recordings: { from: start, to: end } });
  });
}
