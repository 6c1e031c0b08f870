import { jobNames, jobStates } from '@birdhub/domain/jobs';
import { literals } from '@birdhub/shared/config';
import { sentencesSchema } from '@birdhub/shared/errors';
import { type Static, type TSchema, Type } from 'typebox';
import { ScanResponseSchema } from '../recordings-scan/recordings-scan.schema.js';

const maxVideoIds = 10_000;

const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const count = (description: string) => Type.Integer({ minimum: 0, description });
const videoId = () => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const day = (description: string) => Type.Optional(Type.String({ description }));
const instant = (description: string) => Type.String({ format: 'date-time', description });

const BodySchema = Type.Object(
  {
    force: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether to regenerate existing results' }),
    ),
    start_date: day('First day, `YYYY-MM-DD` in the time zone of the hub'),
    end_date: day('Last day (inclusive)'),
    video_ids: Type.Optional(
      Type.Array(videoId(), {
        maxItems: maxVideoIds,
        description: 'Ids of the recordings to process; by default all',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Which recordings a job processes; by default all of them. */
export const JobBodySchema = Type.Unsafe<JobBody | null>({ ...BodySchema, type: ['object', 'null'] });

/** The body when there is one. */
export type JobBody = Static<typeof BodySchema>;

/** The response to the start of a job. */
export const JobStartedSchema = Type.Object(
  {
    message: Type.String({ description: 'Human-readable result' }),
    started: Type.Boolean({ description: 'Whether the job was started' }),
    job_id: Type.Integer({ description: 'Id of the job' }),
  },
  { $id: 'JobStarted' },
);

const outcomes = {
  generated: count(
    'Recordings with a result: for scans and imports, the recordings stored. For visit rebuilds, the ' +
      'number of visits',
  ),
  failed: count('Number of failures'),
  skipped: count('Skipped recordings: for scans, the known ones; for imports, also what was left out'),
};

const ProgressSchema = Type.Object(
  {
    processed: count('Processed recordings; for scans, also files; for visit rebuilds, detections'),
    total: count('Total number, as far as known'),
    ...outcomes,
    current_video_id: orNull(Type.Integer(), 'Id of the recording being processed'),
  },
  { $id: 'JobProgress' },
);

const ResultSchema = Type.Object(
  {
    ...outcomes,
    frames_updated: Type.Optional(count('Number of boxes written')),
    visits: Type.Optional(count('Number of visits')),
    reasons: Type.Optional(
      Type.Array(
        Type.Object({
          reason: Type.String({ description: 'Human-readable reason' }),
          sentences: sentencesSchema('The same reason as a list of sentences, for translation'),
          count: count('Number of recordings'),
        }),
        { description: 'Reasons why an import left out recordings, most frequent first' },
      ),
    ),
    failure: Type.Optional(
      sentencesSchema(
        'Why the job failed, as a list of sentences for translation; `error` is the English text',
      ),
    ),
    ...Type.Partial(ScanResponseSchema).properties,
    imported: Type.Optional(count('Number of new recordings stored by a scan or an import')),
    already_known: Type.Optional(
      count(
        'For scans, the number of files that belong to recordings, including deleted ones; for imports, the ' +
          'number of recordings that were already stored, even with different content',
      ),
    ),
  },
  { $id: 'JobResult' },
);

const ends = {
  error: orNull(Type.String(), 'Reason for the failure; null when there is none'),
  started_at: instant('When the job started'),
  finished_at: orNull(Type.String({ format: 'date-time' }), 'When the job ended; null while it has not'),
};

/** State of the newest job of a kind. */
export const JobStatusSchema = Type.Object(
  {
    status: literals(['idle', 'running', 'paused', 'done', 'error'], {
      description: '`idle` when no job of this kind has been started yet',
    }),
    result: orNull(ResultSchema, 'Result of the finished job'),
    progress: orNull(ProgressSchema, 'Progress of the running job'),
    ...ends,
    started_at: orNull(ends.started_at, 'When the job started'),
  },
  { $id: 'JobStatus' },
);

const FailureSchema = Type.Object({
  video_id: orNull(Type.Integer(), 'Id of the recording'),
  path: orNull(Type.String(), 'Path of the file, relative to the recordings folder'),
  reason: Type.String({ description: 'Reason for the failure' }),
  sentences: sentencesSchema('The same reason as a list of sentences, for translation'),
});

const ListedJobSchema = Type.Object(
  {
    job_id: Type.Integer({ description: 'Id of the job' }),
    kind: literals(jobNames, { description: 'Kind of the job' }),
    state: literals(jobStates, { description: 'State of the job' }),
    parameters: Type.Partial(
      Type.Object({
        force: Type.Boolean({ description: 'Whether to regenerate existing results' }),
        from: orNull(Type.String({ format: 'date-time' }), 'Start of the range (inclusive)'),
        to: orNull(Type.String({ format: 'date-time' }), 'End of the range (exclusive)'),
        video_ids: orNull(Type.Array(Type.Integer()), 'Ids of the recordings to process; by default all'),
        background: Type.Boolean({ description: 'Whether the scan runs in the background' }),
        confirm: Type.Boolean({ description: 'Whether a scan may mark all recordings as missing' }),
        gap_seconds: Type.Number({ description: 'Maximum gap between detections of a visit, in seconds' }),
        timezone: Type.String({ description: 'Time zone of the days of visits' }),
        source_id: Type.Integer({ description: 'Id of the source of an import' }),
        since: Type.String({ format: 'date-time', description: 'Start of the range of an import' }),
        until: Type.String({ format: 'date-time', description: 'End of the range of an import' }),
        media: literals(['all', 'none'], { description: 'Whether an import fetches media files' }),
      }),
      { description: 'Parameters of the job' },
    ),
    progress: ProgressSchema,
    result: orNull(ResultSchema, 'Result of the finished job; for imports, also the result so far'),
    failures: Type.Array(FailureSchema, {
      description: 'The first hundred failures',
    }),
    ...ends,
  },
  { $id: 'Job' },
);

/** Jobs, the newest first. */
export const JobListSchema = Type.Object({
  jobs: Type.Array(ListedJobSchema, { description: 'Jobs, newest first' }),
});

/** The parameters of a list of jobs. */
export const JobListQuerySchema = Type.Object({
  limit: Type.Integer({ default: 20, minimum: 1, maximum: 100, description: 'Maximum number of jobs' }),
  kind: Type.Optional(literals(jobNames, { description: 'Only jobs of this kind' })),
});

/** The path parameters of a route about one job. */
export const JobParamsSchema = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Id of the job' }),
});
