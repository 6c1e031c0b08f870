import { access, type HubApp } from '@birdhub/shared/app';
import { Type } from 'typebox';
import type { Answers, Question } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import { sendAnswer } from '../answers/send-answer.js';
import { RecentCorrectionSchema, RecentCorrectionsQuerySchema } from './recent-corrections.schema.js';
import { listRecentCorrections } from './recent-corrections.store.js';

const schema = {
  operationId: 'listRecentCorrections',
  summary: 'List recent corrections and confirmations',
  description: 'Newest first.',
  tags: ['review'],
  security: access.open,
  querystring: RecentCorrectionsQuerySchema,
  response: { 200: Type.Array(RecentCorrectionSchema) },
};

const recent = (limit: number): Question => ({
  key: `corrections ${limit}`,
  answer: async (pool) => ({
    answer: makeAnswer(await listRecentCorrections(pool, limit)),
    scope: { recordings: 'all', species: true },
  }),
});

/** `GET /corrections/recent` */
export function recentCorrectionsRoutes(app: HubApp, { answers }: { answers: Answers }): void {
  app.get('/api/ui/corrections/recent', { schema }, async (request, reply) =>
    sendAnswer(answers, request, reply, recent(request.query.limit)),
  );
}
