import { allContentTypes, contentTypeOf } from '@birdhub/domain/media';
import { access, type HubApp, limits, publicPrefix } from '@birdhub/shared/app';
import { HubError, invalidField } from '@birdhub/shared/errors';
import { Type } from 'typebox';
import { fileResponses } from '../media-files/media.schema.js';
import { requireRecordingAccess } from '../recording-access.js';
import { getVideoMedia } from '../videos/video.store.js';
import type { VideoMediaDeps } from '../videos/video-media.routes.js';
import { idInPath } from '../wire.schema.js';
import { findSpeciesImage } from './display-species.store.js';
import { getClipOf } from './display-visits.store.js';
import { DisplayImageQuerySchema } from './displays.schema.js';

const common = { tags: ['displays'], security: access.open };
const params = idInPath('Id of the visit');
const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'];
/** For the audio of a video the video itself is sent, as audio players ignore its picture. */
const soundTypes: Readonly<Record<string, string>> = { 'video/mp4': 'audio/mp4', 'video/webm': 'audio/webm' };
const clipTypes = [...new Set(allContentTypes.map((type) => soundTypes[type] ?? type))].filter(
  (type) => !pictureTypes.includes(type),
);

const schemas = {
  audio: {
    ...common,
    operationId: 'getDisplayAudio',
    summary: 'Get the clip of a visit',
    description:
      'Returns the recording of the visit with the best sound, in the format in which it is stored. ' +
      'Returns 503 while the file has not arrived, and 404 when there is nothing to hear. With ' +
      '`general.require_auth_for_video_stream`, the hub must be unlocked.',
    params,
    response: fileResponses(clipTypes),
  },
  spectrogram: {
    ...common,
    operationId: 'getDisplaySpectrogram',
    summary: 'Get the spectrogram of the clip of a visit',
    description:
      'Returns 503 while the spectrogram is being created, and 404 when the recording has no sound. With ' +
      '`general.require_auth_for_video_stream`, the hub must be unlocked.',
    params,
    response: fileResponses(pictureTypes),
  },
  image: {
    ...common,
    operationId: 'getDisplaySpeciesImage',
    summary: 'Get the picture of a species',
    description: 'Redirects to the picture. Returns 404 when the hub has none.',
    querystring: DisplayImageQuerySchema,
    response: { 302: Type.Null({ description: 'Redirects to the picture' }) },
  },
};

const method = ['GET', 'HEAD'];
const config = { limit: limits.picture };

/** `GET /api/v2/audio/:id`, `GET /api/v2/spectrogram/:id`, `GET /api/v2/media/species-image` */
export function displayMediaRoutes(app: HubApp, deps: VideoMediaDeps): void {
  const { readPool, settings, media } = deps;

  app.route({
    method,
    url: '/api/v2/audio/:id',
    schema: schemas.audio,
    config,
    handler: async (request, reply) => {
      await requireRecordingAccess(request, settings);
      const video = await getVideoMedia(readPool, await getClipOf(readPool, request.params.id));
      const stored = contentTypeOf(video.videoPath);
      const type = stored && (soundTypes[stored] ?? stored);
      return media.sendRecording(request, reply, video, { type });
    },
  });

  app.route({
    method,
    url: '/api/v2/spectrogram/:id',
    schema: schemas.spectrogram,
    config,
    handler: async (request, reply) => {
      await requireRecordingAccess(request, settings);
      const videoId = await getClipOf(readPool, request.params.id);
      return media.sendSpectrogram(request, reply, videoId, await getVideoMedia(readPool, videoId));
    },
  });

  app.route({
    method,
    url: '/api/v2/media/species-image',
    schema: schemas.image,
    config,
    handler: async (request, reply) => {
      const name = request.query.name?.trim() || request.query.scientific_name?.trim();
      if (!name) throw invalidField('name', 'is required: the scientific name of a species');
      const image = await findSpeciesImage(readPool, name);
      const address = image && addressOf(image, publicPrefix(request));
      if (!address) throw new HubError('file_not_found', { message: 'There is no picture of this species.' });
      return reply.header('cache-control', 'private, max-age=3600').redirect(address, 302);
    },
  });
}

const hubItself = 'http://hub.invalid';

/** Returns the URL of a picture for a header; undefined when it has none. */
function addressOf(image: string, prefix: string): string | undefined {
  if (!URL.canParse(image, hubItself)) return undefined;
  const url = new URL(image, hubItself);
  if (url.origin === hubItself) return `${prefix}${url.pathname}${url.search}`;
  return /^https?:$/.test(url.protocol) ? url.href : undefined;
}
