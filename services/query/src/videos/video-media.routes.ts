import { allContentTypes, widthParameter } from '@birdhub/domain/media';
import type { SettingsReader } from '@birdhub/domain/settings';
import { access, attachment, type HubApp } from '@birdhub/shared/app';
import type pg from 'pg';
import { Type } from 'typebox';
import { fileResponses } from '../media-files/media.schema.js';
import { downloadName } from '../public-urls.js';
import { requireRecordingAccess } from '../recording-access.js';
import type { RecordingMedia } from './recording-media.js';
import { getVideoMedia } from './video.store.js';
import { VideoParamsSchema } from './videos.schema.js';

/** Dependencies of routes that send files of recordings. */
export interface VideoMediaDeps {
  readonly readPool: pg.Pool;
  readonly settings: SettingsReader;
  readonly media: RecordingMedia;
}

const files = { tags: ['videos'], params: VideoParamsSchema, response: fileResponses(allContentTypes) };
const pictures = { tags: ['videos'], params: VideoParamsSchema, security: access.open };

const schemas = {
  stream: {
    ...files,
    operationId: 'streamVideo',
    summary: 'Stream a recording',
    security: access.open,
  },
  download: {
    ...files,
    operationId: 'downloadVideo',
    summary: 'Download a recording',
    security: access.contributorRead,
  },
  poster: {
    ...pictures,
    operationId: 'getVideoPoster',
    summary: 'Get the poster of a recording',
    description:
      'The hub creates the poster when the file arrives. A request moves its creation to the front of the ' +
      'queue. Returns 503 when this takes longer than two seconds or the file has not arrived, and 404 when ' +
      'there is no picture to show. With `width`, returns a smaller copy as WebP.',
    querystring: Type.Object({ width: widthParameter }),
    response: fileResponses(['image/jpeg', 'image/webp']),
  },
  spectrogram: {
    ...pictures,
    operationId: 'getVideoSpectrogram',
    summary: 'Get the spectrogram of a recording',
    description:
      'Returns the spectrogram posted by the processor, or the one that the hub creates when the file ' +
      'arrives. A request moves its creation to the front of the queue. Returns 503 when this takes longer ' +
      'than two seconds or the file has not arrived, and 404 when the recording has no sound.',
    response: fileResponses(['image/jpeg', 'image/png', 'image/webp']),
  },
};

const method = ['GET', 'HEAD'];

/** `GET /videos/:id/` `stream`, `download`, `poster`, `spectrogram` */
export function videoMediaRoutes(app: HubApp, { readPool, settings, media }: VideoMediaDeps): void {
  app.route({
    method,
    url: '/api/ui/videos/:id/stream',
    schema: schemas.stream,
    handler: async (request, reply) => {
      await requireRecordingAccess(request, settings);
      return media.sendRecording(request, reply, await getVideoMedia(readPool, request.params.id));
    },
  });

  app.route({
    method,
    url: '/api/ui/videos/:id/download',
    schema: schemas.download,
    handler: async (request, reply) => {
      const { general } = await settings.current();
      const video = await getVideoMedia(readPool, request.params.id);
      const name = downloadName({ ...video, start: video.start.getTime() }, general.timezone);
      return media.sendRecording(request, reply, video, { disposition: attachment(name) });
    },
  });

  app.route({
    method,
    url: '/api/ui/videos/:id/poster',
    schema: schemas.poster,
    handler: async (request, reply) => {
      await requireRecordingAccess(request, settings);
      const { id } = request.params;
      const video = await getVideoMedia(readPool, id);
      return media.sendPoster(request, reply, id, video, request.query.width);
    },
  });

  app.route({
    method,
    url: '/api/ui/videos/:id/spectrogram',
    schema: schemas.spectrogram,
    handler: async (request, reply) => {
      await requireRecordingAccess(request, settings);
      const { id } = request.params;
      return media.sendSpectrogram(request, reply, id, await getVideoMedia(readPool, id));
    },
  });
}
