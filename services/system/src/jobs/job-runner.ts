import { HubError } from '@birdhub/shared/errors';
import { describeJob } from './describe-job.js';
import type { Job, JobKind, JobName, JobParameters } from './job.js';
import { addJob, findJob, findLatest, requestCancel } from './jobs.store.js';
import { openRunner } from './open-runner.js';
import type { RunParts } from './run-job.js';

/** Long work, one job of a kind at a time over all processes. */
export interface Jobs {
  /** @throws HubError job_running */
  start(kind: JobName, parameters: JobParameters): Promise<Job>;
  /** Has a job end with what it has in hand. @throws HubError job_not_found */
  cancel(jobId: number): Promise<Job>;
  /** A job once it has ended, wherever it runs. Throws what the signal is aborted with. */
  ended(jobId: number, signal: AbortSignal): Promise<Job>;
  /** Leaves what runs for the next start. */
  close(): Promise<void>;
}

/** What jobs are run with. */
export interface JobParts extends RunParts {
  readonly kinds: readonly JobKind[];
  /** Pause between two looks at whether a job has no runner. */
  readonly lookMs?: number;
}

/** Pause between two looks at whether a job that runs in another process has ended. */
const askMs = 300;

/** Goes on with the jobs that were running, here or elsewhere, when their process ended. */
export function openJobs(parts: JobParts): Jobs {
  const { prisma, kinds, log, metrics, lookMs = 5_000 } = parts;
  const runners = new Map(kinds.map((kind) => [kind.name as JobName, openRunner(kind, parts, lookMs)]));

  async function refuse(kind: JobName): Promise<never> {
    throw new HubError('job_running', { beside: { status: describeJob(await findLatest(prisma, kind)) } });
  }

  return {
    async start(kind, parameters) {
      const job = await addJob(parts, kind, parameters);
      if (!job) return refuse(kind);
      metrics.started(kind);
      log.info({ job_id: job.id, kind, total: job.total }, 'job started');
      runners.get(kind)?.wake();
      return job;
    },
    async cancel(jobId) {
      const job = await requestCancel(prisma, jobId);
      if (!job) throw new HubError('job_not_found');
      if (job.state === 'running') runners.get(job.kind)?.cut();
      return job;
    },
    async ended(jobId, signal) {
      for (;;) {
        signal.throwIfAborted();
        const job = await findJob(prisma, jobId);
        if (!job) throw new HubError('job_not_found');
        if (job.state !== 'running') return job;
        await runners.get(job.kind)?.rest(askMs);
      }
    },
    async close() {
      await Promise.all([...runners.values()].map((runner) => runner.close()));
    },
  };
}
