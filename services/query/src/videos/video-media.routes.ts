import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import {
  allContentTypes,
  contentTypeOf,
  createSizedPictures,
  hasMediaFile,
  type MediaFile,
  openMediaFile,
  type PictureRequests,
  type PictureWidth,
  posterFile,
  widthParameter,
} from '@birdhub/domain/media';
import { requireUnlocked, type SettingsReader } from '@birdhub/domain/settings';
import { access, attachment, type HubApp, isUnmodified } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { Type } from 'typebox';
import { fileResponses } from '../media-files/media.schema.js';
import { sendFile } from '../media-files/send-file.js';
import { downloadName, fileVersion } from '../public-urls.js';
import { getVideoMedia, type MediaState, type VideoMedia } from './video.store.js';
import { VideoParamsSchema } from './videos.schema.js';

/** Dependencies of these routes. */
export interface VideoMediaDeps {
  readonly readPool: pg.Pool;
  readonly settings: SettingsReader;
  readonly recordingsDir: string;
  readonly dataDir: string;
  readonly pictures: PictureRequests;
}

/** Routes of the files of recordings: videos and their pictures. */
export function videoMediaRoutes(app: HubApp, deps: VideoMediaDeps): void {
  fileRoutes(app, deps);
  pictureRoutes(app, deps);
}

const shared = { tags: ['videos'], params: VideoParamsSchema, response: fileResponses(allContentTypes) };

const streamRoute = {
  ...shared,
  operationId: 'streamVideo',
  summary: 'Stream a recording',
  security: access.open,
};

const downloadRoute = {
  ...shared,
  operationId: 'downloadVideo',
  summary: 'Download a recording',
  security: access.contributorRead,
};

const method = ['GET', 'HEAD'];
const cacheControl = 'private, no-cache';
const retryAfterSeconds = 5;

/** Opens the file of a recording. @throws HubError media_pending, media_missing, media_purged */
export async function openVideo(recordingsDir: string, { videoPath, media }: VideoMedia): Promise<MediaFile> {
  if (media === 'none') throw noFile(media);
  const file = await openMediaFile(recordingsDir, videoPath);
  if (!file) throw noFile(media);
  return file;
}

const typeOf = ({ videoPath }: VideoMedia) => contentTypeOf(videoPath) ?? 'application/octet-stream';

/** `GET /videos/:id/stream`, `GET /videos/:id/download` */
function fileRoutes(app: HubApp, { readPool, settings, recordingsDir }: VideoMediaDeps): void {
  app.route({
    method,
    url: '/api/ui/videos/:id/stream',
    schema: streamRoute,
    handler: async (request, reply) => {
      requireUnlocked(request, await settings.current());
      const video = await getVideoMedia(readPool, request.params.id);
      const file = await openVideo(recordingsDir, video);
      return sendFile(request, reply, file, { type: typeOf(video), cacheControl });
    },
  });

  app.route({
    method,
    url: '/api/ui/videos/:id/download',
    schema: downloadRoute,
    handler: async (request, reply) => {
      const { general } = await settings.current();
      const video = await getVideoMedia(readPool, request.params.id);
      const file = await openVideo(recordingsDir, video);
      const name = downloadName({ ...video, start: video.start.getTime() }, general.timezone);
      return sendFile(request, reply, file, {
        type: typeOf(video),
        cacheControl,
        disposition: attachment(name),
      });
    },
  });
}

const picture = { tags: ['videos'], params: VideoParamsSchema, security: access.open };

const posterRoute = {
  ...picture,
  operationId: 'getVideoPoster',
  summary: 'Get the poster of a recording',
  description:
    'The hub creates the poster when the file arrives. A request moves its creation to the front of the ' +
    'queue. Returns 503 when this takes longer than two seconds or the file has not arrived, and 404 when ' +
    'there is no picture to show. With `width`, returns a smaller copy as WebP.',
  querystring: Type.Object({ width: widthParameter }),
  response: fileResponses(['image/jpeg', 'image/webp']),
};

const spectrogramRoute = {
  ...picture,
  operationId: 'getVideoSpectrogram',
  summary: 'Get the spectrogram of a recording',
  description:
    'Returns the spectrogram posted by the processor, or the one that the hub creates when the file ' +
    'arrives. A request moves its creation to the front of the queue. Returns 503 when this takes longer ' +
    'than two seconds or the file has not arrived, and 404 when the recording has no sound.',
  response: fileResponses(['image/jpeg', 'image/png', 'image/webp']),
};

interface Picture {
  readonly file: MediaFile;
  readonly type: string;
}

async function openPicture(root: string, path: string | null): Promise<Picture | undefined> {
  const type = path === null ? undefined : contentTypeOf(path);
  if (path === null || !type?.startsWith('image/')) return undefined;
  const file = await openMediaFile(root, path);
  return file && { file, type };
}

type PictureDeps = Omit<VideoMediaDeps, 'settings'>;

/** Returns a stored picture, or creates it. @throws HubError media_pending, media_missing */
async function getPicture(
  { recordingsDir, pictures }: PictureDeps,
  videoId: number,
  video: VideoMedia,
  open: () => Promise<Picture | undefined>,
): Promise<Picture> {
  const found = await open();
  if (found) return found;
  const canBeMade =
    video.media !== 'purged' &&
    video.media !== 'none' &&
    (await hasMediaFile(recordingsDir, video.videoPath));
  if (!canBeMade) throw noFile(video.media);
  const outcome = await pictures.request(videoId);
  const made = await open();
  if (made) return made;
  if (outcome === 'made' || outcome === 'unmade')
    throw new HubError('media_missing', {
      message: 'This picture cannot be created from the file.',
      extra: { reason: 'damaged' },
    });
  throw new HubError('media_pending', {
    message: 'The pictures of this recording are being made.',
    retryAfterSeconds,
    extra: { video_id: videoId },
  });
}

/** Sends the spectrogram of a recording. @throws HubError video_not_found, media_pending, media_missing */
export async function sendSpectrogram(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: PictureDeps,
  videoId: number,
): Promise<FastifyReply> {
  const { readPool, recordingsDir } = deps;
  const video = await getVideoMedia(readPool, videoId);
  let isFirst = true;
  const { file, type } = await getPicture(deps, videoId, video, async () => {
    const { spectrogramPath } = isFirst ? video : await getVideoMedia(readPool, videoId);
    isFirst = false;
    return openPicture(recordingsDir, spectrogramPath);
  });
  return sendFile(request, reply, file, { type, cacheControl });
}

/** `GET /videos/:id/poster`, `GET /videos/:id/spectrogram` */
function pictureRoutes(app: HubApp, deps: VideoMediaDeps): void {
  const { readPool, settings, dataDir } = deps;
  const sizedPictures = createSizedPictures({ log: app.log });

  /** Sends a resized copy of a poster. */
  async function sendSized(
    request: FastifyRequest,
    reply: FastifyReply,
    { file, path, width }: { readonly file: MediaFile; readonly path: string; readonly width: PictureWidth },
  ): Promise<FastifyReply> {
    await file.handle.close();
    const version = fileVersion(file);
    reply.headers({ etag: `W/"${version}.${width}"`, 'cache-control': cacheControl });
    if (isUnmodified(request, reply)) return reply.code(304).send();
    const original = { stem: path.replace(/jpg$/, version), read: () => readFile(path) };
    return reply.type('image/webp').send(await sizedPictures.get(original, width, request.signal));
  }

  app.route({
    method,
    url: '/api/ui/videos/:id/poster',
    schema: posterRoute,
    handler: async (request, reply) => {
      requireUnlocked(request, await settings.current());
      const { id } = request.params;
      const video = await getVideoMedia(readPool, id);
      const path = posterFile(dataDir, id);
      const inFolder = relative(dataDir, path);
      const { file, type } = await getPicture(deps, id, video, () => openPicture(dataDir, inFolder));
      const { width } = request.query;
      if (width !== undefined) return sendSized(request, reply, { file, path, width });
      return sendFile(request, reply, file, { type, cacheControl });
    },
  });

  app.route({
    method,
    url: '/api/ui/videos/:id/spectrogram',
    schema: spectrogramRoute,
    handler: async (request, reply) => {
      requireUnlocked(request, await settings.current());
      return sendSpectrogram(request, reply, deps, request.params.id);
    },
  });
}

const noMedium = 'This sighting has no medium: it was posted without a recording and without a picture.';

/** Returns the error of a recording without a file. */
function noFile(media: MediaState): HubError {
  if (media === 'pending') return new HubError('media_pending', { retryAfterSeconds });
  if (media === 'none')
    return new HubError('media_missing', { message: noMedium, extra: { reason: 'none' } });
  return new HubError(media === 'purged' ? 'media_purged' : 'media_missing');
}
