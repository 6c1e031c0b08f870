import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import type { Answers, Question } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import { sendAnswer } from '../answers/send-answer.js';
import { type Neighbors, NeighborsQuerySchema, NeighborsSchema } from './neighbors.schema.js';
import { getVideoStart, readNeighborhood } from './neighbors.store.js';
import { dayOn, isYes, readWallClock } from './neighbors-day.js';
import { VideoParamsSchema } from './videos.schema.js';

const schema = {
  operationId: 'getVideoNeighbors',
  summary: 'Get the neighbours of a recording',
  description: 'The day is the calendar day on which the recording starts; the order is start, then id.',
  tags: ['videos'],
  security: access.open,
  params: VideoParamsSchema,
  querystring: NeighborsQuerySchema,
  response: { 200: NeighborsSchema },
};

/** `GET /videos/:id/neighbors` */
export function neighborsRoutes(
  app: HubApp,
  { answers, settings }: { answers: Answers; settings: SettingsReader },
): void {
  app.get('/api/ui/videos/:id/neighbors', { schema }, async (request, reply) => {
    const { params, query } = request;
    const { general } = await settings.current();
    const clock = readWallClock(query, general.timezone);
    const isCrossDay = isYes(query.cross_day);
    const question: Question = {
      key: `neighbors ${params.id} ${query.day_scope} ${JSON.stringify(clock)} ${isCrossDay}`,
      async answer(pool) {
        const start = await getVideoStart(pool, params.id);
        const day = dayOn(clock, start);
        const place = await readNeighborhood(pool, { id: params.id, start }, day, isCrossDay);
        const neighbors: Neighbors = {
          day_scope: query.day_scope,
          day_label: day.day,
          timezone_offset_minutes: day.offsetMinutes,
          cross_day: isCrossDay,
          previous_id: place.previousId,
          next_id: place.nextId,
          index: place.index,
          total: place.total,
        };
        const recordings = isCrossDay ? 'all' : { from: day.start, to: day.end };
        return { answer: makeAnswer(JSON.stringify(neighbors)), scope: { recordings } };
      },
    };
    return sendAnswer(answers, request, reply, question);
  });
}
