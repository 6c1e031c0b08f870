import type { PostedDetection } from '@birdhub/domain/recordings';
import type { ErrorDetail } from '@birdhub/shared/errors';
import type { ServiceGuard } from '@birdhub/shared/outgoing';
import type { Clock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import { type Sentence, toEnglish } from './sentences.js';

/** The supported programs. */
export const sourceKindNames = ['frigate', 'birdnet-go', 'birdnet-pi', 'ya-wamf', 'whosatmyfeeder'] as const;

export type SourceKindName = (typeof sourceKindNames)[number];

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The options of a source; each kind uses those that apply. */
export interface SourceOptions {
  readonly mqttUrl?: string | undefined;
  readonly mqttTopicPrefix?: string | undefined;
  /** Names of cameras and microphones, by their names upstream. */
  readonly cameras: Readonly<Record<string, string>>;
  /** Labels of accepted objects upstream, such as `bird`. */
  readonly labels?: readonly string[] | undefined;
  /** 0 to 1. */
  readonly minConfidence?: number | undefined;
  /** IANA zone of local times upstream; default: that of the hub. */
  readonly timezone: string;
  /** Whether corrected names are written back. */
  readonly writeBack: boolean;
}

/** The configuration of a source for its kind. */
export interface SourceConfig {
  /** 0 for the test of a form. */
  readonly id: number;
  readonly name: string;
  /** Without a trailing slash. */
  readonly url: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** A file or folder on this machine. */
  readonly path: string | undefined;
  readonly options: SourceOptions;
}

/** A kind of source, implemented in its own folder. */
export interface SourceKind {
  readonly name: SourceKindName;
  /** Returns the errors of a form; paths such as `/url` and `/options/timezone`. */
  check(config: SourceConfig): readonly ErrorDetail[];
  /** Whether corrected names can be written back: {@link Upstream.writeName}. */
  readonly canWriteBack: boolean;
  /** Whether each event is one bird, also when its name or its times change. */
  readonly hasOneBirdPerEvent: boolean;
  /** Number of days for which each event is read again daily, as users verify events upstream. 0 to disable. */
  readonly rereadDays: number;
  open(config: SourceConfig, deps: UpstreamDeps): Upstream;
}

/** Dependencies of a connection to a source. */
export interface UpstreamDeps {
  /** The only access to the network besides MQTT brokers: private addresses are allowed, those of the hub's own services are not. */
  readonly http: SourceHttp;
  /** Checks the address of an MQTT broker in the same way. */
  readonly guard: Pick<ServiceGuard, 'admit'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether a name is in the species directory or in `detection.species_mapping`. */
  readonly isKnownSpecies?: (name: string) => Promise<boolean>;
  /** Path of ffmpeg, which converts pictures to videos. */
  readonly ffmpegPath?: string;
}

/** HTTP client of a source, with limits on time, size and redirects; errors do not contain credentials. */
export interface SourceHttp {
  /** @throws UpstreamError */
  request(path: string, options?: SourceRequest): Promise<SourceResponse>;
  /** Downloads a body to a file. @throws UpstreamError */
  download(path: string, file: string, options: DownloadRequest): Promise<SourceDownload>;
  /** Yields server-sent events until the signal aborts or upstream ends the stream. @throws UpstreamError */
  events(
    path: string,
    options: SourceRequest,
  ): AsyncIterable<{ readonly event: string; readonly data: string }>;
}

/** A request relative to the address of the source. */
export interface SourceRequest {
  readonly method?: 'GET' | 'POST';
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: Json | undefined;
  /** `manual` returns redirects; by default they are followed on the same host. */
  readonly redirect?: 'follow' | 'manual';
  readonly signal?: AbortSignal | undefined;
}

/** A request for a file. */
export interface DownloadRequest extends SourceRequest {
  readonly maxBytes: number;
}

/** A response of at most 16 MB, with any status except followed redirects. */
export interface SourceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** The response to a download; the file exists when the status is 200. */
export interface SourceDownload extends Omit<SourceResponse, 'text'> {
  readonly sizeBytes: number;
}

/** An error of the connection to a source, shown to the user. The message contains neither credentials nor queries. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly stage: TestStageName;
  readonly sentences: readonly Sentence[];

  constructor(stage: TestStageName, sentences: Sentence | readonly Sentence[], options?: ErrorOptions) {
    super(toEnglish(sentences), options);
    this.stage = stage;
    this.sentences = [sentences].flat();
  }
}

/** The stages of a connection test, in order. */
export const testStageNames = ['address', 'login', 'version', 'permission', 'birds', 'clip'] as const;

export type TestStageName = (typeof testStageNames)[number];

/** The outcome of a stage, with messages for people. */
export interface TestStage {
  readonly stage: TestStageName;
  readonly ok: boolean;
  readonly sentences: readonly Sentence[];
}

/** An open connection to a source. It holds no state that must survive a restart. */
export interface Upstream {
  /** Tests the connection stage by stage until one fails. Never throws {@link UpstreamError}. */
  test(signal: AbortSignal): AsyncIterable<TestStage | { readonly sample: readonly UpstreamEvent[] }>;
  /**
   * Reads a page of events, oldest first; repeating the request returns at least the same events. A page may be empty
   * without being the last, if its cursor has moved.
   * @throws UpstreamError
   */
  read(request: ReadRequest, signal: AbortSignal): Promise<UpstreamPage>;
  /** Reads an event again; undefined when upstream no longer has it. @throws UpstreamError */
  readAgain(event: KnownEvent, signal: AbortSignal): Promise<Mapped | undefined>;
  /**
   * Downloads the recorded file to a path that does not exist yet. @throws UpstreamError when it has to be retried
   * later
   */
  fetch(event: KnownEvent, file: string, signal: AbortSignal): Promise<FetchOutcome>;
  /** Calls `notify` when upstream has news, until it rejects or the signal aborts. The caller restarts it. */
  listen?(notify: () => void, signal: AbortSignal): Promise<void>;
  /** Renames an event upstream, or one track of an event with several birds. @throws UpstreamError */
  writeName?(event: KnownEvent, name: string, signal: AbortSignal, trackId?: string): Promise<void>;
  close(): Promise<void>;
}

/** The range to read; `until` is only set for imports. Instants in ms since the epoch. */
export interface ReadRequest {
  /** The cursor of the last page; undefined at the beginning. Opaque outside the kind. */
  readonly cursor: Json | undefined;
  readonly since: number;
  readonly until?: number | undefined;
  /** Maximum events of a page. */
  readonly limit: number;
}

/** A page of events. */
export interface UpstreamPage {
  readonly events: readonly UpstreamEvent[];
  /** Skipped events, shown to users who look for a missing bird. */
  readonly dropped: readonly DroppedEvent[];
  /** Start of the next page; never moves back, and is stored together with the events. */
  readonly cursor: Json;
  /** Whether there are no more events for now. */
  readonly isLast: boolean;
}

/** A skipped event. */
export interface DroppedEvent {
  readonly upstreamId: string;
  /** Its time in ms; undefined when unknown. */
  readonly at: number | undefined;
  readonly reason: Sentence;
  /** See {@link UpstreamEvent.rereadAfterMs}; for events that are stored already. Default: not read again. */
  readonly rereadAfterMs?: readonly number[];
}

/** The mapping of an upstream row or item. */
export type Mapped = { readonly event: UpstreamEvent } | { readonly dropped: DroppedEvent };

/** An upstream event in the form of a recording. Instants in ms since the epoch. */
export interface UpstreamEvent {
  /** Permanent id, at most 512 characters; with the source it is the key of the recording. */
  readonly upstreamId: string;
  readonly start: number;
  readonly end: number;
  /** Whether it is in progress; it is read again until it has ended, and only then stored. */
  readonly isOpen: boolean;
  /**
   * Whether a stored event, of the same time or an hour earlier or later, is this one under the id that it had before a
   * change upstream. Only for events whose id may have changed.
   */
  readonly isSame?: ((stored: KnownEvent) => boolean) | undefined;
  /** The camera or microphone upstream. */
  readonly camera: string;
  /** Name and version of the program, such as `frigate 0.17.2`. */
  readonly processorVersion: string;
  readonly detections: readonly PostedDetection[];
  /**
   * Tracks whose stored birds stay: those that the event refers to but upstream does not return (not birds, or deleted
   * since), and those below the minimum confidence.
   */
  readonly absentTracks?: readonly string[] | undefined;
  /** The recorded file; undefined when the event never had one. */
  readonly media: UpstreamMedia | undefined;
  /** Whether upstream keeps it for ever; a new recording then becomes a favourite. */
  readonly isFavorite?: boolean | undefined;
  /** Stored as `extra` of the recording. */
  readonly extra: { readonly [key: string]: Json };
  /** Delays after its end at which it is read again, as names may arrive late: 10_000, 60_000. */
  readonly rereadAfterMs: readonly number[];
}

/** The file of an event. */
export interface UpstreamMedia {
  /** An accepted extension of recordings, including the dot. */
  readonly extension: string;
  /** Location of the file for `fetch`; opaque outside the kind. */
  readonly reference: Json;
}

/** A stored event, for later steps. */
export interface KnownEvent {
  readonly upstreamId: string;
  readonly start: number;
  readonly end: number;
  readonly reference: Json;
}

/**
 * The outcome of a download: `later` is retried, not before `retryAfterMs`; `never` means a recording without a file.
 * The recording gets the length of its file, which begins with the event or is centred on `middle`, unless the times of
 * the event are kept.
 */
export type FetchOutcome =
  | {
      readonly outcome: 'ready';
      readonly middle?: number | undefined;
      readonly keepsTimes?: boolean | undefined;
    }
  | { readonly outcome: 'later'; readonly reason: Sentence; readonly retryAfterMs?: number | undefined }
  | { readonly outcome: 'never'; readonly reason: Sentence };
