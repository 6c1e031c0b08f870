import { jobNames, jobStates } from '@birdhub/domain/jobs';
import { literals } from '@birdhub/shared/config';
import { type Static, type TSchema, Type } from 'typebox';
import { ScanResponseSchema } from '../recordings-scan/recordings-scan.schema.js';

const maxVideoIds = 10_000;

const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const count = (description: string) => Type.Integer({ minimum: 0, description });
const videoId = () => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const day = (description: string) => Type.Optional(Type.String({ description }));
const instant = (description: string) => Type.String({ format: 'date-time', description });

const sentences = (description: string) =>
  Type.Array(
    Type.Object({
      code: Type.String({ description: 'Which sentence it is, such as `low_confidence`' }),
      values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
        description: 'Its values by name; an instant is RFC 3339',
      }),
    }),
    { description },
  );

const BodySchema = Type.Object(
  {
    force: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether existing ones are made again' }),
    ),
    start_date: day("First day, `YYYY-MM-DD` in the hub's zone"),
    end_date: day('Last day'),
    video_ids: Type.Optional(
      Type.Array(videoId(), { maxItems: maxVideoIds, description: 'Only these recordings' }),
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
    message: Type.String({ description: 'What was done, for a person' }),
    started: Type.Boolean({ description: 'Whether the job was started' }),
    job_id: Type.Integer({ description: 'Id of the job' }),
  },
  { $id: 'JobStarted' },
);

const outcomes = {
  generated: count('Recordings with a result; of a scan and of an import the stored ones, else visits'),
  failed: count('Failed ones'),
  skipped: count('Skipped recordings; of a scan the known ones, of an import also what was left out'),
};

const ProgressSchema = Type.Object(
  {
    processed: count('Processed recordings; of a scan files as well, of visits their detections'),
    total: count('Total, as far as it is known'),
    ...outcomes,
    current_video_id: orNull(Type.Integer(), 'The recording in hand'),
  },
  { $id: 'JobProgress' },
);

const ResultSchema = Type.Object(
  {
    ...outcomes,
    frames_updated: Type.Optional(count('Boxes that were written')),
    visits: Type.Optional(count('Visits that there are')),
    taken: Type.Optional(count('Recordings that an import stored for the first time')),
    known: Type.Optional(count('Recordings of an import that were stored before, even with other content')),
    reasons: Type.Optional(
      Type.Array(
        Type.Object({
          reason: Type.String({ description: 'Why they were left out, for a person' }),
          sentences: sentences('The same for translation'),
          count: count('How many'),
        }),
        { description: 'What an import did not take, the most frequent reasons first' },
      ),
    ),
    failure: Type.Optional(sentences('Why an import failed, for translation; `error` says it in English')),
    ...Type.Partial(ScanResponseSchema).properties,
  },
  { $id: 'JobResult' },
);

const ends = {
  error: orNull(Type.String(), 'Why it failed'),
  started_at: instant('When it started'),
  finished_at: orNull(Type.String({ format: 'date-time' }), 'When it ended'),
};

/** State of the newest job of a kind. */
export const JobStatusSchema = Type.Object(
  {
    status: literals(['idle', 'running', 'paused', 'done', 'error'], {
      description: '`idle` when there never was one',
    }),
    result: orNull(ResultSchema, 'Its result, once it has finished'),
    progress: orNull(ProgressSchema, 'How far it is, while it runs'),
    ...ends,
    started_at: orNull(ends.started_at, 'When it started'),
  },
  { $id: 'JobStatus' },
);

const FailureSchema = Type.Object({
  video_id: orNull(Type.Integer(), 'The recording'),
  path: orNull(Type.String(), 'The file, inside the recordings tree'),
  reason: Type.String({ description: 'What went wrong with it' }),
});

const ListedJobSchema = Type.Object(
  {
    job_id: Type.Integer({ description: 'Id of the job' }),
    kind: literals(jobNames, { description: 'What it does' }),
    state: literals(jobStates, { description: 'How far it is' }),
    parameters: Type.Partial(
      Type.Object({
        force: Type.Boolean({ description: 'Whether existing ones are made again' }),
        from: orNull(Type.String({ format: 'date-time' }), 'Recordings from this instant on'),
        to: orNull(Type.String({ format: 'date-time' }), 'Recordings before this instant'),
        video_ids: orNull(Type.Array(Type.Integer()), 'Only these recordings'),
        background: Type.Boolean({ description: 'Whether the scan runs in the background' }),
        gap_seconds: Type.Number({ description: 'The longest silence within a visit' }),
        timezone: Type.String({ description: 'Zone of the days of visits' }),
        source_id: Type.Integer({ description: 'The source that an import reads' }),
        since: Type.String({ format: 'date-time', description: 'From when on an import reads' }),
        until: Type.String({ format: 'date-time', description: 'Up to when an import reads' }),
        media: literals(['all', 'none'], { description: 'Whether an import fetches files' }),
      }),
      { description: 'What it was started with' },
    ),
    progress: ProgressSchema,
    result: orNull(ResultSchema, 'Its result, once it has finished; of an import also what it has so far'),
    failures: Type.Array(FailureSchema, {
      description: 'The first hundred failures',
    }),
    ...ends,
  },
  { $id: 'Job' },
);

/** Jobs, the newest first. */
export const JobListSchema = Type.Object({
  jobs: Type.Array(ListedJobSchema, { description: 'Newest first' }),
});

/** The parameters of a list of jobs. */
export const JobListQuerySchema = Type.Object({
  limit: Type.Integer({ default: 20, minimum: 1, maximum: 100, description: 'Maximum number of jobs' }),
  kind: Type.Optional(literals(jobNames, { description: 'Jobs of this kind alone' })),
});

/** The path parameters of a route about one job. */
export const JobParamsSchema = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Id of the job' }),
});
