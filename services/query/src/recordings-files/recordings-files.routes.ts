import { access, type HubApp } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import { checkVideoPath, openMediaFile } from '@birdhub/shared/media';
import type { SettingsReader } from '@birdhub/shared/settings';
import type { Clock } from '@birdhub/shared/time';
import { fileAnswers } from '../media-files/media.schema.js';
import { allMediaTypes, mediaTypeOf } from '../media-files/media-type.js';
import { requireUnlocked } from '../media-files/require-unlocked.js';
import { sendFile } from '../media-files/send-file.js';

const publicFolder = 'data/recordings/';
/** A file that changed within the last minute may still be arriving, so nobody may keep it. */
const settledMs = 60_000;

const schema = {
  operationId: 'getRecordingFile',
  summary: 'Load a file of the recordings tree by its path',
  description: 'Videos and pictures of the tree and nothing else.',
  tags: ['videos'],
  security: access.open,
  response: fileAnswers(allMediaTypes),
};

/** `GET /data/recordings/*` */
export function recordingsFileRoutes(
  app: HubApp,
  { recordingsDir, settings, clock }: { recordingsDir: string; settings: SettingsReader; clock: Clock },
): void {
  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: `/${publicFolder}*`,
    schema,
    handler: async (request, reply) => {
      const path = publicFolder + request.params['*'];
      const type = mediaTypeOf(path);
      if (type === undefined || checkVideoPath(path) !== undefined) throw new HubError('file_not_found');
      if (type.startsWith('video/')) requireUnlocked(request, await settings.current());
      const file = await openMediaFile(recordingsDir, path);
      if (!file) throw new HubError('file_not_found');
      const isSettled = clock.now() - file.modifiedMs > settledMs;
      const cacheControl = isSettled ? 'private, max-age=31536000, immutable' : 'no-cache';
      return sendFile(request, reply, file, { type, cacheControl });
    },
  });
}
