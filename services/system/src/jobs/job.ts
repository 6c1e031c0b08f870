/** What a job can be about. */
export const jobNames = ['spectrograms', 'tracks'] as const;

/** One of {@link jobNames}. */
export type JobName = (typeof jobNames)[number];

/** How a job stands; all but `running` are final. */
export const jobStates = ['running', 'done', 'error', 'cancelled'] as const;

/** Which recordings a job is about. */
export interface JobParameters {
  /** Whether what is there already is made anew. */
  readonly force: boolean;
  /** RFC 3339; recordings that start at this instant or later. */
  readonly from: string | null;
  /** RFC 3339; recordings that start before this instant. */
  readonly to: string | null;
  readonly videoIds: readonly number[] | null;
}

/** A recording that a job could do nothing with. */
export interface JobFailure {
  readonly video_id: number;
  readonly reason: string;
}

/** A job as it stands in the database. */
export interface Job {
  readonly id: number;
  readonly kind: JobName;
  readonly state: (typeof jobStates)[number];
  readonly parameters: JobParameters;
  /** Recordings that it was about when it began. */
  readonly total: number;
  readonly generated: number;
  readonly failed: number;
  readonly skipped: number;
  readonly framesUpdated: number;
  /** The last recording, by id, that is done with. */
  readonly position: number;
  readonly currentVideoId: number | null;
  /** The first of them. */
  readonly failures: readonly JobFailure[];
  readonly error: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

/** What became of one recording; `frames` are boxes that were written. */
export type ItemResult =
  | { readonly outcome: 'generated'; readonly frames?: number }
  | { readonly outcome: 'skipped' }
  | { readonly outcome: 'failed'; readonly reason: string };

/** What a job does with each recording; what it throws counts as a failure of that recording. */
export interface JobKind {
  readonly name: JobName;
  work(
    videoId: number,
    options: { readonly force: boolean; readonly signal: AbortSignal },
  ): Promise<ItemResult>;
}
