import type { RecordingWriter } from '@birdhub/domain/recordings';
import { access, type HubApp, unlessDisconnected } from '@birdhub/shared/app';
import type { Clock } from '@birdhub/shared/time';
import { invalidRequest } from '@birdhub/shared/validation';
import { toPostedResponse } from '../posted-response.js';
import type { SpaceGuard } from '../space-guard.js';
import { checkRecording, toRecording } from './recording-body.js';
import { PostedResponseSchema, type RecordingBody, RecordingBodySchema } from './recordings.schema.js';

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
  readonly writer: Pick<RecordingWriter, 'post'>;
  readonly clock: Clock;
  readonly space: Pick<SpaceGuard, 'requireSpace'>;
}

/** `POST /videos` */
export function recordingRoutes(app: HubApp, { writer, clock, space }: RecordingDeps): void {
  // checkRecording validates row by row and stops after some errors, so that very invalid bodies are cheap.
  const validatorCompiler = () => () => true;
  app.post('/videos', { schema, bodyLimit, validatorCompiler }, async (request, reply) => {
    const details = checkRecording(request.body, clock.now());
    if (details.length) throw invalidRequest(details);
    space.requireSpace();
    // A disconnected client will post again, so a post that still waits for locks is dropped.
    return unlessDisconnected(reply, async (signal) => {
      const recording = toRecording(request.body as RecordingBody);
      const result = await writer.post(recording, request.id, { signal });
      reply.code(result.created ? 201 : 200);
      return { ...toPostedResponse(result), video_id: result.videoId };
    });
  });
}
