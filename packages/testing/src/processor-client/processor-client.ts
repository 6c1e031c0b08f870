import { createHeartbeat, type Heartbeat } from './heartbeat.js';
import type {
  ActiveSpeciesResponse,
  ActivityBody,
  ActivityResponse,
  DetectionNotice,
  MessageResponse,
  RecordingBody,
  RecordingResponse,
} from './processor-wire.js';
import { type Sending, sendWithRetries } from './send-with-retries.js';

/** Options of {@link createProcessorClient}. */
export interface ProcessorClientOptions {
  /** Address of the hub with its base path, such as `http://localhost:8080` or `https://home.example/birds`. */
  baseUrl: string;
  /** The hub's `PROCESSOR_SECRET`, if it is set. */
  token?: string;
  /** Maximum retries after a 5xx response or a network error. Default 3. */
  retries?: number;
  /** Timeout of an attempt. Default 30 s. */
  timeoutMs?: number | undefined;
  fetch?: typeof fetch;
  /** Aborts requests in flight. */
  signal?: AbortSignal;
  /** The start of this processor. Default now. */
  startedAt?: Date;
}

/** The API of the hub for detection processors. All calls are idempotent and are retried after a 5xx response. */
export interface ProcessorClient {
  postRecording(body: RecordingBody): Promise<RecordingResponse>;
  /** Replaces the hub's set of active species by these names; an empty list changes nothing. */
  putActiveSpecies(names: readonly string[]): Promise<ActiveSpeciesResponse>;
  notifyDetection(notice: DetectionNotice): Promise<MessageResponse>;
  notifyMotion(): Promise<MessageResponse>;
  postActivity(body: ActivityBody): Promise<ActivityResponse>;
  /** Sends a heartbeat, which updates the row of this processor; returns the new commands. */
  heartbeat: Heartbeat;
}

/** Creates a client; it sends nothing before its first call. */
export function createProcessorClient(options: ProcessorClientOptions): ProcessorClient {
  const root = `${options.baseUrl.replace(/\/+$/, '')}/api/processor`;
  const sending: Sending = {
    fetch: options.fetch ?? fetch,
    retries: options.retries ?? 3,
    timeoutMs: options.timeoutMs,
    headers: options.token === undefined ? {} : { 'x-processor-token': options.token },
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
  const send = async <Answer>(method: 'POST' | 'PUT', path: string, body: unknown): Promise<Answer> =>
    (await sendWithRetries(sending, method, `${root}${path}`, body)) as Answer;
  const postActivity = (body: ActivityBody) => send<ActivityResponse>('POST', '/activity_log', body);

  return {
    postRecording: (body) => send('POST', '/videos', body),
    putActiveSpecies: (names) => send('PUT', '/species/active', names),
    notifyDetection: (notice) => send('POST', '/notify/detections', notice),
    notifyMotion: () => send('POST', '/notify/motion', {}),
    postActivity,
    heartbeat: createHeartbeat(postActivity, options.startedAt ?? new Date()),
  };
}
