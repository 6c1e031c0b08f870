import type { PrismaClient } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { JobMetrics } from './job-metrics.js';
import type { JobRun, TakenJob, Turn } from './job-runs.store.js';

/** A job in hand, and what it is worked on with. */
export interface JobWork {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly job: TakenJob;
  readonly run: JobRun;
  readonly metrics: JobMetrics;
  readonly clock: Clock;
  /** Ends what is in hand. */
  readonly signal: AbortSignal;
}

/** A job that could do nothing at all, as what it works with is not there. */
export class JobImpossible extends Error {
  override readonly name = 'JobImpossible';
}

/** A job that somebody ended, or took over. */
export class JobEnded extends Error {
  override readonly name = 'JobEnded';
  readonly turn: Exclude<Turn, 'go'>;

  constructor(turn: Exclude<Turn, 'go'>) {
    super(`the job was ${turn}`);
    this.turn = turn;
  }
}
