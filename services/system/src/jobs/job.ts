import type { WantedRule } from '@birdhub/domain/visits';
import type { Row } from '@birdhub/shared/db';
import type { ScanAnswer } from '../recordings-scan/recordings-scan.schema.js';
import type { JobStatus, ListedJob } from './jobs.schema.js';

/** Jobs that work on recordings one by one. */
const itemJobNames = ['spectrograms', 'tracks', 'media-repair'] as const;
/** Jobs that are a single task. */
const taskJobNames = ['scan', 'visits'] as const;

/** The kinds of jobs. */
export const jobNames = [...itemJobNames, ...taskJobNames] as const;

/** One of {@link jobNames}. */
export type JobName = (typeof jobNames)[number];

/** All but `running` are final. */
export const jobStates = ['running', 'done', 'error', 'cancelled'] as const;

/** Which recordings a job works on. */
export interface RecordingFilter {
  /** Whether existing results are made again. */
  readonly force: boolean;
  /** RFC 3339; recordings that start at this instant or later. */
  readonly from: string | null;
  /** RFC 3339; recordings that start before this instant. */
  readonly to: string | null;
  readonly videoIds: readonly number[] | null;
}

/** The parameters of a scan. */
export interface ScanParameters {
  /** Whether no caller waits for its result. */
  readonly background: boolean;
}

/** The parameters of a job, by its kind. */
export type JobParameters = RecordingFilter | ScanParameters | WantedRule;

/** An item that failed. */
export interface JobFailure {
  readonly video_id?: number;
  /** Of a file, inside the recordings tree. */
  readonly path?: string;
  readonly reason: string;
}

/** The result of a task besides its counts. */
export type JobResult = ScanAnswer | { readonly visits: number };

/** The progress of a job. */
export interface JobProgress {
  /** Items in all, as far as is known. */
  readonly total: number;
  readonly processed: number;
  readonly generated: number;
  readonly failed: number;
  readonly skipped: number;
  /** The first failures; later ones are only counted. */
  readonly failures: readonly JobFailure[];
}

/** A job as it stands in the database; `position` is the id of the last finished recording. */
export interface Job extends Omit<Row<'Job'>, 'kind' | 'state' | 'parameters' | 'failures' | 'result'> {
  readonly kind: JobName;
  readonly state: (typeof jobStates)[number];
  readonly parameters: JobParameters;
  readonly failures: readonly JobFailure[];
  readonly result: JobResult | null;
}

/** The result of one recording; `frames` is the number of boxes written. */
export type ItemResult =
  | { readonly outcome: 'generated'; readonly frames?: number }
  | { readonly outcome: 'skipped' }
  | { readonly outcome: 'failed'; readonly reason: string };

/** A job that works on each recording; an error fails that recording alone. */
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
  readonly signal: AbortSignal;
  /** Reports progress; may be called often. Throws when the job has to stop. */
  report(counts: JobProgress): Promise<void>;
}

/** A job that is a single task, safe to repeat from its start. */
export interface TaskJobKind {
  readonly name: (typeof taskJobNames)[number];
  perform(run: TaskRun): Promise<JobResult>;
}

/** One kind of job. */
export type JobKind = ItemJobKind | TaskJobKind;

function resultOf(job: Job): JobStatus['result'] {
  const { kind, generated, failed, skipped, framesUpdated, result } = job;
  const frames = kind === 'tracks' && { frames_updated: framesUpdated };
  return { generated, failed, skipped, ...frames, ...result };
}

/** Recordings posted while a job runs are part of it, so more may be processed than were counted at its start. */
function progressOf(job: Job) {
  const { processed, generated, failed, skipped, currentVideoId } = job;
  const total = Math.max(job.total, processed);
  return { processed, total, generated, failed, skipped, current_video_id: currentVideoId };
}

function parametersOf({ parameters }: Job): ListedJob['parameters'] {
  if ('gapMs' in parameters) return { gap_seconds: parameters.gapMs / 1000, timezone: parameters.timezone };
  if ('background' in parameters) return parameters;
  const { force, from, to, videoIds } = parameters;
  return { force, from, to, video_ids: videoIds && [...videoIds] };
}

const errorOf = ({ state, error }: Job) => (state === 'cancelled' ? 'The job was cancelled.' : error);
const at = (instant: Date | null) => instant?.toISOString() ?? null;

/** Returns the status of the newest job of a kind in the wire form; a cancelled job has status `error`. */
export function describeJob(job: Job | undefined): JobStatus {
  if (!job) {
    const nothing = { result: null, error: null, progress: null, started_at: null, finished_at: null };
    return { status: 'idle', ...nothing };
  }
  const { state } = job;
  const isRunning = state === 'running';
  return {
    status: state === 'cancelled' ? 'error' : state,
    result: isRunning ? null : resultOf(job),
    error: errorOf(job),
    progress: isRunning ? progressOf(job) : null,
    started_at: job.startedAt.toISOString(),
    finished_at: at(job.finishedAt),
  };
}

/** Returns the wire form of a job in a list. */
export function toListedJob(job: Job): ListedJob {
  const { id, kind, state, failures } = job;
  return {
    job_id: id,
    kind,
    state,
    parameters: parametersOf(job),
    progress: progressOf(job),
    result: state === 'running' ? null : resultOf(job),
    failures: failures.map(({ video_id = null, path = null, reason }) => ({ video_id, path, reason })),
    error: errorOf(job),
    started_at: job.startedAt.toISOString(),
    finished_at: at(job.finishedAt),
  };
}
