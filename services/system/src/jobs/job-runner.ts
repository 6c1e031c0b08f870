import { setTimeout as pause } from 'node:timers/promises';
import { createLoop } from '@birdhub/shared/async';
import { lockPrefixes, withAdvisoryLock } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import { describeJob } from './describe-job.js';
import type { Job, JobKind, JobName, JobParameters } from './job.js';
import { addJob, findJob, findLatest, findRunning, requestCancel } from './jobs.store.js';
import { type JobRunDeps, runJob } from './run-job.js';

/** Background jobs; at most one of a kind runs at a time over all processes. */
export interface Jobs {
  /** @throws HubError job_running */
  start(kind: JobName, parameters: JobParameters): Promise<Job>;
  /** Ends a job, with the item in hand. @throws HubError job_not_found */
  cancel(jobId: number): Promise<Job>;
  /** Resolves to the job once it has ended, in whichever process. Rejects with the signal's reason. */
  waitUntilFinished(jobId: number, signal: AbortSignal): Promise<Job>;
  /** Leaves running jobs to be resumed by the next process. */
  close(): Promise<void>;
}

/** What jobs are run with. */
export interface JobDeps extends JobRunDeps {
  readonly kinds: readonly JobKind[];
  /** How often it is checked whether a job has no running process. */
  readonly pollIntervalMs?: number;
}

/** How often it is checked whether a job that runs in another process has ended. */
const remotePollIntervalMs = 300;

/** Starts to run jobs, first of all those that were running when their process ended. */
export function startJobs(deps: JobDeps): Jobs {
  const { prisma, kinds, log, metrics, pollIntervalMs = 5_000 } = deps;
  const runners = new Map(
    kinds.map((kind) => [kind.name as JobName, startKindRunner(kind, deps, pollIntervalMs)]),
  );

  return {
    async start(kind, parameters) {
      const job = await addJob(deps, kind, parameters);
      if (!job) {
        const status = describeJob(await findLatest(prisma, kind));
        throw new HubError('job_running', { beside: { status } });
      }
      metrics.started(kind);
      log.info({ job_id: job.id, kind, total: job.total }, 'job started');
      runners.get(kind)?.wake();
      return job;
    },
    async cancel(jobId) {
      const job = await requestCancel(prisma, jobId);
      if (!job) throw new HubError('job_not_found');
      if (job.state === 'running') runners.get(job.kind)?.cancel();
      return job;
    },
    async waitUntilFinished(jobId, signal) {
      for (;;) {
        signal.throwIfAborted();
        const job = await findJob(prisma, jobId);
        if (!job) throw new HubError('job_not_found');
        if (job.state !== 'running') return job;
        await runners.get(job.kind)?.waitUntilIdle(remotePollIntervalMs);
      }
    },
    async close() {
      await Promise.all([...runners.values()].map((runner) => runner.close()));
    },
  };
}

/** Runs the jobs of one kind. */
interface KindRunner {
  wake(): void;
  /** Ends the job that runs in this process. */
  cancel(): void;
  /** Resolves when no job runs in this process, at the latest after the timeout. */
  waitUntilIdle(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

function startKindRunner(kind: JobKind, deps: JobRunDeps, pollIntervalMs: number): KindRunner {
  const { pool, log } = deps;
  let cancelling = new AbortController();

  async function runIfThere(stop: AbortSignal): Promise<void> {
    if (!(await findRunning(pool, kind.name))) return;
    cancelling = new AbortController();
    const signals = { stop, cancel: cancelling.signal };
    await withAdvisoryLock(pool, `${lockPrefixes.job}${kind.name}`, () => runJob(deps, kind, signals));
  }

  const loop = createLoop({
    work: runIfThere,
    everyMs: pollIntervalMs,
    onError: (error) => log.warn({ err: error, kind: kind.name }, 'job interrupted, will be resumed'),
  });
  loop.start();
  return {
    wake: () => loop.wake(),
    cancel: () => cancelling.abort(new Error('cancelled')),
    async waitUntilIdle(timeoutMs) {
      await Promise.race([pause(timeoutMs), ...(loop.running ? [loop.running] : [])]);
    },
    close: () => loop.stop(),
  };
}
