import { relative } from 'node:path';
import {
  hasMediaFile,
  type MediaFile,
  openMediaFile,
  type PictureRequests,
  posterFile,
} from '@birdhub/domain/media';
import { requireUnlocked, type SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import { fileAnswers } from '../media-files/media.schema.js';
import { mediaTypeOf } from '../media-files/media-type.js';
import { sendFile } from '../media-files/send-file.js';
import { noFile } from './no-file.js';
import { getVideoMedia, type VideoMedia } from './video-media.store.js';
import { VideoParamsSchema } from './videos.schema.js';

const shared = { tags: ['videos'], params: VideoParamsSchema, security: access.open };

const posterRoute = {
  ...shared,
  operationId: 'getVideoPoster',
  summary: 'Get the poster of a recording',
  description:
    'Made when the file arrives, and before all others when it is asked for: 503 when that takes longer than two ' +
    'seconds or the file has not arrived, 404 when there is nothing to be seen.',
  response: fileAnswers(['image/jpeg']),
};

const spectrogramRoute = {
  ...shared,
  operationId: 'getVideoSpectrogram',
  summary: 'Get the spectrogram of a recording',
  description:
    'That of the processor, or the one made when the file arrives, before all others when it is asked for: 503 when ' +
    'that takes longer than two seconds or the file has not arrived, 404 without sound.',
  response: fileAnswers(['image/jpeg', 'image/png', 'image/webp']),
};

const method = ['GET', 'HEAD'];
const cacheControl = 'private, no-cache';
const retryAfterSeconds = 5;

interface Picture {
  readonly file: MediaFile;
  readonly type: string;
}

async function openPicture(root: string, path: string | null): Promise<Picture | undefined> {
  const type = path === null ? undefined : mediaTypeOf(path);
  if (path === null || !type?.startsWith('image/')) return undefined;
  const file = await openMediaFile(root, path);
  return file && { file, type };
}

/** What pictures of recordings are sent with. */
export interface VideoPictureDeps {
  readonly readPool: pg.Pool;
  readonly settings: SettingsReader;
  readonly recordingsDir: string;
  readonly dataDir: string;
  readonly pictures: PictureRequests;
}

/** `GET /videos/:id/poster`, `GET /videos/:id/spectrogram` */
export function videoPictureRoutes(app: HubApp, deps: VideoPictureDeps): void {
  const { readPool, settings, recordingsDir, dataDir, pictures } = deps;

  /** A picture that is there, or is made now as somebody waits for it. @throws HubError media_pending, media_missing */
  async function getPicture(
    videoId: number,
    video: VideoMedia,
    open: () => Promise<Picture | undefined>,
  ): Promise<Picture> {
    const found = await open();
    if (found) return found;
    const isMakeable = video.media !== 'purged' && (await hasMediaFile(recordingsDir, video.videoPath));
    if (!isMakeable) throw noFile(video.media);
    const outcome = await pictures.ask(videoId);
    const made = await open();
    if (made) return made;
    if (outcome === 'made' || outcome === 'unmade')
      throw new HubError('media_missing', {
        message: 'There is no such picture: it cannot be made of the file.',
        beside: { reason: 'damaged' },
      });
    throw new HubError('media_pending', {
      message: 'The pictures of this recording are being made.',
      retryAfterSeconds,
      beside: { video_id: videoId },
    });
  }

  app.route({
    method,
    url: '/api/ui/videos/:id/poster',
    schema: posterRoute,
    handler: async (request, reply) => {
      requireUnlocked(request, await settings.current());
      const { id } = request.params;
      const video = await getVideoMedia(readPool, id);
      const path = relative(dataDir, posterFile(dataDir, id));
      const { file, type } = await getPicture(id, video, () => openPicture(dataDir, path));
      return sendFile(request, reply, file, { type, cacheControl });
    },
  });

  app.route({
    method,
    url: '/api/ui/videos/:id/spectrogram',
    schema: spectrogramRoute,
    handler: async (request, reply) => {
      requireUnlocked(request, await settings.current());
      const { id } = request.params;
      const video = await getVideoMedia(readPool, id);
      let isFirst = true;
      const { file, type } = await getPicture(id, video, async () => {
        const { spectrogramPath } = isFirst ? video : await getVideoMedia(readPool, id);
        isFirst = false;
        return openPicture(recordingsDir, spectrogramPath);
      });
      return sendFile(request, reply, file, { type, cacheControl });
    },
  });
}
