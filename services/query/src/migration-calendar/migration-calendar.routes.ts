import { access, type HubApp } from '@birdhub/shared/app';
import type { Answers, Question } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import { sendAnswer } from '../answers/send-answer.js';
import { cutPeriod, readPeriod } from './calendar-period.js';
import { type CalendarQuery, CalendarQuerySchema, CalendarSchema } from './migration-calendar.schema.js';
import { readCalendar } from './migration-calendar.store.js';

const schema = {
  operationId: 'getMigrationCalendar',
  summary: 'Get the migration calendar',
  description:
    "The month is that of the start of the visit in the hub's zone. Generic species are left out. " +
    'Without years and dates all visits count; of years and dates the narrower hold.',
  tags: ['species'],
  security: access.open,
  querystring: CalendarQuerySchema,
  response: { 200: CalendarSchema },
};

function toQuestion({ catalog, evidence, metric, ...bounds }: CalendarQuery): Question {
  const period = readPeriod(bounds);
  const search = { catalog, evidence, metric, pieces: cutPeriod(period) };
  return {
    key: `migration-calendar ${catalog} ${evidence} ${metric} ${period.from} ${period.to}`,
    answer: async (pool) => ({
      answer: makeAnswer(await readCalendar(pool, search)),
      scope: { recordings: 'all', species: true },
    }),
  };
}

/** `GET /migration-calendar` */
export function migrationCalendarRoutes(app: HubApp, { answers }: { answers: Answers }): void {
  app.get('/api/ui/migration-calendar', { schema }, async (request, reply) =>
    sendAnswer(answers, request, reply, toQuestion(request.query)),
  );
}
