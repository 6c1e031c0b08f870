import { randomUUID } from 'node:crypto';
import type { ErrorDetail } from '@birdhub/shared/errors';
import { HubError } from '@birdhub/shared/errors';
import type { Logger } from 'pino';
import type { ActivityLogStore } from '../activity-log/activity-log.store.js';
import { toStorable } from '../plain-text.js';
import { checkPostedRecording, toRecording } from '../recordings/recording-body.js';
import type { RecordingBody } from '../recordings/recordings.schema.js';
import { type SightingBody, type SightingDeps, storeSighting } from '../sightings/sightings.js';
import type { IntakeState } from './intake-state.store.js';
import { type PostedMessage, type ReceivedMessage, RefusedError, readMessage } from './posted-message.js';

/** Dependencies for writing messages. */
export interface MessageWriterDeps extends SightingDeps {
  readonly activityLog: Pick<ActivityLogStore, 'write' | 'findMqttHeartbeat' | 'setOffline'>;
  readonly state: Pick<IntakeState, 'idOfDelivery'>;
  readonly log: Logger;
}

/** A message with the flags of its delivery. */
export interface DeliveredMessage extends ReceivedMessage {
  /** Whether it may be a redelivery. */
  readonly isRepeated: boolean;
}

/** The outcome of a message; `ignored` is neither stored nor an error. */
export type WriteOutcome = PostedMessage['kind'] | 'ignored';

/** Writes a message; can be retried after a failure and then uses the same ids. */
export type WriteMessage = (signal: AbortSignal) => Promise<WriteOutcome>;

/**
 * Returns a function that writes a message, to be retried until it succeeds. It throws RefusedError for invalid
 * messages.
 */
export function messageWriter(
  deps: MessageWriterDeps,
  postTopic: string,
  message: DeliveredMessage,
): WriteMessage {
  const requestId = `mqtt-${randomUUID()}`;
  let sightingId: string | undefined;

  async function writeSighting(body: SightingBody, signal: AbortSignal): Promise<void> {
    if (body.time == null && body.id == null)
      sightingId ??= await deps.state.idOfDelivery(message.topic, message.payload, message.isRepeated);
    const sighting = sightingId === undefined ? body : { ...body, id: sightingId };
    // The sender cannot post again when its picture cannot be fetched.
    const options = { requestId, signal, provider: 'mqtt', isPictureOptional: true };
    const { pictureProblem } = await storeSighting(deps, sighting, options).catch(refuseInvalid);
    if (pictureProblem !== undefined)
      deps.log.info(
        { topic: message.topic, problem: pictureProblem },
        'sighting by mqtt stored without its picture',
      );
  }

  return async (signal) => {
    const posted = readMessage(postTopic, message);
    if (posted.kind === 'heartbeat') return writeHeartbeat(deps, posted, message.isRetained, requestId);
    if (posted.kind === 'recording') await writeRecording(deps, posted.body, requestId, signal);
    else await writeSighting(posted.body as unknown as SightingBody, signal);
    return posted.kind;
  };
}

async function writeRecording(
  { pool, writer, space, clock }: MessageWriterDeps,
  body: unknown,
  requestId: string,
  signal: AbortSignal,
): Promise<void> {
  const details = await checkPostedRecording(pool, body, clock.now());
  if (details.length) throw refuseFields(details);
  space.requireSpace();
  await writer.post(toRecording(body as RecordingBody), requestId, { signal }).catch(refuseInvalid);
}

/** Writes a heartbeat, one row per camera. Retained ones are outdated and ignored. */
async function writeHeartbeat(
  { activityLog }: MessageWriterDeps,
  { camera, isOnline, data }: PostedMessage & { kind: 'heartbeat' },
  isRetained: boolean,
  requestId: string,
): Promise<WriteOutcome> {
  if (isRetained) return 'ignored';
  const id = await activityLog.findMqttHeartbeat(camera);
  if (!isOnline) {
    if (id !== undefined) await activityLog.setOffline(id, requestId);
    return 'heartbeat';
  }
  const shown = toStorable({ ...data, state: 'online', mqtt_camera: camera });
  await activityLog.write({
    type: 'heartbeat',
    data: JSON.stringify(shown),
    id,
    requestId,
    tokenName: undefined,
    isLimited: false,
  });
  return 'heartbeat';
}

/** Converts client errors to a refusal of the message. */
function refuseInvalid(error: unknown): never {
  if (!(error instanceof HubError) || error.status >= 500 || error.status === 429) throw error;
  throw refuseFields(error.details ?? [], error.message);
}

function refuseFields(details: readonly ErrorDetail[], message = 'is not valid'): RefusedError {
  const [first] = details;
  const error =
    details.length > 1 ? details.map((one) => `${one.path} ${one.message}`).join('; ') : undefined;
  return new RefusedError({
    reason: 'fields',
    field: first?.path ?? null,
    error: error ?? first?.message ?? message,
    details,
  });
}
