import { createHash } from 'node:crypto';
import {
  type CropKey,
  chooseFrame,
  mediaKindOf,
  type PictureRequests,
  type SoundSpan,
  ToolTimeoutError,
} from '@birdhub/domain/media';
import { requireUnlocked, type Settings, type SettingsReader } from '@birdhub/domain/settings';
import { access, attachment, type HubApp, isUnmodified, isYes, limits } from '@birdhub/shared/app';
import { createLimiter, createSingleFlight } from '@birdhub/shared/async';
import { HubError } from '@birdhub/shared/errors';
import { localStamp } from '@birdhub/shared/time';
import type { FastifyReply } from 'fastify';
import type pg from 'pg';
import { toFileName } from '../file-name.js';
import { type PictureFacts, tagPicture } from '../science-export/picture-metadata.js';
import { describeIdentification, placeOf } from '../science-export/portals.js';
import { findPlace, licences, rightsHolderOf } from '../science-export/publication.js';
import type { Crops } from './crops.js';
import { CropQuerySchema, DetectionParamsSchema, pictureResponses } from './detection-crop.schema.js';
import { type CropDetection, getCropDetection } from './detection-crop.store.js';

const schema = {
  operationId: 'getDetectionCrop',
  summary: 'Get the picture of a detection',
  description:
    'Returns the frame of the recording with the largest box, cropped to the box with a margin of 15 % on ' +
    'each side and a minimum size of 64 pixels. Without a box, returns the whole frame from the middle of ' +
    'the detection. For audio detections, returns a spectrogram of at least three seconds, with axes in ' +
    'kHz and seconds and the detection marked. With `width`, returns a smaller copy as WebP. With ' +
    '`metadata`, the picture contains the time, the place rounded according to the `science` settings, and ' +
    'the name if it is certain; this is only available to contributors. With ' +
    '`general.require_auth_for_video_stream`, whole frames and spectrograms require an unlocked hub.',
  tags: ['detections'],
  security: access.open,
  params: DetectionParamsSchema,
  querystring: CropQuerySchema,
  response: pictureResponses,
};

const config = { limit: limits.picture };

const reasons: Record<CropDetection['media'] | 'damaged', string> = {
  pending: 'the file of its recording has not arrived yet',
  ready: 'the file of its recording is missing',
  missing: 'the file of its recording is missing',
  purged: 'the file of its recording was cleared to free space',
  none: 'the sighting was posted without one',
  damaged: 'the file of its recording cannot be decoded',
};

const noPicture = (reason: keyof typeof reasons) =>
  new HubError('picture_missing', {
    message: `There is no picture: ${reasons[reason]}.`,
    extra: { reason: reason === 'ready' ? 'missing' : reason },
  });

const retryAfterSeconds = 10;
const decodeLimits = { max: 2, maxWaiting: 64, waitTimeoutMs: 15_000, retryAfterSeconds };

const pendingPicture = (videoId: number) =>
  new HubError('media_pending', {
    message: 'The pictures of this recording are being made.',
    retryAfterSeconds: 5,
    extra: { video_id: videoId },
  });

function toHubError(error: unknown): unknown {
  return error instanceof ToolTimeoutError
    ? new HubError('overloaded', { retryAfterSeconds, cause: error })
    : error;
}

/** Returns a file name such as `Great_Tit_2026-05-01_101530.jpg`, in the hub's zone. */
function pictureName({ speciesName, start }: CropDetection, zone: string, extension: string): string {
  return `${toFileName(speciesName).replaceAll(' ', '_')}_${localStamp(zone, start.getTime())}.${extension}`;
}

const minSoundSeconds = 3;
const soundMarginSeconds = 0.5;

/** Returns the part of the audio that the picture of an audio detection shows. */
function partOfSound({ startOffset, endOffset, recordingSeconds }: CropDetection): SoundSpan {
  const wanted = Math.max(minSoundSeconds, endOffset - startOffset + 2 * soundMarginSeconds);
  const end = Math.max(recordingSeconds, endOffset);
  const length = Math.min(end, wanted) || minSoundSeconds;
  const from = Math.min(Math.max(0, (startOffset + endOffset - length) / 2), Math.max(0, end - length));
  return { from, to: from + length };
}

/** Returns the metadata of a published picture; the name only if it is certain. */
function publishedFacts(detection: CropDetection, settings: Settings): PictureFacts {
  const { taxon, speciesName, reviewed, confidence, start } = detection;
  const isCertain = taxon !== null && (reviewed || confidence >= settings.ui.unknown_confidence_threshold);
  const place = findPlace(settings);
  const where = 'Recorded at a feeder.';
  return {
    takenAt: start.getTime(),
    zone: settings.general.timezone,
    scientificName: isCertain ? taxon : undefined,
    commonName: isCertain ? speciesName : undefined,
    description: isCertain ? `${where} ${describeIdentification(detection)}` : where,
    place: place && placeOf(place),
    rightsHolder: rightsHolderOf(settings),
    licence: licences[settings.science.media_licence],
  };
}

/** 304 is not a declared response, so it is not typed. */
const sendUnmodified = (reply: FastifyReply) => reply.code(304).send();

/** `GET /detections/:id/crop` */
export function detectionCropRoutes(
  app: HubApp,
  deps: { readPool: pg.Pool; settings: SettingsReader; crops: Crops; pictures: PictureRequests },
): void {
  const { readPool, settings, crops, pictures } = deps;
  const flights = createSingleFlight<Buffer>();
  const limiter = createLimiter(decodeLimits);

  async function decode(videoPath: string, crop: CropKey, signal: AbortSignal): Promise<Buffer> {
    const [bytes] = (await limiter.run(() => crops.read(videoPath, [crop], signal), { signal })) ?? [];
    if (!bytes) throw noPicture('damaged');
    return bytes;
  }

  /**
   * Returns the stored picture, or a new one: from the service that creates all pictures of the recording, else decoded
   * here.
   */
  async function getPicture(
    { videoPath, box }: Pick<CropDetection, 'videoPath'> & Pick<CropKey, 'box'>,
    crop: CropKey,
    version: string,
    signal: AbortSignal,
  ): Promise<Buffer> {
    // The whole frame of a detection with a box is rarely requested, so it is not created ahead.
    const isWholeAhead = box === undefined && mediaKindOf(videoPath) !== 'image';
    const isMadeAhead = crop.box !== undefined || isWholeAhead;
    const kept = await crops.readStored(crop, version);
    if (kept) return kept;
    const outcome = isMadeAhead ? await pictures.ask(crop.videoId) : 'unavailable';
    const made = outcome === 'unavailable' ? undefined : await crops.readStored(crop, version);
    if (made) return made;
    if (outcome === 'late') throw pendingPicture(crop.videoId);
    return flights.run(version, (shared) => decode(videoPath, crop, shared), signal);
  }

  /** Returns the stored spectrogram of a part of the audio, or a new one. */
  async function getSound(
    { videoPath, startOffset, endOffset }: CropDetection,
    crop: CropKey & { readonly sound: SoundSpan },
    version: string,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const kept = await crops.readStored(crop, version);
    if (kept) return kept;
    const mark = { from: startOffset, to: endOffset };
    const draw = async (shared: AbortSignal) => {
      const bytes = await limiter.run(() => crops.drawSound(videoPath, crop, mark, shared), {
        signal: shared,
      });
      if (!bytes) throw noPicture('damaged');
      return bytes;
    };
    return flights.run(version, draw, signal);
  }

  app.get('/api/ui/detections/:id/crop', { schema, config }, async (request, reply) => {
    const detectionId = request.params.id;
    const detection = await getCropDetection(readPool, detectionId);
    const { source, videoId, videoPath, media } = detection;
    const { seconds, box } = chooseFrame(detection);
    if (media === 'none') throw noPicture(media);
    const kind = mediaKindOf(videoPath);
    const isHeard = kind === 'audio' || (kind === 'video' && source === 'audio');
    const sound = isHeard ? partOfSound(detection) : undefined;
    const crop: CropKey = {
      videoId,
      detectionId,
      seconds,
      box: isYes(request.query.full) || sound ? undefined : box,
      ...(sound && { sound }),
    };
    if (crop.box === undefined) requireUnlocked(request, await settings.current());
    const version = await crops.version(videoPath, crop);
    if (version === undefined) throw noPicture(media);
    const { width } = request.query;
    const hasMetadata = isYes(request.query.metadata);
    if (hasMetadata && width !== undefined)
      throw new HubError('invalid_request', { message: 'metadata: is not for pictures of a width.' });
    // It contains the location of the hub, which viewers must not see.
    if (hasMetadata && request.headers['x-hub-caller'] === 'viewer') throw new HubError('unlock_required');
    const facts = hasMetadata ? publishedFacts(detection, await settings.current()) : undefined;
    const copy = width ?? (facts && createHash('sha256').update(JSON.stringify(facts)).digest('base64url'));
    const tag = copy === undefined ? version : `${version}.${copy}`;
    reply.headers({ etag: `W/"${tag}"`, 'cache-control': 'private, no-cache' });
    if (isUnmodified(request, reply)) return sendUnmodified(reply);
    const read = (signal = request.signal) =>
      sound
        ? getSound(detection, { ...crop, sound }, version, signal)
        : getPicture({ videoPath, box }, crop, version, signal);
    try {
      const picture =
        width === undefined
          ? await read()
          : await crops.readSized({ crop, version, read }, width, request.signal);
      if (!sound && !detection.isMeasured && (crop.box || !box)) crops.measure(crop, read);
      const { general } = await settings.current();
      const [type, extension] = width === undefined ? ['image/jpeg', 'jpg'] : ['image/webp', 'webp'];
      const disposition = attachment(pictureName(detection, general.timezone, extension));
      return reply
        .type(type)
        .header('content-disposition', disposition)
        .send(facts ? tagPicture(picture, facts) : picture);
    } catch (error) {
      if (request.signal.aborted) return reply.hijack();
      throw toHubError(error);
    }
  });
}
