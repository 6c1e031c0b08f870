import { runAlone } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { Logger } from 'pino';
import { describeJob } from './describe-job.js';
import type { Job, JobKind, JobName, JobParameters } from './job.js';
import { addJob, findLatest, requestCancel } from './jobs.store.js';
import { runJob } from './run-job.js';

/** Long work, one job of a kind at a time over all processes. */
export interface Jobs {
  /** @throws HubError job_running */
  start(kind: JobName, parameters: JobParameters): Promise<Job>;
  /** Has a job end with the recording in hand. @throws HubError job_not_found */
  cancel(jobId: number): Promise<Job>;
  /** Leaves what runs for the next start. */
  close(): Promise<void>;
}

/** What jobs are run with. */
export interface JobParts {
  readonly pool: pg.Pool;
  readonly kinds: readonly JobKind[];
  readonly log: Logger;
  /** Pause between two looks at whether a job has no runner. */
  readonly lookMs?: number;
}

interface Runner {
  wake(): void;
  /** Ends the job that runs here. */
  cut(): void;
  close(): Promise<void>;
}

/** Runs the jobs of one kind that are there to be run, whoever began them. */
function openRunner(kind: JobKind, { pool, log, lookMs = 5_000 }: JobParts): Runner {
  const stopping = new AbortController();
  let cutting = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;

  async function look(): Promise<void> {
    const latest = await findLatest(pool, kind.name);
    if (latest?.state !== 'running') return;
    cutting = new AbortController();
    const signals = { stop: stopping.signal, cut: cutting.signal };
    await runAlone(pool, `job.${kind.name}`, () => runJob(pool, kind, signals));
  }

  function wake(): void {
    clearTimeout(timer);
    if (stopping.signal.aborted) return;
    working ??= look()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted)
          log.warn({ err: error, kind: kind.name }, 'job interrupted, going on soon');
      })
      .finally(() => {
        working = undefined;
        if (!stopping.signal.aborted) timer = setTimeout(wake, lookMs);
      });
  }

  wake();
  return {
    wake,
    cut: () => cutting.abort(new Error('cancelled')),
    async close() {
      stopping.abort(new Error('the service stops'));
      clearTimeout(timer);
      await working;
    },
  };
}

/** Goes on with the jobs that were running, here or elsewhere, when their process ended. */
export function openJobs(parts: JobParts): Jobs {
  const { pool, kinds, log } = parts;
  const runners = new Map(kinds.map((kind) => [kind.name, openRunner(kind, parts)]));

  async function refuse(kind: JobName): Promise<never> {
    throw new HubError('job_running', { beside: { status: describeJob(await findLatest(pool, kind)) } });
  }

  return {
    async start(kind, parameters) {
      const job = await addJob(pool, kind, parameters);
      if (!job) return refuse(kind);
      log.info({ job_id: job.id, kind, total: job.total }, 'job started');
      runners.get(kind)?.wake();
      return job;
    },
    async cancel(jobId) {
      const job = await requestCancel(pool, jobId);
      if (!job) throw new HubError('job_not_found');
      if (job.state === 'running') runners.get(job.kind)?.cut();
      return job;
    },
    async close() {
      await Promise.all([...runners.values()].map((runner) => runner.close()));
    },
  };
}
