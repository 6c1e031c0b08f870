import type { SettingsReader } from '@birdhub/domain/settings';
import { readWindow } from '@birdhub/domain/timeline';
import { access, type HubApp } from '@birdhub/shared/app';
import { Type } from 'typebox';
import type { Answers, Question } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import { sendAnswer } from '../answers/send-answer.js';
import { publicPrefix } from '../public-prefix.js';
import { UnknownSchema, UnknownsQuerySchema } from './unknowns.schema.js';
import { listUnknowns, type UnknownsSearch } from './unknowns.store.js';

const schema = {
  operationId: 'listUnknowns',
  summary: 'List the detections of a window to review',
  description:
    'Newest first: those that nobody has reviewed and that are of a generic species, or of a confidence below ' +
    '`ui.unknown_confidence_threshold`.',
  tags: ['review'],
  security: access.open,
  querystring: UnknownsQuerySchema,
  response: { 200: Type.Array(UnknownSchema) },
};

function toQuestion(search: UnknownsSearch): Question {
  const { window, threshold, limit, prefix } = search;
  return {
    key: `unknowns ${window.start} ${window.end} ${threshold} ${limit} ${prefix}`,
    answer: async (pool) => ({
      answer: makeAnswer(await listUnknowns(pool, search)),
      scope: { recordings: { from: window.start, to: window.end }, species: true },
    }),
  };
}

/** `GET /unknowns` */
export function unknownsRoutes(
  app: HubApp,
  { answers, settings }: { answers: Answers; settings: SettingsReader },
): void {
  app.get('/api/ui/unknowns', { schema }, async (request, reply) => {
    const { general, ui } = await settings.current();
    const search = {
      window: readWindow(request.query, general.timezone),
      threshold: ui.unknown_confidence_threshold,
      limit: request.query.limit,
      prefix: publicPrefix(request),
    };
    return sendAnswer(answers, request, reply, toQuestion(search));
  });
}
