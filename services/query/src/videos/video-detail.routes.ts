import { hasMediaFile, statMediaFile } from '@birdhub/domain/media';
import { access, type HubApp } from '@birdhub/shared/app';
import type { Answers, Finding, Question } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import type { Scope } from '../answers/scope.js';
import { sendAnswer } from '../answers/send-answer.js';
import { publicPrefix } from '../public-prefix.js';
import { getDetectionFrames, getVideoDetail, type VideoDetail } from './video-detail.store.js';
import { fileVersion, videoUrls } from './video-urls.js';
import { DetectionFramesSchema, VideoParamsSchema, VideoSchema } from './videos.schema.js';

const shared = { tags: ['videos'], security: access.open, params: VideoParamsSchema };

const detailRoute = {
  ...shared,
  operationId: 'getVideo',
  summary: 'Get a recording',
  response: { 200: VideoSchema },
};

const framesRoute = {
  ...shared,
  operationId: 'getDetectionFrames',
  summary: 'Get the detection boxes of a recording',
  response: { 200: DetectionFramesSchema },
};

function scopeOf({ start, end }: Pick<VideoDetail, 'start' | 'end'>): Scope {
  return { recordings: { from: start.getTime(), to: end.getTime() }, species: true };
}

/** A file that was awaited is looked for each time, as nothing says when it comes; so that answer is not kept. */
async function toFinding(
  id: number,
  prefix: string,
  detail: VideoDetail,
  recordingsDir: string,
): Promise<Finding> {
  const isAwaited = detail.media === 'pending';
  const media = isAwaited && (await hasMediaFile(recordingsDir, detail.videoPath)) ? 'ready' : detail.media;
  const { spectrogramPath } = detail;
  const spectrogram =
    spectrogramPath === null ? undefined : await statMediaFile(recordingsDir, spectrogramPath);
  const version = spectrogram && fileVersion(spectrogram);
  const own = JSON.stringify({ media, ...videoUrls(prefix, id, spectrogramPath, version) });
  const answer = makeAnswer(`${own.slice(0, -1)},${detail.body.slice(1)}`);
  return { answer, scope: isAwaited ? undefined : scopeOf(detail) };
}

/** `GET /videos/:id`, `GET /videos/:id/detection-frames` */
export function videoDetailRoutes(
  app: HubApp,
  { answers, recordingsDir }: { answers: Answers; recordingsDir: string },
): void {
  app.get('/api/ui/videos/:id', { schema: detailRoute }, async (request, reply) => {
    const { id } = request.params;
    const prefix = publicPrefix(request);
    const question: Question = {
      key: `video ${id} ${prefix}`,
      answer: async (pool) => toFinding(id, prefix, await getVideoDetail(pool, id), recordingsDir),
    };
    return sendAnswer(answers, request, reply, question);
  });

  app.get('/api/ui/videos/:id/detection-frames', { schema: framesRoute }, async (request, reply) => {
    const { id } = request.params;
    const question: Question = {
      key: `frames ${id}`,
      async answer(pool) {
        const frames = await getDetectionFrames(pool, id);
        return { answer: makeAnswer(frames.body), scope: scopeOf(frames) };
      },
    };
    return sendAnswer(answers, request, reply, question);
  });
}
