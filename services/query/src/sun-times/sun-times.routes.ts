import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import { invalidField } from '@birdhub/shared/errors';
import { type Clock, dayWindow, isDay, localDay } from '@birdhub/shared/time';
import type { Answers, Question } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import { sendAnswer } from '../answers/send-answer.js';
import { hubPlace, type Place } from '../hub-place.js';
import { computeSunTimes } from './compute-sun-times.js';
import { SunTimesQuerySchema, SunTimesSchema } from './sun-times.schema.js';

const schema = {
  operationId: 'getSunTimes',
  summary: 'Get sunrise and sunset of a day',
  tags: ['weather'],
  security: access.open,
  querystring: SunTimesQuerySchema,
  response: { 200: SunTimesSchema },
};

function toQuestion(day: string, zone: string, place: Place | undefined): Question {
  const { latitude, longitude } = place ?? {};
  return {
    key: `sun ${day} ${zone} ${latitude} ${longitude}`,
    async answer() {
      const times = place ? computeSunTimes(dayWindow(zone, day), place) : {};
      return { answer: makeAnswer(JSON.stringify(times)), scope: { settings: true } };
    },
  };
}

/** `GET /sun-times` */
export function sunTimesRoutes(
  app: HubApp,
  { answers, settings, clock }: { answers: Answers; settings: SettingsReader; clock: Clock },
): void {
  app.get('/api/ui/sun-times', { schema }, async (request, reply) => {
    const current = await settings.current();
    const zone = current.general.timezone;
    const { date: day = localDay(zone, clock.now()) } = request.query;
    if (!isDay(day)) throw invalidField('date', 'must be a day, YYYY-MM-DD');
    return sendAnswer(answers, request, reply, toQuestion(day, zone, hubPlace(current)));
  });
}
