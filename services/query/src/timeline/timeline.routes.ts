import type { SettingsReader } from '@birdhub/domain/settings';
import { bindFilters, readWindow } from '@birdhub/domain/timeline';
import { access, type HubApp, publicPrefix } from '@birdhub/shared/app';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ResponseBudget } from '../response-cache/response-budget.js';
import { type RouteCacheOptions, readyJson } from '../response-cache/response-cache.js';
import { TimelineItemSchema, type TimelineQuery, TimelineQuerySchema } from './timeline.schema.js';
import { maxDetections, maxItems, readTimeline, type TimelineSearch } from './timeline.store.js';
import { linkToNextPage, pageUrl, readCursor } from './timeline-cursor.js';

const schema = {
  operationId: 'getTimeline',
  summary: 'List the visits of a window',
  description:
    'Returns visits, newest first. A visit belongs to the window when it starts before the end of the ' +
    'window and ends at or after its start. An item matches the filters when one of its detections, with ' +
    'its recording, matches all of them; the item still lists all of its detections. Recordings without ' +
    'detections are separate items. When `limit` truncates the list, the `Link` header points to the ' +
    `rest. Without \`limit\`, the list contains the whole window, but at most ${maxItems} items, and ` +
    `ends with the item that reaches ${maxDetections} detections; the \`Link\` header then points to the ` +
    'rest. While large lists are being created or sent, further requests wait, and return 503 `busy` ' +
    'when the wait is too long.',
  tags: ['timeline'],
  security: access.open,
  querystring: TimelineQuerySchema,
  response: { 200: Type.Array(TimelineItemSchema) },
};

const path = '/api/ui/timeline';

function toSearch(query: TimelineQuery, zone: string): TimelineSearch {
  const { start_time, end_time, date, limit, cursor, ...filters } = query;
  const window = readWindow({ start_time, end_time, date }, zone);
  return {
    window,
    filters: bindFilters(filters, zone, window),
    limit,
    after: cursor === undefined ? undefined : readCursor(cursor),
  };
}

/** `GET /timeline` */
export function timelineRoutes(
  app: HubApp,
  { settings, budget }: { settings: SettingsReader; budget: ResponseBudget },
): void {
  type TimelineRequest = FastifyRequest<{ Querystring: TimelineQuery }>;
  const searchOf = async ({ query }: TimelineRequest) =>
    toSearch(query, (await settings.current()).general.timezone);
  const urlOf = ({ url }: TimelineRequest) => pageUrl(path, url, TimelineQuerySchema);

  const cache: RouteCacheOptions = {
    tags: { species: true },
    /** Without a limit, a response only depends on the window and the filters. */
    async key(request: TimelineRequest) {
      const { window, filters, limit, after } = await searchOf(request);
      const url = limit === undefined ? '' : urlOf(request);
      const parts = [window.start, window.end, after?.start, after?.id, limit, url];
      return JSON.stringify([...parts, filters.names, filters.values]);
    },
  };
  app.get(path, { schema, config: { cache } }, async (request) => {
    const search = await searchOf(request);
    const { body, last, span } = await readTimeline(request.readPool, search, budget);
    const { start, end } = search.window;
    const recordings = {
      from: Math.min(start, span?.from ?? start),
      to: Math.max(end, span?.to ?? end),
    };
    const link = last && linkToNextPage(publicPrefix(request), urlOf(request), last);
    return readyJson(body, { link, tags: { recordings } });
  });
}
