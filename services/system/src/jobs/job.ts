import type { WantedRule } from '@birdhub/domain/visits';
import type { Row } from '@birdhub/shared/db';
import type { ScanAnswer } from '../recordings-scan/recordings-scan.schema.js';

/** Jobs that go from recording to recording. */
const itemJobNames = ['spectrograms', 'tracks', 'media-repair'] as const;
/** Jobs that are one piece of work. */
const wholeJobNames = ['scan', 'visits'] as const;

/** What a job can be about. */
export const jobNames = [...itemJobNames, ...wholeJobNames] as const;

/** One of {@link jobNames}. */
export type JobName = (typeof jobNames)[number];

/** How a job stands; all but `running` are final. */
export const jobStates = ['running', 'done', 'error', 'cancelled'] as const;

/** Which recordings a job is about. */
export interface RecordingChoice {
  /** Whether what is there already is made anew. */
  readonly force: boolean;
  /** RFC 3339; recordings that start at this instant or later. */
  readonly from: string | null;
  /** RFC 3339; recordings that start before this instant. */
  readonly to: string | null;
  readonly videoIds: readonly number[] | null;
}

/** How a scan was asked for. */
export interface ScanChoice {
  /** Whether nobody waits for its answer. */
  readonly background: boolean;
}

/** What a job was asked for, by its kind. */
export type JobParameters = RecordingChoice | ScanChoice | WantedRule;

/** Something that a job could do nothing with. */
export interface JobFailure {
  readonly video_id?: number;
  /** Of a file, inside the recordings tree. */
  readonly path?: string;
  readonly reason: string;
}

/** What came of a whole job besides its counts. */
export type JobResult = ScanAnswer | { readonly visits: number };

/** How far a job is. */
export interface JobCounts {
  /** Items that it is about, as far as is known. */
  readonly total: number;
  readonly processed: number;
  readonly generated: number;
  readonly failed: number;
  readonly skipped: number;
  /** The first of them. */
  readonly failures: readonly JobFailure[];
}

/** A job as it stands in the database; `position` is the last recording, by id, that is done with. */
export interface Job extends Omit<Row<'Job'>, 'kind' | 'state' | 'parameters' | 'failures' | 'result'> {
  readonly kind: JobName;
  readonly state: (typeof jobStates)[number];
  readonly parameters: JobParameters;
  readonly failures: readonly JobFailure[];
  readonly result: JobResult | null;
}

/** What became of one recording; `frames` are boxes that were written. */
export type ItemResult =
  | { readonly outcome: 'generated'; readonly frames?: number }
  | { readonly outcome: 'skipped' }
  | { readonly outcome: 'failed'; readonly reason: string };

/** What a job does with each recording; what it throws counts as a failure of that recording. */
export interface ItemJobKind {
  readonly name: (typeof itemJobNames)[number];
  work(
    videoId: number,
    options: { readonly force: boolean; readonly signal: AbortSignal },
  ): Promise<ItemResult>;
}

/** A whole job that is being done. */
export interface WholeRun {
  readonly parameters: JobParameters;
  readonly startedAt: Date;
  /** Whether somebody worked on it before and was cut short. */
  readonly isResumed: boolean;
  readonly signal: AbortSignal;
  /** Says how far it is, as often as is convenient. Throws when it is not to go on. */
  report(counts: JobCounts): Promise<void>;
}

/** A job that is one piece of work, safe to begin again from its start. */
export interface WholeJobKind {
  readonly name: (typeof wholeJobNames)[number];
  perform(run: WholeRun): Promise<JobResult>;
}

/** One kind of job. */
export type JobKind = ItemJobKind | WholeJobKind;
