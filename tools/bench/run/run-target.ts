import type { BenchCase } from '../cases/bench-case.js';
import type { ResultRow, Results } from '../report/result-row.js';
import { openLoadSession, type Target } from './load-session.js';

/** Called with the rows of a case when it has finished. */
export type OnCase = (name: string, rows: readonly ResultRow[]) => void;

/** The result of a run. */
export interface TargetRun {
  readonly results: Results;
  /** An error for each failed case, with the reason as its cause. */
  readonly failures: readonly Error[];
}

/** Runs cases on one target: first the loads on one hub, then those that start hubs. Continues after a failed case. */
export async function runTarget(
  target: Target,
  cases: readonly BenchCase[],
  seconds: number,
  onCase: OnCase,
): Promise<TargetRun> {
  const done: Record<string, readonly ResultRow[]> = {};
  const failures: Error[] = [];
  const attempt = async (name: string, work: () => Promise<void>) => {
    await work().catch((cause: unknown) => failures.push(new Error(`${name} failed`, { cause })));
  };
  const note = (name: string, rows: readonly ResultRow[]) => {
    done[name] = rows;
    onCase(name, rows);
  };
  let machine: Results['machine'] = {};
  const loads = cases.filter((one) => one.kind === 'load');
  if (loads.length) {
    await attempt('the hub of the loads', async () => {
      const session = await openLoadSession(target, seconds);
      machine = session.machine;
      for (const one of loads) await attempt(one.name, async () => note(one.name, await session.run(one)));
      await session.close();
    });
  }
  for (const one of cases) {
    if (one.kind !== 'start') continue;
    await attempt(one.name, async () => note(one.name, await one.run({ ...target, seconds })));
  }
  return { results: { machine, secondsEach: seconds, cases: done }, failures };
}
