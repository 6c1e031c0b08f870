import { describeJob, failureOf, findLatest, type Job, type Jobs } from '@birdhub/domain/jobs';
import { access, type HubApp } from '@birdhub/shared/app';
import type { PrismaClient } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import { JobStartedSchema, JobStatusSchema } from '../jobs/jobs.schema.js';
import { replyWithKeepAlive } from '../keep-alive-reply.js';
import { ScanBodySchema, ScanResponseSchema, type ScanResult } from './recordings-scan.schema.js';

const tags = ['storage'];

const schema = {
  operationId: 'scanRecordings',
  summary: 'Reconcile recordings with files',
  description:
    'Imports files that have no recording. The time is taken from the names of the folders and the file ' +
    '(in the time zone of the hub), else from the container, else from the file system; the duration is ' +
    'taken from the container. Files that are still being written are skipped. Recordings whose file does ' +
    'not exist are set to `missing`; recordings whose file is back are set to `ready`, unless it could not ' +
    'be decoded. No file is imported twice. If almost none of the known files is there, the disk is probably ' +
    'not mounted: without `confirm` nothing is changed then, and the response is 409 `confirm_required`, or ' +
    'the job fails with `recordings_absent`. Responds when it has finished, or immediately with ' +
    '`background`. Returns 409 `job_running` with the `status` of the scan while one is running.',
  tags,
  security: access.admin,
  body: ScanBodySchema,
  response: { 200: ScanResponseSchema, 202: JobStartedSchema },
};

const statusSchema = {
  operationId: 'getScanStatus',
  summary: 'Get the status of the recordings scan',
  tags,
  security: access.open,
  response: { 200: JobStatusSchema },
};

/** Dependencies of these routes. */
export interface ScanRoutesDeps {
  readonly jobs: Pick<Jobs, 'start' | 'waitUntilFinished'>;
  readonly prisma: PrismaClient;
}

/** `POST /system/recordings/scan`, `GET /system/recordings/scan/status` */
export function recordingsScanRoutes(app: HubApp, { jobs, prisma }: ScanRoutesDeps): void {
  const url = '/api/ui/system/recordings/scan';
  const closing = new AbortController();
  // A scan is resumed at the next start; waiting requests must not delay the shutdown.
  app.addHook('preClose', async () => closing.abort(new HubError('starting')));

  app.post(url, { schema }, async ({ body }, reply) => {
    const { background = false, confirm = false } = body ?? {};
    const { id } = await jobs.start('scan', { background, ...(confirm && { confirm }) });
    if (background)
      return reply.code(202).send({ message: 'The scan was started.', started: true, job_id: id });
    return replyWithKeepAlive(reply, jobs.waitUntilFinished(id, closing.signal).then(resultOf));
  });

  app.get(`${url}/status`, { schema: statusSchema }, async () =>
    describeJob(await findLatest(prisma, 'scan')),
  );
}

/** @throws HubError job_cancelled, confirm_required, internal */
function resultOf(job: Job): ScanResult {
  const { state, result, error } = job;
  if (state === 'cancelled') throw new HubError('job_cancelled');
  if (failureOf(job).some(({ code }) => code === 'recordings_absent'))
    throw new HubError('confirm_required', {
      message: error ?? '',
      details: [{ path: '/confirm', message: 'must be true if the files were deleted' }],
    });
  if (state !== 'done' || !result || !('missing_files' in result)) throw new HubError('internal');
  return result;
}
