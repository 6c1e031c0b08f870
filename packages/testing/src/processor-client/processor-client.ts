import { createHeartbeat, type Heartbeat } from './heartbeat.js';
import type {
  ActiveSpeciesAnswer,
  ActivityAnswer,
  ActivityBody,
  DetectionNotice,
  MessageAnswer,
  RecordingAnswer,
  RecordingBody,
} from './processor-wire.js';
import { type Sending, sendWithRetries } from './send-with-retries.js';

/** How to reach the hub. */
export type ProcessorClientOptions = {
  /** Address of the hub with its base path, such as `http://localhost:8080` or `https://home.example/birds`. */
  baseUrl: string;
  /** The hub's `PROCESSOR_SECRET`, when it has one. */
  token?: string;
  /** How often a 5xx or a network error is tried again; 3. */
  retries?: number;
  fetch?: typeof fetch;
  /** Aborts requests in flight. */
  signal?: AbortSignal;
  /** When this processor started; now. */
  startedAt?: Date;
};

/** The hub as a detection processor sees it. Every call is safe to repeat, and repeats itself on 5xx. */
export type ProcessorClient = {
  postRecording(body: RecordingBody): Promise<RecordingAnswer>;
  /** Replaces the hub's set of active species by these names; an empty list changes nothing. */
  putActiveSpecies(names: readonly string[]): Promise<ActiveSpeciesAnswer>;
  notifyDetection(notice: DetectionNotice): Promise<MessageAnswer>;
  notifyMotion(): Promise<MessageAnswer>;
  postActivity(body: ActivityBody): Promise<ActivityAnswer>;
  /** Sends a heartbeat, which updates the one row of this processor; returns the commands that are new to it. */
  heartbeat: Heartbeat;
};

/** Creates a client, which sends nothing before its first call. */
export function createProcessorClient(options: ProcessorClientOptions): ProcessorClient {
  const root = `${options.baseUrl.replace(/\/+$/, '')}/api/processor`;
  const sending: Sending = {
    fetch: options.fetch ?? fetch,
    retries: options.retries ?? 3,
    headers: options.token === undefined ? {} : { 'x-processor-token': options.token },
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
  const send = async <Answer>(method: 'POST' | 'PUT', path: string, body: unknown): Promise<Answer> =>
    (await sendWithRetries(sending, method, `${root}${path}`, body)) as Answer;
  const postActivity = (body: ActivityBody) => send<ActivityAnswer>('POST', '/activity_log', body);

  return {
    postRecording: (body) => send('POST', '/videos', body),
    putActiveSpecies: (names) => send('PUT', '/species/active', names),
    notifyDetection: (notice) => send('POST', '/notify/detections', notice),
    notifyMotion: () => send('POST', '/notify/motion', {}),
    postActivity,
    heartbeat: createHeartbeat(postActivity, options.startedAt ?? new Date()),
  };
}
