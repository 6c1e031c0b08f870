import { access, attachment, type HubApp, isNamedBy, limits } from '@birdhub/shared/app';
import { HubError, invalidField } from '@birdhub/shared/errors';
import { ToolTimeoutError } from '@birdhub/shared/media';
import type { SettingsReader } from '@birdhub/shared/settings';
import { localStamp } from '@birdhub/shared/time';
import type { FastifyReply } from 'fastify';
import type pg from 'pg';
import { toFileName } from '../file-name.js';
import { isYes } from '../is-yes.js';
import { createShareWork } from '../share-work.js';
import { chooseFrame } from './choose-frame.js';
import type { Crops } from './crops.js';
import { CropQuerySchema, DetectionParamsSchema, pictureAnswers } from './detection-crop.schema.js';
import { getSeenDetection, type SeenDetection } from './detection-crop.store.js';

const schema = {
  operationId: 'getDetectionCrop',
  summary: 'A picture of a detection',
  description:
    'The frame of the video with the largest box, or that of the middle of the segment; around the box with a margin ' +
    'of 15 % of it at each side, at least 64 pixels, or the whole frame when it has no box.',
  tags: ['detections'],
  security: access.open,
  params: DetectionParamsSchema,
  querystring: CropQuerySchema,
  response: pictureAnswers,
};

const config = { limit: limits.picture };

const reasons: Record<SeenDetection['media'] | 'damaged', string> = {
  pending: 'the file of its recording has not arrived yet',
  ready: 'the file of its recording is missing',
  missing: 'the file of its recording is missing',
  purged: 'the file of its recording was cleared to free space',
  damaged: 'the file of its recording cannot be decoded',
};

const noPicture = (reason: keyof typeof reasons) =>
  new HubError('picture_missing', { message: `There is no picture: ${reasons[reason]}.` });

const retryAfterSeconds = 10;

function toHubError(error: unknown): unknown {
  return error instanceof ToolTimeoutError
    ? new HubError('overloaded', { retryAfterSeconds, cause: error })
    : error;
}

/** `Great_Tit_2026-05-01_101530.jpg`, in the hub's zone. */
function pictureName({ speciesName, start }: SeenDetection, zone: string): string {
  return `${toFileName(speciesName).replaceAll(' ', '_')}_${localStamp(zone, start.getTime())}.jpg`;
}

const sendUnmodified = (reply: FastifyReply) => reply.code(304).send();

/** `GET /detections/:id/crop` */
export function detectionCropRoutes(
  app: HubApp,
  { readPool, settings, crops }: { readPool: pg.Pool; settings: SettingsReader; crops: Crops },
): void {
  const share = createShareWork<Buffer>();

  app.get('/api/ui/detections/:id/crop', { schema, config }, async (request, reply) => {
    const detectionId = request.params.id;
    const detection = await getSeenDetection(readPool, detectionId);
    const { source, videoId, videoPath, media } = detection;
    if (source === 'audio') throw invalidField('id', 'was heard, not seen: it has no picture');
    const { seconds, box } = chooseFrame(detection);
    const crop = { videoId, detectionId, seconds, box: isYes(request.query.full) ? undefined : box };
    const version = await crops.version(videoPath, crop);
    if (version === undefined) throw noPicture(media);
    const etag = `W/"${version}"`;
    reply.headers({ etag, 'cache-control': 'private, no-cache' });
    if (isNamedBy(request.headers['if-none-match'], etag)) return sendUnmodified(reply);
    try {
      const picture = await share(version, request.signal, async (signal) => {
        const [bytes] = (await crops.read(videoPath, [crop], signal)) ?? [];
        if (!bytes) throw noPicture('damaged');
        return bytes;
      });
      const { general } = await settings.current();
      const disposition = attachment(pictureName(detection, general.timezone));
      return reply.type('image/jpeg').header('content-disposition', disposition).send(picture);
    } catch (error) {
      if (request.signal.aborted) return reply.hijack();
      throw toHubError(error);
    }
  });
}
