import type { RecordingWriter } from '@birdhub/domain/recordings';
import { access, callerTokenOf, type HubApp, unlessDisconnected } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import type { Clock } from '@birdhub/shared/time';
import { invalidRequest } from '@birdhub/shared/validation';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { toPostedResponse } from '../posted-response.js';
import type { SpaceGuard } from '../space-guard.js';
import { checkPostedRecording, toRecording } from './recording-body.js';
import { PostedResponseSchema, type RecordingBody, RecordingBodySchema } from './recordings.schema.js';
import { isForeignFile } from './recordings.store.js';

const bodyLimit = 16 * 1024 * 1024;

const schema = {
  operationId: 'postRecording',
  summary: 'Store a recording with its detections',
  description: 'The key is (camera_id, video_path). Posting again is safe and replaces what changed.',
  tags: ['processor'],
  security: access.processor,
  body: RecordingBodySchema,
  response: { 200: PostedResponseSchema, 201: PostedResponseSchema },
};

/** Dependencies of this route. */
export interface RecordingDeps {
  readonly pool: pg.Pool;
  readonly writer: Pick<RecordingWriter, 'post'>;
  readonly clock: Clock;
  readonly space: Pick<SpaceGuard, 'requireSpace'>;
}

/** `POST /videos` */
export function recordingRoutes(app: HubApp, { pool, writer, clock, space }: RecordingDeps): void {
  // checkPostedRecording validates row by row and stops after some errors, so that very invalid bodies are cheap.
  const validatorCompiler = () => () => true;
  app.post('/videos', { schema, bodyLimit, validatorCompiler }, async (request, reply) => {
    const details = await checkPostedRecording(pool, request.body, clock.now());
    if (details.length) throw invalidRequest(details);
    space.requireSpace();
    await requireOwnFiles(pool, request);
    // A disconnected client will post again, so a post that still waits for locks is dropped.
    return unlessDisconnected(reply, async (signal) => {
      const recording = toRecording(request.body as RecordingBody);
      const result = await writer.post(recording, request.id, { signal });
      reply.code(result.created ? 201 : 200);
      return { ...toPostedResponse(result), video_id: result.videoId };
    });
  });
}

/**
 * Rejects files of other cameras when the access token is limited to some: who names a file in a recording may read it.
 * @throws HubError camera_not_allowed
 */
async function requireOwnFiles(pool: pg.Pool, request: FastifyRequest): Promise<void> {
  const { cameras } = callerTokenOf(request) ?? {};
  if (cameras === undefined) return;
  const { video_path, spectrogram_path } = request.body as RecordingBody;
  for (const [field, path] of Object.entries({ video_path, spectrogram_path })) {
    if (!path || !(await isForeignFile(pool, path, cameras))) continue;
    const details = [{ path: `/${field}`, message: 'is a file of another camera' }];
    throw new HubError('camera_not_allowed', { details });
  }
}
