import type { SettingsReader } from '@birdhub/domain/settings';
import { bindFilters, readWindow } from '@birdhub/domain/timeline';
import { access, type HubApp } from '@birdhub/shared/app';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Answers, Question } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import { sendAnswer } from '../answers/send-answer.js';
import { publicPrefix } from '../public-prefix.js';
import { linkToNextPage } from './next-page.js';
import { TimelineItemSchema, type TimelineQuery, TimelineQuerySchema } from './timeline.schema.js';
import { readTimeline, type TimelineSearch } from './timeline.store.js';
import { readCursor } from './timeline-cursor.js';
import { maxDetections, maxItems } from './timeline-items-sql.js';

const schema = {
  operationId: 'getTimeline',
  summary: 'List the visits of a window',
  description:
    'Newest first. A visit belongs to the window when it starts before its end and ends at or after its start. ' +
    'Filters let an item in when one of its detections, with its recording, passes all of them; ' +
    'the item still lists all of its detections. Recordings without detections are items of their own. ' +
    'When `limit` cuts the list, the `Link` header leads to the rest. Without it the list has the whole window, but at ' +
    `most ${maxItems} items, and ends with the item that makes it ${maxDetections} detections; the \`Link\` header ` +
    'then leads to the rest. While large lists are being made or sent, further ones wait, and are 503 `busy` when ' +
    'that takes too long.',
  tags: ['timeline'],
  security: access.open,
  querystring: TimelineQuerySchema,
  response: { 200: Type.Array(TimelineItemSchema) },
};

function toSearch(query: TimelineQuery, zone: string): TimelineSearch {
  const { start_time, end_time, date, limit, cursor, ...filters } = query;
  return {
    window: readWindow({ start_time, end_time, date }, zone),
    filters: bindFilters(filters, zone),
    limit,
    after: cursor === undefined ? undefined : readCursor(cursor),
  };
}

/** Without a limit no answer depends on how it was asked for, only on what. */
function toQuestion(search: TimelineSearch, request: FastifyRequest): Question {
  const { window, filters, limit, after } = search;
  const prefix = publicPrefix(request);
  const link = limit === undefined ? '' : prefix + request.url;
  const parts = [window.start, window.end, after?.start, after?.id, limit, link];
  return {
    key: `timeline ${JSON.stringify([...parts, filters.names, filters.values])}`,
    async answer(pool, budget) {
      const { body, last, span } = await readTimeline(pool, search, budget);
      const recordings = {
        from: Math.min(window.start, span?.from ?? window.start),
        to: Math.max(window.end, span?.to ?? window.end),
      };
      const answer = makeAnswer(body, last && linkToNextPage(prefix, request.url, last));
      return { answer, scope: { recordings, species: true } };
    },
  };
}

/** `GET /timeline` */
export function timelineRoutes(
  app: HubApp,
  { answers, settings }: { answers: Answers; settings: SettingsReader },
): void {
  app.get('/api/ui/timeline', { schema }, async (request, reply) => {
    const { general } = await settings.current();
    const search = toSearch(request.query, general.timezone);
    return sendAnswer(answers, request, reply, toQuestion(search, request));
  });
}
