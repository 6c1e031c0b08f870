import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import type { PrismaClient } from '@birdhub/shared/db';
import { describeJob, listJob } from './describe-job.js';
import type { JobName } from './job.js';
import type { Jobs } from './job-runner.js';
import {
  JobBodySchema,
  JobListQuerySchema,
  JobListSchema,
  JobParamsSchema,
  JobStartedSchema,
  JobStatusSchema,
} from './jobs.schema.js';
import { findLatest, listJobs } from './jobs.store.js';
import { readJobBody } from './read-job-body.js';

/** What the routes of jobs work with. */
export interface JobRoutesParts {
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
  /** What it does, in the words of the summary. */
  readonly does: string;
}

function oneKindRoutes(app: HubApp, { jobs, prisma, settings }: JobRoutesParts, route: JobRoute): void {
  const { kind, startId, statusId, url, does } = route;
  const startSchema = {
    operationId: startId,
    summary: `${does} in the background`,
    description: 'Answers 409 `job_running` with the `status` of the job while one is running.',
    tags,
    security: access.admin,
    body: JobBodySchema,
    response: { 202: JobStartedSchema },
  };
  app.post(url, { schema: startSchema }, async ({ body }, reply) => {
    const { timezone } = (await settings.current()).general;
    const job = await jobs.start(kind, readJobBody(body, timezone));
    return reply.code(202).send({ message: 'The job was started.', started: true, job_id: job.id });
  });

  const statusSchema = {
    operationId: statusId,
    summary: `Get the status of the job: ${does.toLowerCase()}`,
    tags,
    security: access.open,
    response: { 200: JobStatusSchema },
  };
  app.get(`${url}/status`, { schema: statusSchema }, async () => describeJob(await findLatest(prisma, kind)));
}

const listSchema = {
  operationId: 'listJobs',
  summary: 'List background jobs',
  description: 'Those that run and those that ran, newest first.',
  tags,
  security: access.open,
  querystring: JobListQuerySchema,
  response: { 200: JobListSchema },
};

const cancelSchema = {
  operationId: 'cancelJob',
  summary: 'Cancel a background job',
  description: 'One that has ended stays as it is.',
  tags,
  security: access.admin,
  params: JobParamsSchema,
  response: { 200: JobListSchema.properties.jobs.items },
};

/**
 * `POST /system/regenerate-spectrograms`, `POST /system/regenerate-tracks`, `POST /system/repair-media`, their
 * `/status`, `GET /system/jobs`, `POST /system/jobs/:id/cancel`
 */
export function jobsRoutes(app: HubApp, parts: JobRoutesParts): void {
  oneKindRoutes(app, parts, {
    kind: 'spectrograms',
    startId: 'regenerateSpectrograms',
    statusId: 'getSpectrogramsStatus',
    url: '/api/ui/system/regenerate-spectrograms',
    does: 'Regenerate spectrograms',
  });
  oneKindRoutes(app, parts, {
    kind: 'tracks',
    startId: 'regenerateTracks',
    statusId: 'getTracksStatus',
    url: '/api/ui/system/regenerate-tracks',
    does: 'Regenerate detection boxes',
  });
  oneKindRoutes(app, parts, {
    kind: 'media-repair',
    startId: 'repairMedia',
    statusId: 'getMediaRepairStatus',
    url: '/api/ui/system/repair-media',
    does: 'Repair media files',
  });

  app.get('/api/ui/system/jobs', { schema: listSchema }, async ({ query }) => ({
    jobs: (await listJobs(parts.prisma, query.limit)).map(listJob),
  }));

  app.post('/api/ui/system/jobs/:id/cancel', { schema: cancelSchema }, async ({ params }) =>
    listJob(await parts.jobs.cancel(params.id)),
  );
}
