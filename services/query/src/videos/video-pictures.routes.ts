import { relative } from 'node:path';
import { access, type HubApp } from '@birdhub/shared/app';
import { type MediaFile, openMediaFile, posterFile } from '@birdhub/shared/media';
import type { SettingsReader } from '@birdhub/shared/settings';
import type pg from 'pg';
import { fileAnswers } from '../media-files/media.schema.js';
import { mediaTypeOf } from '../media-files/media-type.js';
import { requireUnlocked } from '../media-files/require-unlocked.js';
import { sendFile } from '../media-files/send-file.js';
import { noFile } from './no-file.js';
import { getVideoMedia, type VideoMedia } from './video-media.store.js';
import { VideoParamsSchema } from './videos.schema.js';

const shared = { tags: ['videos'], params: VideoParamsSchema, security: access.open };

const posterRoute = {
  ...shared,
  operationId: 'getVideoPoster',
  summary: 'A picture of the video of a recording, where a bird is seen best',
  description: 'Made when the file arrives: 503 until then, 404 when there is nothing to be seen.',
  response: fileAnswers(['image/jpeg']),
};

const spectrogramRoute = {
  ...shared,
  operationId: 'getVideoSpectrogram',
  summary: 'A picture of the sound of a recording',
  description:
    'That of the processor, or the one made when the file arrives: 503 until then, 404 without sound.',
  response: fileAnswers(['image/jpeg', 'image/png', 'image/webp']),
};

const method = ['GET', 'HEAD'];
const cacheControl = 'private, no-cache';

interface Picture {
  readonly file: MediaFile;
  readonly type: string;
}

async function openPicture(root: string, path: string | null, { media }: VideoMedia): Promise<Picture> {
  const type = path === null ? undefined : mediaTypeOf(path);
  if (path === null || !type?.startsWith('image/')) throw noFile(media);
  const file = await openMediaFile(root, path);
  if (!file) throw noFile(media);
  return { file, type };
}

/** `GET /videos/:id/poster`, `GET /videos/:id/spectrogram` */
export function videoPictureRoutes(
  app: HubApp,
  dependencies: { readPool: pg.Pool; settings: SettingsReader; recordingsDir: string; dataDir: string },
): void {
  const { readPool, settings, recordingsDir, dataDir } = dependencies;
  app.route({
    method,
    url: '/api/ui/videos/:id/poster',
    schema: posterRoute,
    handler: async (request, reply) => {
      requireUnlocked(request, await settings.current());
      const { id } = request.params;
      const video = await getVideoMedia(readPool, id);
      const path = relative(dataDir, posterFile(dataDir, id));
      const { file, type } = await openPicture(dataDir, path, video);
      return sendFile(request, reply, file, { type, cacheControl });
    },
  });

  app.route({
    method,
    url: '/api/ui/videos/:id/spectrogram',
    schema: spectrogramRoute,
    handler: async (request, reply) => {
      requireUnlocked(request, await settings.current());
      const video = await getVideoMedia(readPool, request.params.id);
      const { file, type } = await openPicture(recordingsDir, video.spectrogramPath, video);
      return sendFile(request, reply, file, { type, cacheControl });
    },
  });
}
