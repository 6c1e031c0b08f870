import { literals } from '@birdhub/shared/config';
import { type Static, type TSchema, Type } from 'typebox';
import { jobNames, jobStates } from './job.js';

const mostVideoIds = 10_000;

const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const count = (description: string) => Type.Integer({ minimum: 0, description });
const videoId = () => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const day = (description: string) => Type.Optional(Type.String({ description }));
const instant = (description: string) => Type.String({ format: 'date-time', description });

const BodySchema = Type.Object(
  {
    force: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether what is there already is made anew' }),
    ),
    start_date: day("First day, `YYYY-MM-DD` in the hub's zone"),
    end_date: day('Last day'),
    video_ids: Type.Optional(
      Type.Array(videoId(), { maxItems: mostVideoIds, description: 'These recordings alone' }),
    ),
  },
  { additionalProperties: false },
);

/** Which recordings a job is to be about; nothing is all of them. */
export const JobBodySchema = Type.Unsafe<JobBody | null>({ ...BodySchema, type: ['object', 'null'] });

/** The body when there is one. */
export type JobBody = Static<typeof BodySchema>;

/** What the start of a job answers. */
export const JobStartedSchema = Type.Object(
  { message: Type.String(), started: Type.Boolean(), job_id: Type.Integer() },
  { $id: 'JobStarted' },
);

const outcomes = {
  generated: count('Recordings that something was made for'),
  failed: count('Recordings that nothing could be made for'),
  skipped: count('Recordings that needed nothing'),
};

const ProgressSchema = Type.Object(
  {
    processed: count('Recordings that are done with'),
    total: count('Recordings that it is about'),
    ...outcomes,
    current_video_id: orNull(Type.Integer(), 'The recording in hand'),
  },
  { $id: 'JobProgress' },
);

const ends = {
  error: orNull(Type.String(), 'Why it ended before its end'),
  started_at: instant('When it began'),
  finished_at: orNull(Type.String({ format: 'date-time' }), 'When it ended'),
};

/** How the newest job of a kind does. */
export const JobStatusSchema = Type.Object(
  {
    status: literals(['idle', 'running', 'done', 'error'], {
      description: '`idle` when there never was one',
    }),
    result: orNull(
      Type.Object({ ...outcomes, frames_updated: Type.Optional(count('Boxes that were written')) }),
      'What became of it, once it has ended',
    ),
    progress: orNull(ProgressSchema, 'How far it is, while it runs'),
    ...ends,
    started_at: orNull(ends.started_at, 'When it began'),
  },
  { $id: 'JobStatus' },
);

/** The shape of {@link JobStatusSchema}. */
export type JobStatus = Static<typeof JobStatusSchema>;

const ListedJobSchema = Type.Object(
  {
    job_id: Type.Integer(),
    kind: literals(jobNames),
    state: literals(jobStates),
    parameters: Type.Object({
      force: Type.Boolean(),
      from: orNull(Type.String({ format: 'date-time' }), 'Recordings from this instant on'),
      to: orNull(Type.String({ format: 'date-time' }), 'Recordings before this instant'),
      video_ids: orNull(Type.Array(Type.Integer()), 'These recordings alone'),
    }),
    progress: ProgressSchema,
    failures: Type.Array(Type.Object({ video_id: Type.Integer(), reason: Type.String() }), {
      description: 'The first hundred recordings that nothing could be made for',
    }),
    ...ends,
  },
  { $id: 'Job' },
);

/** One job of {@link JobListSchema}. */
export type ListedJob = Static<typeof ListedJobSchema>;

/** Jobs, the newest first. */
export const JobListSchema = Type.Object({ jobs: Type.Array(ListedJobSchema) });

/** The parameters of a list of jobs. */
export const JobListQuerySchema = Type.Object({
  limit: Type.Integer({ default: 20, minimum: 1, maximum: 100, description: 'Most jobs to list' }),
});

/** The path parameters of a route about one job. */
export const JobParamsSchema = Type.Object({ id: videoId() });
