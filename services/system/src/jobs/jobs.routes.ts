import {
  describeJob,
  findLatest,
  type JobName,
  type Jobs,
  listJobs,
  type RecordingFilter,
  toListedJob,
} from '@birdhub/domain/jobs';
import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import type { PrismaClient } from '@birdhub/shared/db';
import { invalidField } from '@birdhub/shared/errors';
import { dayWindow, isDay } from '@birdhub/shared/time';
import {
  type JobBody,
  JobBodySchema,
  JobListQuerySchema,
  JobListSchema,
  JobParamsSchema,
  JobStartedSchema,
  JobStatusSchema,
} from './jobs.schema.js';

/** Dependencies of these routes. */
export interface JobRoutesDeps {
  readonly jobs: Jobs;
  readonly prisma: PrismaClient;
  readonly settings: Pick<SettingsReader, 'current'>;
}

const tags = ['system'];

interface JobRoute {
  readonly kind: JobName;
  readonly startId: string;
  readonly statusId: string;
  readonly url: string;
  /** Summary of the operation that starts it. */
  readonly title: string;
}

function jobKindRoutes(app: HubApp, { jobs, prisma, settings }: JobRoutesDeps, route: JobRoute): void {
  const { kind, startId, statusId, url, title } = route;
  const startSchema = {
    operationId: startId,
    summary: `${title} in the background`,
    description: 'Returns 409 `job_running` with the `status` of the job while one is running.',
    tags,
    security: access.admin,
    body: JobBodySchema,
    response: { 202: JobStartedSchema },
  };
  app.post(url, { schema: startSchema }, async ({ body }, reply) => {
    const { timezone } = (await settings.current()).general;
    const job = await jobs.start(kind, toRecordingFilter(body, timezone));
    return reply.code(202).send({ message: 'The job was started.', started: true, job_id: job.id });
  });

  const statusSchema = {
    operationId: statusId,
    summary: `Get the status of the job: ${title.toLowerCase()}`,
    tags,
    security: access.open,
    response: { 200: JobStatusSchema },
  };
  app.get(`${url}/status`, { schema: statusSchema }, async () => describeJob(await findLatest(prisma, kind)));
}

const listSchema = {
  operationId: 'listJobs',
  summary: 'List background jobs',
  description: 'Running and finished jobs, newest first.',
  tags,
  security: access.open,
  querystring: JobListQuerySchema,
  response: { 200: JobListSchema },
};

const cancelSchema = {
  operationId: 'cancelJob',
  summary: 'Cancel a background job',
  description: 'Has no effect on a finished job.',
  tags,
  security: access.admin,
  params: JobParamsSchema,
  response: { 200: JobListSchema.properties.jobs.items },
};

const pauseSchema = {
  ...cancelSchema,
  operationId: 'pauseJob',
  summary: 'Pause a background job',
  description: 'A resumed job continues where it was paused. Has no effect on a finished job.',
};

const resumeSchema = {
  ...cancelSchema,
  operationId: 'resumeJob',
  summary: 'Resume a paused background job',
  description:
    'Has no effect on a finished job. Returns 409 `job_running` while another job of the same kind is ' +
    'running.',
};

/**
 * `POST /system/regenerate-spectrograms`, `POST /system/regenerate-tracks`, `POST /system/repair-media`, their
 * `/status`, `GET /system/jobs`, `POST /system/jobs/:id/cancel`, `pause` and `resume`
 */
export function jobsRoutes(app: HubApp, deps: JobRoutesDeps): void {
  jobKindRoutes(app, deps, {
    kind: 'spectrograms',
    startId: 'regenerateSpectrograms',
    statusId: 'getSpectrogramsStatus',
    url: '/api/ui/system/regenerate-spectrograms',
    title: 'Regenerate spectrograms',
  });
  jobKindRoutes(app, deps, {
    kind: 'tracks',
    startId: 'regenerateTracks',
    statusId: 'getTracksStatus',
    url: '/api/ui/system/regenerate-tracks',
    title: 'Regenerate detection boxes',
  });
  jobKindRoutes(app, deps, {
    kind: 'media-repair',
    startId: 'repairMedia',
    statusId: 'getMediaRepairStatus',
    url: '/api/ui/system/repair-media',
    title: 'Repair media files',
  });

  app.get('/api/ui/system/jobs', { schema: listSchema }, async ({ query }) => ({
    jobs: (await listJobs(deps.prisma, query.limit, query.kind)).map(toListedJob),
  }));

  app.post('/api/ui/system/jobs/:id/cancel', { schema: cancelSchema }, async ({ params }) =>
    toListedJob(await deps.jobs.cancel(params.id)),
  );
  app.post('/api/ui/system/jobs/:id/pause', { schema: pauseSchema }, async ({ params }) =>
    toListedJob(await deps.jobs.pause(params.id)),
  );
  app.post('/api/ui/system/jobs/:id/resume', { schema: resumeSchema }, async ({ params }) =>
    toListedJob(await deps.jobs.resume(params.id)),
  );
}

function windowOf(path: string, day: string | undefined, zone: string) {
  if (day === undefined) return undefined;
  if (!isDay(day)) throw invalidField(path, 'must be YYYY-MM-DD');
  return dayWindow(zone, day);
}

const toIso = (instant: number | undefined) =>
  instant === undefined ? null : new Date(instant).toISOString();

/** Returns the filter of a request, with local days converted to instants. @throws HubError invalid_request */
export function toRecordingFilter(body: JobBody | null | undefined, zone: string): RecordingFilter {
  const { force = false, start_date, end_date, video_ids } = body ?? {};
  const first = windowOf('/start_date', start_date, zone);
  const last = windowOf('/end_date', end_date, zone);
  if (first && last && first.start > last.start)
    throw invalidField('/end_date', 'must not be before start_date');
  return { force, from: toIso(first?.start), to: toIso(last?.end), videoIds: video_ids ?? null };
}
