import {
  allContentTypes,
  checkPathInRecordings,
  contentTypeOf,
  openMediaFile,
  videoPathOf,
} from '@birdhub/domain/media';
import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import type { Clock } from '@birdhub/shared/time';
import { Type } from 'typebox';
import { fileVersion } from '../public-urls.js';
import { requireRecordingAccess } from '../recording-access.js';
import { fileResponses } from './media.schema.js';
import { sendFile } from './send-file.js';

/** A file that changed more recently may be incomplete and must not be cached. */
const settledMs = 60_000;

const schema = {
  operationId: 'getRecordingFile',
  summary: 'Get a media file by its path',
  description:
    'Returns only media files in the recordings folder. With `general.require_auth_for_video_stream`, ' +
    'the hub must be unlocked.',
  tags: ['videos'],
  security: access.open,
  querystring: Type.Object({
    v: Type.Optional(
      Type.String({
        description: 'Version of a picture, as in the URL that the hub returns for it',
      }),
    ),
  }),
  response: fileResponses(allContentTypes),
};

/** `GET /data/recordings/*` */
export function recordingsFileRoutes(
  app: HubApp,
  { recordingsDir, settings, clock }: { recordingsDir: string; settings: SettingsReader; clock: Clock },
): void {
  app.route<{ Params: { '*': string }; Querystring: { v?: string } }>({
    method: ['GET', 'HEAD'],
    url: `/${videoPathOf('*')}`,
    schema,
    handler: async (request, reply) => {
      const path = request.params['*'];
      const type = contentTypeOf(path);
      if (type === undefined || checkPathInRecordings(path) !== undefined)
        throw new HubError('file_not_found');
      await requireRecordingAccess(request, settings);
      const file = await openMediaFile(recordingsDir, videoPathOf(path));
      if (!file) throw new HubError('file_not_found');
      // Pictures are replaced under the same name, so only requests with a version are immutable.
      const isNamed = !type.startsWith('image/') || request.query.v === fileVersion(file);
      const isSettled = isNamed && clock.now() - file.modifiedMs > settledMs;
      const cacheControl = isSettled ? 'private, max-age=31536000, immutable' : 'no-cache';
      return sendFile(request, reply, file, { type, cacheControl });
    },
  });
}
