import type pg from 'pg';
import { compareLatency } from '../report/judge.js';
import type { LoadFigures, ResultRow } from '../report/result-row.js';
import { Latencies } from '../run/latencies.js';
import type { Comparable, Run } from './statements.js';

/** The same database with the plain tables, and with those partitioned by month under the same names. */
export interface Pools {
  readonly plain: pg.Pool;
  readonly monthly: pg.Pool;
}

const warmUps = 20;

/** Runs a statement repeatedly in turns of some seconds. */
function takeTurns(run: Run, pool: pg.Pool) {
  const latencies = new Latencies();
  let number = 0;
  let elapsedMs = 0;
  const once = async () => {
    const startedAt = performance.now();
    await run(pool, number);
    number += 1;
    return performance.now() - startedAt;
  };
  return {
    async warmUp() {
      for (let time = 0; time < warmUps; time += 1) await once();
    },
    async take(seconds: number) {
      const startedAt = performance.now();
      while (performance.now() < startedAt + seconds * 1000) latencies.add(await once());
      elapsedMs += performance.now() - startedAt;
    },
    figures: (): LoadFigures => ({
      ...latencies.percentiles(),
      perSecond: (latencies.count * 1000) / elapsedMs,
      bytes: 0,
    }),
  };
}

/** Runs the same statement alternately on both (plain, monthly, monthly, plain). */
export async function compareRuns(
  { title, plain, monthly }: Comparable,
  pools: Pools,
  seconds: number,
): Promise<ResultRow> {
  const here = takeTurns(plain, pools.plain);
  const there = takeTurns(monthly, pools.monthly);
  await here.warmUp();
  await there.warmUp();
  for (const turns of [here, there, there, here]) await turns.take(seconds / 2);
  const load = there.figures();
  const limit = compareLatency(load, 'plain tables', here.figures());
  return { title, connections: 1, load, limit };
}
