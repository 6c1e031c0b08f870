import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import type { Answers, Question } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import { sendAnswer } from '../answers/send-answer.js';
import { CamerasSchema } from './cameras.schema.js';
import { listSeenCameras } from './cameras.store.js';
import { mergeCameras } from './merge-cameras.js';

const schema = {
  operationId: 'listCameras',
  summary: 'List cameras',
  description: 'Those of the settings and of all recordings.',
  tags: ['cameras'],
  security: access.open,
  response: { 200: CamerasSchema },
};

/** `GET /cameras` */
export function cameraRoutes(
  app: HubApp,
  { answers, settings }: { answers: Answers; settings: SettingsReader },
): void {
  const question: Question = {
    key: 'cameras',
    async answer(pool) {
      const [{ video }, seen] = await Promise.all([settings.current(), listSeenCameras(pool)]);
      const cameras = mergeCameras(video.cameras, seen);
      return {
        answer: makeAnswer(JSON.stringify({ cameras })),
        scope: { recordings: 'all', settings: true },
      };
    },
  };
  app.get('/api/ui/cameras', { schema }, async (request, reply) =>
    sendAnswer(answers, request, reply, question),
  );
}
