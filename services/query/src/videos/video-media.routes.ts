import { type MediaFile, openMediaFile } from '@birdhub/domain/media';
import { requireUnlocked, type SettingsReader } from '@birdhub/domain/settings';
import { access, attachment, type HubApp } from '@birdhub/shared/app';
import type pg from 'pg';
import { fileAnswers } from '../media-files/media.schema.js';
import { mediaTypeOf } from '../media-files/media-type.js';
import { sendFile } from '../media-files/send-file.js';
import { downloadName } from './download-name.js';
import { noFile } from './no-file.js';
import { getVideoMedia, type VideoMedia } from './video-media.store.js';
import { VideoParamsSchema } from './videos.schema.js';

const shared = { tags: ['videos'], params: VideoParamsSchema, response: fileAnswers(['video/mp4']) };

const streamRoute = {
  ...shared,
  operationId: 'streamVideo',
  summary: 'Stream the video of a recording',
  security: access.open,
};

const downloadRoute = {
  ...shared,
  operationId: 'downloadVideo',
  summary: 'Download the video of a recording',
  security: access.contributor,
};

const method = ['GET', 'HEAD'];

async function openVideo(recordingsDir: string, { videoPath, media }: VideoMedia): Promise<MediaFile> {
  const file = await openMediaFile(recordingsDir, videoPath);
  if (!file) throw noFile(media);
  return file;
}

const typeOf = ({ videoPath }: VideoMedia) => mediaTypeOf(videoPath) ?? 'application/octet-stream';
const cacheControl = 'private, no-cache';

/** `GET /videos/:id/stream`, `GET /videos/:id/download` */
export function videoMediaRoutes(
  app: HubApp,
  dependencies: { readPool: pg.Pool; settings: SettingsReader; recordingsDir: string },
): void {
  const { readPool, settings, recordingsDir } = dependencies;
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
