import { createHash } from 'node:crypto';
import { type PictureWidth, showsWholePicture } from '@birdhub/domain/media';
import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import {
  access,
  attachment,
  type HubApp,
  isUnmodified,
  isYes,
  limits,
  requireUnlocked,
  unlessDisconnected,
} from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import { toFileName } from '@birdhub/shared/files';
import { localStamp } from '@birdhub/shared/time';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { type PictureFacts, tagPicture } from '../science-export/picture-metadata.js';
import { describeIdentification, placeOf } from '../science-export/portals.js';
import { findPlace, licences, rightsHolderOf } from '../science-export/publication.js';
import { CropQuerySchema, DetectionParamsSchema, pictureResponses } from './detection-crop.schema.js';
import { type CropDetection, getCropDetection } from './detection-crop.store.js';
import { DetectionPictures, type DetectionPicturesDeps, viewOf } from './detection-pictures.js';

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
    '`general.require_auth_for_video_stream`, whole frames, crops to more than half of a frame and ' +
    'spectrograms require an unlocked hub.',
  tags: ['detections'],
  security: access.open,
  params: DetectionParamsSchema,
  querystring: CropQuerySchema,
  response: pictureResponses,
};

const config = { limit: limits.picture };

/** Returns a file name such as `Great_Tit_2026-05-01_101530.jpg`, in the hub's zone. */
function pictureName({ speciesName, start }: CropDetection, zone: string, extension: string): string {
  return `${toFileName(speciesName).replaceAll(' ', '_')}_${localStamp(zone, start.getTime())}.${extension}`;
}

/** Returns the metadata of a published picture; the name only if it is certain. */
function publishedFacts(detection: CropDetection, settings: Settings): PictureFacts {
  const { taxon, speciesName, reviewed, confidence, start } = detection;
  const isCertain = taxon !== null && (reviewed || confidence >= settings.ui.unknown_confidence_threshold);
  const place = findPlace(settings);
  const setting = 'Recorded at a feeder.';
  return {
    takenAt: start.getTime(),
    zone: settings.general.timezone,
    scientificName: isCertain ? taxon : undefined,
    commonName: isCertain ? speciesName : undefined,
    description: isCertain ? `${setting} ${describeIdentification(detection)}` : setting,
    place: place && placeOf(place),
    rightsHolder: rightsHolderOf(settings),
    licence: licences[settings.science.media_licence],
  };
}

/** 304 is not a declared response, so it is not typed. */
const sendUnmodified = (reply: FastifyReply) => reply.code(304).send();

/** @throws HubError invalid_request, unlock_required */
function checkMetadataRequest(request: FastifyRequest, width: PictureWidth | undefined): void {
  if (width !== undefined)
    throw new HubError('invalid_request', { message: 'metadata: must not be combined with width.' });
  // It contains the location of the hub, which only contributors may see.
  requireUnlocked(request);
}

const hashOf = (facts: PictureFacts) =>
  createHash('sha256').update(JSON.stringify(facts)).digest('base64url');

/** `GET /detections/:id/crop` */
export function detectionCropRoutes(
  app: HubApp,
  deps: DetectionPicturesDeps & { readPool: pg.Pool; settings: SettingsReader },
): void {
  const { readPool, settings } = deps;
  const pictures = new DetectionPictures(deps);

  app.get('/api/ui/detections/:id/crop', { schema, config }, async (request, reply) => {
    const { width, full, metadata } = request.query;
    const detection = await getCropDetection(readPool, request.params.id);
    const view = viewOf(detection, { isFull: isYes(full) });
    const current = await settings.current();
    if (showsWholePicture(view.crop.box) && current.general.require_auth_for_video_stream)
      requireUnlocked(request);
    const version = await pictures.version(detection, view);
    if (isYes(metadata)) checkMetadataRequest(request, width);
    const facts = isYes(metadata) ? publishedFacts(detection, current) : undefined;
    const copy = width ?? (facts && hashOf(facts));
    const tag = copy === undefined ? version : `${version}.${copy}`;
    reply.headers({ etag: `W/"${tag}"`, 'cache-control': 'private, no-cache' });
    if (isUnmodified(request, reply)) return sendUnmodified(reply);
    const work = async (signal: AbortSignal) => {
      const picture = await pictures.get(detection, { ...view, version }, width, signal);
      const [type, extension] = width === undefined ? ['image/jpeg', 'jpg'] : ['image/webp', 'webp'];
      const name = pictureName(detection, current.general.timezone, extension);
      return reply
        .type(type)
        .header('content-disposition', attachment(name))
        .send(facts ? tagPicture(picture, facts) : picture);
    };
    return unlessDisconnected(reply, work, request.signal);
  });
}
