import type { PostedDetection } from '@birdhub/domain/recordings';
import type { ErrorDetail } from '@birdhub/shared/errors';
import type { Clock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import { type Sentence, toEnglish } from './sentences.js';

/** The programs that birds are read from. */
export const sourceKindNames = ['frigate', 'birdnet-go', 'birdnet-pi', 'ya-wamf', 'whosatmyfeeder'] as const;

export type SourceKindName = (typeof sourceKindNames)[number];

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The settings of one source; each kind reads those that concern it. */
export interface SourceOptions {
  readonly mqttUrl?: string | undefined;
  readonly mqttTopicPrefix?: string | undefined;
  /** Camera or microphone upstream, to its name here. */
  readonly cameras: Readonly<Record<string, string>>;
  /** What upstream calls the objects that are taken, such as `bird`. */
  readonly labels?: readonly string[] | undefined;
  /** 0 to 1. */
  readonly minConfidence?: number | undefined;
  /** IANA zone of local times upstream; the hub's when none was chosen. */
  readonly timezone: string;
  /** Whether corrected names are written back. */
  readonly writeBack: boolean;
}

/** A source as its kind works with it. */
export interface SourceConfig {
  /** 0 while a form is tested. */
  readonly id: number;
  readonly name: string;
  /** Without a slash at its end. */
  readonly url: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** A file or folder on this machine. */
  readonly path: string | undefined;
  readonly options: SourceOptions;
}

/** One kind of source: a folder beside this file. */
export interface SourceKind {
  readonly name: SourceKindName;
  /** Returns what is wrong with the fields of a form; paths such as `/url` and `/options/timezone`. */
  check(config: SourceConfig): readonly ErrorDetail[];
  /** Whether corrected names can be written back: {@link Upstream.writeName}. */
  readonly canWriteBack: boolean;
  /** For how many days each event is read again once a day, as people upstream verify them later. 0 for none. */
  readonly rereadDays: number;
  open(config: SourceConfig, deps: UpstreamDeps): Upstream;
}

/** What a kind works with. */
export interface UpstreamDeps {
  /** The only way to the network: private addresses are allowed, those of the hub's own services are not. */
  readonly http: SourceHttp;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether the directory of species or `detection.species_mapping` knows a name. */
  readonly isKnownSpecies?: (name: string) => Promise<boolean>;
  /** The program that makes films of pictures. */
  readonly ffmpegPath?: string;
}

/** Requests to the address of a source: deadlines, sizes and redirects are limited; credentials are in no error. */
export interface SourceHttp {
  /** @throws UpstreamError */
  request(path: string, options?: SourceRequest): Promise<SourceResponse>;
  /** Writes a body into a file. @throws UpstreamError */
  download(path: string, file: string, options: DownloadRequest): Promise<SourceDownload>;
  /** Server-sent events, until the signal aborts or upstream ends it. @throws UpstreamError */
  events(
    path: string,
    options: SourceRequest,
  ): AsyncIterable<{ readonly event: string; readonly data: string }>;
}

/** A request below the address of the source. */
export interface SourceRequest {
  readonly method?: 'GET' | 'POST';
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: Json | undefined;
  /** `manual` returns a redirect as it is; otherwise it is followed on the same host. */
  readonly redirect?: 'follow' | 'manual';
  readonly signal?: AbortSignal | undefined;
}

/** A request for a file. */
export interface DownloadRequest extends SourceRequest {
  readonly maxBytes: number;
}

/** A response of at most 16 MB; every status but those that are redirects. */
export interface SourceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** The response to a request for a file; the file is there when the status is 200. */
export interface SourceDownload extends Omit<SourceResponse, 'text'> {
  readonly sizeBytes: number;
}

/** What is wrong with the connection to a source, for the person who runs it. The message has neither credential nor query. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly stage: TestStageName;
  readonly said: readonly Sentence[];

  constructor(stage: TestStageName, said: Sentence | readonly Sentence[], options?: ErrorOptions) {
    super(toEnglish(said), options);
    this.stage = stage;
    this.said = [said].flat();
  }
}

/** What is tested of a connection, in this order. */
export const testStageNames = ['address', 'login', 'version', 'permission', 'birds', 'clip'] as const;

export type TestStageName = (typeof testStageNames)[number];

/** The outcome of one stage, and what is said of it to people. */
export interface TestStage {
  readonly stage: TestStageName;
  readonly ok: boolean;
  readonly said: readonly Sentence[];
}

/** An open connection to a source. Nothing is kept in it that a restart may not lose. */
export interface Upstream {
  /** Tests the connection stage by stage, and ends with the first that fails. Never throws {@link UpstreamError}. */
  test(signal: AbortSignal): AsyncIterable<TestStage | { readonly sample: readonly UpstreamEvent[] }>;
  /**
   * Reads a page of events, the oldest first; the same again returns the same or more. A page may be empty and not the last, when
   * its cursor has moved. @throws UpstreamError
   */
  read(request: ReadRequest, signal: AbortSignal): Promise<UpstreamPage>;
  /** Reads one event again; undefined when upstream has it no more. @throws UpstreamError */
  readAgain(event: KnownEvent, signal: AbortSignal): Promise<UpstreamEvent | undefined>;
  /** Downloads what was recorded into a file that does not exist yet. @throws UpstreamError when it has to be tried again later */
  fetch(event: KnownEvent, file: string, signal: AbortSignal): Promise<FetchOutcome>;
  /** Calls `notify` when upstream has something new, until it rejects or the signal aborts. The caller repeats it. */
  listen?(notify: () => void, signal: AbortSignal): Promise<void>;
  /** Gives an event another name upstream; of several birds that of one track. @throws UpstreamError */
  writeName?(event: KnownEvent, name: string, signal: AbortSignal, trackId?: string): Promise<void>;
  close(): Promise<void>;
}

/** What is read: live reading has no `until`, an import has. Instants in ms since the epoch. */
export interface ReadRequest {
  /** As the last page gave it; undefined at the beginning. Belongs to the kind. */
  readonly cursor: Json | undefined;
  readonly since: number;
  readonly until?: number | undefined;
  /** Most events of a page. */
  readonly limit: number;
}

/** Events upstream, and where the next page begins. */
export interface UpstreamPage {
  readonly events: readonly UpstreamEvent[];
  /** What was left out, for the person who wonders where a bird is. */
  readonly dropped: readonly DroppedEvent[];
  /** Never goes back; is stored together with the events of the page. */
  readonly cursor: Json;
  /** Whether there is nothing more for now. */
  readonly isLast: boolean;
}

/** An event that was not taken. */
export interface DroppedEvent {
  readonly upstreamId: string;
  /** When it happened, in ms; undefined when that cannot be told. */
  readonly at: number | undefined;
  readonly reason: Sentence;
}

/** What happened upstream, in the form of a recording. Instants in ms since the epoch. */
export interface UpstreamEvent {
  /** The same for the same event forever; with the source it is the key of the recording. At most 512 characters. */
  readonly upstreamId: string;
  readonly start: number;
  readonly end: number;
  /** It still goes on: it is read again until it has ended, and not stored before. */
  readonly isOpen: boolean;
  /** The camera or microphone upstream. */
  readonly camera: string;
  /** Name and version of the program, such as `frigate 0.17.2`. */
  readonly processorVersion: string;
  readonly detections: readonly PostedDetection[];
  /** Tracks of it that upstream names but does not have: never seen as birds, or deleted since. */
  readonly absentTracks?: readonly string[] | undefined;
  /** The recorded file; undefined when upstream says that there never was one. */
  readonly media: UpstreamMedia | undefined;
  /** Kept with the recording: `extra`. */
  readonly extra: { readonly [key: string]: Json };
  /** How long after its end it is read again, as names come late: 10_000, 60_000. */
  readonly rereadAfterMs: readonly number[];
}

/** What is fetched for an event. */
export interface UpstreamMedia {
  /** With its dot, one of the recordings that the hub takes. */
  readonly extension: string;
  /** What `fetch` needs to find it; belongs to the kind. */
  readonly reference: Json;
}

/** A stored event, as later steps know it. */
export interface KnownEvent {
  readonly upstreamId: string;
  readonly start: number;
  readonly end: number;
  readonly reference: Json;
}

/**
 * `later` is tried again, at the earliest after `retryAfterMs`; `never` is a recording without a file. The recording gets the
 * length of its file, which begins where the event does or has its middle at `middle`, unless it keeps the times of the event.
 */
export type FetchOutcome =
  | {
      readonly outcome: 'ready';
      readonly middle?: number | undefined;
      readonly keepsTimes?: boolean | undefined;
    }
  | { readonly outcome: 'later'; readonly reason: Sentence; readonly retryAfterMs?: number | undefined }
  | { readonly outcome: 'never'; readonly reason: Sentence };
