import type { Row } from '@birdhub/shared/db';
import { type Sentence, shownSentences } from '@birdhub/shared/errors';
import type { RequestedRule } from '../visits/rebuild.js';
import { type JobFailure, type JobProblem, jobProblem, problemInEnglish } from './job-problems.js';

/** Jobs that work on recordings one by one. */
const itemJobNames = ['spectrograms', 'tracks', 'media-repair'] as const;
/** Jobs that are a single task. */
const taskJobNames = ['scan', 'visits', 'import'] as const;

/** The kinds of jobs. */
export const jobNames = [...itemJobNames, ...taskJobNames] as const;

/** One of {@link jobNames}. */
export type JobName = (typeof jobNames)[number];

/** Jobs that can be paused and later resumed from their position. */
export const pausableJobNames: readonly JobName[] = [...itemJobNames, 'import'];

/** All but `running` and `paused` are final. */
export const jobStates = ['running', 'paused', 'done', 'error', 'cancelled'] as const;

/** Which recordings a job works on. */
export interface RecordingFilter {
  /** Whether existing results are recreated. */
  readonly force: boolean;
  /** RFC 3339, inclusive; compared with the start of recordings. */
  readonly from: string | null;
  /** RFC 3339, exclusive; compared with the start of recordings. */
  readonly to: string | null;
  readonly videoIds: readonly number[] | null;
}

/** The parameters of a scan. */
export interface ScanParameters {
  /** Whether no caller waits for its result. */
  readonly background: boolean;
  /** Whether recordings are set to missing even if almost no file is there. */
  readonly confirm?: boolean;
}

/** The parameters of an import of history. */
export interface ImportParameters {
  readonly sourceId: number;
  /** RFC 3339. */
  readonly since: string;
  /** RFC 3339. */
  readonly until: string;
  readonly media: 'all' | 'none';
}

/** The parameters of a job, by its kind. */
export type JobParameters = RecordingFilter | ScanParameters | RequestedRule | ImportParameters;

/** The result of a scan. */
export interface ScanResult {
  readonly message: string;
  readonly imported: number;
  readonly already_known: number;
  readonly missing_files: number;
  readonly unreadable: number;
}

/** The result of an import. */
export interface ImportResult {
  /** Recordings that were created or changed. */
  readonly imported: number;
  /** Recordings that were already stored. */
  readonly already_known: number;
  /** Why the others were skipped, the most frequent reason first. */
  readonly reasons: readonly {
    readonly reason: string;
    readonly sentences: readonly Sentence[];
    readonly count: number;
  }[];
}

/** The result of a task in addition to its counts. */
export type JobResult = ScanResult | ImportResult | { readonly visits: number };

/** A JSON object that describes the position of a task. */
export interface Checkpoint {
  readonly [key: string]: unknown;
}

/** The progress of a job. */
export interface JobProgress {
  /** Total number of items, as far as known. */
  readonly total: number;
  readonly processed: number;
  readonly generated: number;
  readonly failed: number;
  readonly skipped: number;
  /** The first failures; later ones are only counted. */
  readonly failures: readonly JobFailure[];
}

/** A stored job; `position` is the id of the last finished recording. */
export interface Job
  extends Omit<Row<'Job'>, 'kind' | 'state' | 'parameters' | 'failures' | 'result' | 'checkpoint'> {
  readonly kind: JobName;
  readonly state: (typeof jobStates)[number];
  readonly parameters: JobParameters;
  readonly failures: readonly JobFailure[];
  readonly result: JobResult | null;
  readonly checkpoint: Checkpoint | null;
}

/** The result of one recording; `frames` is the number of boxes written. */
export type ItemResult =
  | { readonly outcome: 'generated'; readonly frames?: number }
  | { readonly outcome: 'skipped' }
  | { readonly outcome: 'failed'; readonly reason: JobProblem };

/** A job that processes recordings one by one; an error fails only the recording. */
export interface ItemJobKind {
  readonly name: (typeof itemJobNames)[number];
  work(
    videoId: number,
    options: { readonly force: boolean; readonly signal: AbortSignal },
  ): Promise<ItemResult>;
}

/** A running task. */
export interface TaskRun {
  readonly parameters: JobParameters;
  readonly startedAt: Date;
  /** Whether an earlier run was interrupted. */
  readonly isResumed: boolean;
  /** The last report of a job that reports checkpoints; otherwise the initial progress. */
  readonly progress: JobProgress;
  readonly checkpoint: Checkpoint | undefined;
  /** The result that was reported with the checkpoint. */
  readonly result: JobResult | undefined;
  readonly signal: AbortSignal;
  /**
   * Reports progress; may be called often. A checkpoint is stored with the counts and the result so far, and a resumed
   * task continues from it. Throws when the job has to stop.
   */
  report(
    counts: JobProgress,
    reached?: { readonly checkpoint: Checkpoint; readonly result: JobResult },
  ): Promise<void>;
}

/** Fails the whole job. The reason is shown to users. */
export class JobFailedError extends Error {
  override readonly name = 'JobFailedError';
  /** The message for translation. */
  readonly sentences: readonly Sentence[];

  constructor(message: string, sentences: readonly Sentence[], options: { cause?: unknown } = {}) {
    super(message, options);
    this.sentences = sentences;
  }
}

/** A job that is a single task, which can be repeated from its start or its last checkpoint. */
export interface TaskJobKind {
  readonly name: (typeof taskJobNames)[number];
  perform(run: TaskRun): Promise<JobResult>;
}

/** One kind of job. */
export type JobKind = ItemJobKind | TaskJobKind;

/** What the result of a failed job has in addition. */
interface FailedResult {
  readonly failure: readonly Sentence[];
}

/** Returns why a job failed; empty for a job that did not fail. */
export function failureOf({ result }: Pick<Job, 'result'>): readonly Sentence[] {
  return (result as Partial<FailedResult> | null)?.failure ?? [];
}

const cancelled = jobProblem('cancelled');

function resultOf(job: Job) {
  const { kind, state, generated, failed, skipped, framesUpdated, result } = job;
  const frames = kind === 'tracks' && { frames_updated: framesUpdated };
  const own: Partial<ScanResult & ImportResult & FailedResult & { visits: number }> = { ...result };
  const { reasons, failure: stored, ...rest } = own;
  const failure = state === 'cancelled' ? [cancelled] : stored;
  return {
    ...{ generated, failed, skipped, ...frames, ...rest },
    ...(reasons && { reasons: reasons.map((one) => ({ ...one, sentences: shownSentences(one.sentences) })) }),
    ...(failure && { failure: shownSentences(failure) }),
  };
}

/**
 * Recordings posted while a job is running are processed too, so `processed` may exceed the total counted at the start.
 */
function progressOf(job: Job) {
  const { processed, generated, failed, skipped, currentVideoId } = job;
  const total = Math.max(job.total, processed);
  return { processed, total, generated, failed, skipped, current_video_id: currentVideoId };
}

function parametersOf({ parameters }: Job) {
  if ('gapMs' in parameters) return { gap_seconds: parameters.gapMs / 1000, timezone: parameters.timezone };
  if ('background' in parameters) return parameters;
  if ('sourceId' in parameters) {
    const { sourceId, since, until, media } = parameters;
    return { source_id: sourceId, since, until, media };
  }
  const { force, from, to, videoIds } = parameters;
  return { force, from, to, video_ids: videoIds && [...videoIds] };
}

const isUnfinished = (state: Job['state']) => state === 'running' || state === 'paused';
const errorOf = ({ state, error }: Job) => (state === 'cancelled' ? problemInEnglish(cancelled) : error);
const toIsoString = (instant: Date | null) => instant?.toISOString() ?? null;

/** Returns the status of the newest job of a kind in the wire form; a cancelled job has status `error`. */
export function describeJob(job: Job | undefined) {
  if (!job) {
    const nothing = { result: null, error: null, progress: null, started_at: null, finished_at: null };
    return { status: 'idle' as const, ...nothing };
  }
  const { state } = job;
  const isRunning = isUnfinished(state);
  return {
    status: state === 'cancelled' ? ('error' as const) : state,
    result: isRunning ? null : resultOf(job),
    error: errorOf(job),
    progress: isRunning ? progressOf(job) : null,
    started_at: job.startedAt.toISOString(),
    finished_at: toIsoString(job.finishedAt),
  };
}

/** Returns the wire form of a job in a list. */
export function toListedJob(job: Job) {
  const { id, kind, state, failures, result } = job;
  return {
    job_id: id,
    kind,
    state,
    parameters: parametersOf(job),
    progress: progressOf(job),
    result: isUnfinished(state) && !result ? null : resultOf(job),
    failures: failures.map(({ video_id = null, path = null, reason, sentences }) => ({
      video_id,
      path,
      reason,
      sentences: shownSentences(sentences),
    })),
    error: errorOf(job),
    started_at: job.startedAt.toISOString(),
    finished_at: toIsoString(job.finishedAt),
  };
}
