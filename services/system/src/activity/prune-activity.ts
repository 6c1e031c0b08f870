import { createLoop, type Loop } from '@birdhub/shared/async';
import { lockNames, withAdvisoryLock } from '@birdhub/shared/db';
import { type Clock, dayMs } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';

const batchSize = 5_000;

/** SQL: excludes the newest row, which shows when a processor last reported or the feeder was last used. */
const newestHeartbeat = 'updated_at < (SELECT max(updated_at) FROM processor_heartbeat)';
const newestPortion = `(type <> 'feed_dispense' OR updated_at < (
  SELECT max(updated_at) FROM activity_log WHERE type = 'feed_dispense'))`;

/** Maximum calls of assistants, which may be several per second. */
const maxAssistantCalls = 50_000;
const oldestAssistantCall = `(
  SELECT updated_at FROM activity_log WHERE type = 'assistant_call'
  ORDER BY updated_at DESC OFFSET ${maxAssistantCalls - 1} LIMIT 1)`;

/**
 * Tables, the condition of expendable rows, and the time before which they are deleted. Rows of imports are kept, as
 * they hold reserved ids.
 */
const pruned = [
  ['processor_activity', 'true', '$1'],
  ['processor_heartbeat', newestHeartbeat, '$1'],
  ['activity_log', `type <> 'birdlense_import' AND ${newestPortion}`, '$1'],
  ['activity_log', `type = 'assistant_call'`, `greatest($1, ${oldestAssistantCall})`],
] as const;

/** Dependencies for pruning. */
export interface PruningDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
  /** Retention in days. */
  readonly days: number;
}

/** Deletes expired and surplus rows in batches of a few thousand. Returns their number. */
export async function pruneActivity(
  { pool, clock, days }: Pick<PruningDeps, 'pool' | 'clock' | 'days'>,
  signal?: AbortSignal,
): Promise<number> {
  const before = new Date(clock.now() - days * dayMs);
  let count = 0;
  for (const [table, isExpendable, end] of pruned) {
    const text = `DELETE FROM ${table} WHERE id = ANY (ARRAY(
      SELECT id FROM ${table} WHERE updated_at < ${end} AND ${isExpendable} ORDER BY updated_at LIMIT ${batchSize}))`;
    for (let deleted = batchSize; deleted === batchSize && !signal?.aborted; ) {
      deleted = (await pool.query(text, [before])).rowCount ?? 0;
      count += deleted;
    }
  }
  return count;
}

/** Starts daily pruning, in one process of the hub at a time. */
export function startPruning(deps: PruningDeps): Pick<Loop, 'stop'> {
  const { pool, log } = deps;
  const loop = createLoop({
    everyMs: dayMs,
    async work(signal) {
      const done = await withAdvisoryLock(pool, lockNames.activityPruning, () => pruneActivity(deps, signal));
      if (done?.result) log.info({ rows: done.result }, 'old activity deleted');
    },
    onError: (error) => log.warn({ err: error }, 'old activity not deleted'),
  });
  loop.start();
  return loop;
}
