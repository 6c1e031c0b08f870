import { type ErrorDetail, refuse as refuseField } from '@birdhub/shared/errors';
import { isName } from '../plain-text.js';
import type { Refusal, RefusalReason } from './refused-messages.store.js';

/** A message, parsed from topic and payload. */
export type PostedMessage =
  | { readonly kind: 'recording' | 'sighting'; readonly body: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'heartbeat';
      readonly camera: string;
      readonly isOnline: boolean;
      readonly data: object;
    };

/** A received message. */
export interface ReceivedMessage {
  readonly topic: string;
  readonly payload: Buffer;
  /** Size in bytes before a message that is too large was cut off. */
  readonly fullBytes?: number;
  /** Whether it was retained. */
  readonly isRetained: boolean;
}

/** Thrown for an invalid message. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.error);
    this.refusal = refusal;
  }
}

const maxBytes = 15 * 1024 * 1024;
const maxCameraLength = 64;
const maxHeartbeatBytes = 65_536;
const statusLevel = 'status';

/** Returns the topics of posts. */
export const topicsBelow = (postTopic: string) => [`${postTopic}/+`, `${postTopic}/+/${statusLevel}`];

/**
 * Parses a message: on `<topic>/<camera>` a recording if it has a `video_path`, else a sighting; on
 * `<topic>/<camera>/status` a heartbeat. The camera defaults to that of the topic.
 * @throws RefusedError
 */
export function readMessage(postTopic: string, message: ReceivedMessage): PostedMessage {
  const { camera, isStatus } = readTopic(postTopic, message.topic);
  const { payload, fullBytes } = message;
  const bytes = fullBytes ?? payload.length;
  if (fullBytes !== undefined || bytes > (isStatus ? maxHeartbeatBytes : maxBytes))
    throw refuse('size', refuseField('', 'message_size', { limit: isStatus ? '64 KB' : '15 MB', bytes }));
  const text = payload.toString();
  return isStatus ? readHeartbeat(camera, text) : readPost(camera, text, message.isRetained);
}

function readTopic(postTopic: string, topic: string): { camera: string; isStatus: boolean } {
  const levels = topic.startsWith(`${postTopic}/`) ? topic.slice(postTopic.length + 1).split('/') : [];
  const [camera = '', status, ...more] = levels;
  const isKnown = more.length === 0 && (status === undefined || status === statusLevel);
  if (!isKnown || levels.length === 0)
    throw refuse('topic', refuseField('', 'message_topic', { topic: postTopic }));
  if (!isName(camera) || /[+#]/.test(camera) || camera.length > maxCameraLength)
    throw refuse('topic', refuseField('', 'message_camera', { limit: maxCameraLength }));
  return { camera, isStatus: status === statusLevel };
}

function readPost(camera: string, text: string, isRetained: boolean): PostedMessage {
  const body = parse(text);
  if (!isObject(body)) throw refuse('json', refuseField('', 'message_object'));
  const { camera_id = null } = body;
  if (camera_id !== null && camera_id !== camera)
    throw refuse('camera', refuseField('/camera_id', 'message_other_camera', { camera }));
  const isRecording = 'video_path' in body;
  const isDated = isRecording || body['time'] != null || body['id'] != null;
  if (isRetained && !isDated) throw refuse('retained', refuseField('/time', 'message_undated'));
  return { kind: isRecording ? 'recording' : 'sighting', body: { ...body, camera_id: camera } };
}

/** Accepts `online` and `offline`, as text or as the `state` or `status` of an object, and the body of the heartbeat route. */
function readHeartbeat(camera: string, text: string): PostedMessage {
  const plain = text.trim().toLowerCase();
  if (plain === 'online' || plain === 'offline')
    return { kind: 'heartbeat', camera, isOnline: plain === 'online', data: {} };
  const body = parse(text);
  if (!isObject(body)) throw refuse('json', refuseField('', 'message_status'));
  const { data = body } = body;
  if (!isObject(data))
    throw refuse('fields', { path: '/data', message: 'must be object', code: 'wrong_type' });
  const state = data['state'] ?? data['status'];
  return { kind: 'heartbeat', camera, isOnline: state !== 'offline', data };
}

function parse(text: string): unknown {
  try {
    // As for HTTP, keys that would change prototypes are removed.
    return JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value));
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : '';
    throw refuse('json', refuseField('', 'message_json', { reason }));
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refuse = (reason: RefusalReason, detail: ErrorDetail) =>
  new RefusedError({ reason, field: detail.path || null, error: detail.message, details: [detail] });
