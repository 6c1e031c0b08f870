import { access, type HubApp } from '@birdhub/shared/app';
import { Type } from 'typebox';
import type { Answers, Question } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import { sendAnswer } from '../answers/send-answer.js';
import { publicPrefix } from '../public-prefix.js';
import { linkToNextPage } from '../timeline/next-page.js';
import { TimelineItemSchema } from '../timeline/timeline.schema.js';
import { readCursor } from '../timeline/timeline-cursor.js';
import { idInPath } from '../wire.schema.js';
import { readSpeciesVisits } from './species-visits.store.js';

const schema = {
  operationId: 'listSpeciesVisits',
  summary: 'List the visits of a species and all below it',
  description: 'Newest first. When `limit` cuts the list, the `Link` header leads to the rest.',
  tags: ['species'],
  security: access.open,
  params: idInPath('Id of the species'),
  querystring: Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of visits' }),
    cursor: Type.Optional(Type.String({ description: 'From the `Link` of the page before' })),
  }),
  response: { 200: Type.Array(TimelineItemSchema) },
};

/** `GET /species/:id/visits` */
export function speciesVisitsRoutes(app: HubApp, { answers }: { answers: Answers }): void {
  app.get('/api/ui/species/:id/visits', { schema }, async (request, reply) => {
    const { limit, cursor } = request.query;
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const search = { speciesId: request.params.id, limit, after };
    const prefix = publicPrefix(request);
    const question: Question = {
      key: `species-visits ${prefix}${request.url}`,
      async answer(pool, budget) {
        const { body, last } = await readSpeciesVisits(pool, search, budget);
        const answer = makeAnswer(body, last && linkToNextPage(prefix, request.url, last));
        return { answer, scope: { recordings: 'all', species: true } };
      },
    };
    return sendAnswer(answers, request, reply, question);
  });
}
