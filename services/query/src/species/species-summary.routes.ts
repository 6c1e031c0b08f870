import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import { type Clock, readZoneClock } from '@birdhub/shared/time';
import { Type } from 'typebox';
import type { Answers, Question } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import { sendAnswer } from '../answers/send-answer.js';
import { chooseLanguage, type DescriptionLanguage } from '../species-knowledge/description-language.js';
import { idInPath } from '../wire.schema.js';
import { SpeciesSummarySchema } from './species-summary.schema.js';
import { readSpeciesSummary } from './species-summary.store.js';
import { readSpeciesVisits } from './species-visits.store.js';

const schema = {
  operationId: 'getSpeciesSummary',
  summary: 'Get a summary of a species and all below it',
  tags: ['species'],
  security: access.open,
  description:
    'The description is in English unless `lang` or `Accept-Language` names another language that it is known in; what ' +
    'a person wrote is in no other.',
  params: idInPath('Id of the species'),
  querystring: Type.Object({
    lang: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}$',
        description: 'Language of the description (BCP 47), before that of `Accept-Language`',
      }),
    ),
  }),
  response: { 200: SpeciesSummarySchema },
};

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The clock of the zone over all visits that may count: recordings are of at most a day ahead. */
function clockAround(zone: string, now: number) {
  return readZoneClock(zone, { start: now - 30 * dayMs, end: now + 2 * dayMs });
}

interface Asked {
  readonly speciesId: number;
  readonly zone: string;
  readonly now: number;
  readonly language: DescriptionLanguage;
}

function toQuestion({ speciesId, zone, now, language }: Asked): Question {
  return {
    key: `species-summary ${speciesId} ${now} ${zone} ${language}`,
    async answer(pool, budget) {
      const [summary, visits] = await Promise.all([
        readSpeciesSummary(pool, { speciesId, now, clock: clockAround(zone, now), language }),
        readSpeciesVisits(pool, { speciesId, limit: 10, after: undefined }, budget),
      ]);
      const answer = makeAnswer(`${summary.slice(0, -1)},"recentVisits":${visits.body}}`);
      return { answer, scope: { recordings: 'all', species: true } };
    },
  };
}

/** `GET /species/:id/summary`, to the minute, so that an answer holds for one. */
export function speciesSummaryRoutes(
  app: HubApp,
  { answers, settings, clock }: { answers: Answers; settings: SettingsReader; clock: Clock },
): void {
  app.get('/api/ui/species/:id/summary', { schema }, async (request, reply) => {
    const { timezone } = (await settings.current()).general;
    const now = Math.floor(clock.now() / minuteMs) * minuteMs;
    const language = chooseLanguage(request.query.lang, request.headers['accept-language']);
    reply.header('vary', 'accept-language');
    const asked = { speciesId: request.params.id, zone: timezone, now, language };
    return sendAnswer(answers, request, reply, toQuestion(asked));
  });
}
