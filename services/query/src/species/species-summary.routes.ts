import { access, type HubApp } from '@birdhub/shared/app';
import type { SettingsReader } from '@birdhub/shared/settings';
import { type Clock, readZoneClock } from '@birdhub/shared/time';
import type { Answers, Question } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import { sendAnswer } from '../answers/send-answer.js';
import { idInPath } from '../wire.schema.js';
import { SpeciesSummarySchema } from './species-summary.schema.js';
import { readSpeciesSummary } from './species-summary.store.js';
import { readSpeciesVisits } from './species-visits.store.js';

const schema = {
  operationId: 'getSpeciesSummary',
  summary: 'Get what is known of a species and all below it',
  tags: ['species'],
  security: access.open,
  params: idInPath('The species'),
  response: { 200: SpeciesSummarySchema },
};

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The clock of the zone over all visits that may count: recordings are of at most a day ahead. */
function clockAround(zone: string, now: number) {
  return readZoneClock(zone, { start: now - 30 * dayMs, end: now + 2 * dayMs });
}

function toQuestion(speciesId: number, zone: string, now: number): Question {
  return {
    key: `species-summary ${speciesId} ${now} ${zone}`,
    async answer(pool) {
      const [summary, visits] = await Promise.all([
        readSpeciesSummary(pool, { speciesId, now, clock: clockAround(zone, now) }),
        readSpeciesVisits(pool, { speciesId, limit: 10, after: undefined }),
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
    return sendAnswer(answers, request, reply, toQuestion(request.params.id, timezone, now));
  });
}
