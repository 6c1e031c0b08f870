import type { JobCounts, JobResult, WholeJobKind } from './job.js';
import { saveCounts } from './job-runs.store.js';
import { JobEnded, type JobWork } from './job-work.js';

const saveEveryMs = 500;
const nothing: JobCounts = { total: 0, processed: 0, generated: 0, failed: 0, skipped: 0, failures: [] };
const outcomes = ['generated', 'failed', 'skipped'] as const;

/** Does a whole job from its start, and writes down now and then how far it is. */
export async function runWhole(kind: WholeJobKind, work: JobWork): Promise<JobResult> {
  const { prisma, job, run, signal, metrics, clock } = work;
  let saved = nothing;
  let latest = nothing;
  let savedAt = Number.NEGATIVE_INFINITY;

  async function save(isDone = false): Promise<void> {
    const turn = await saveCounts(prisma, run, latest);
    if (turn === 'lost' || (turn === 'cancelled' && !isDone)) throw new JobEnded(turn);
    for (const outcome of outcomes) {
      const more = latest[outcome] - saved[outcome];
      if (more > 0) metrics.items(kind.name, outcome, more);
    }
    saved = latest;
    savedAt = clock.now();
  }

  async function report(counts: JobCounts): Promise<void> {
    signal.throwIfAborted();
    latest = counts;
    if (clock.now() - savedAt >= saveEveryMs) await save();
  }

  await save();
  const { parameters, startedAt, isResumed } = job;
  const result = await kind.perform({ parameters, startedAt, isResumed, signal, report });
  await save(true);
  return result;
}
