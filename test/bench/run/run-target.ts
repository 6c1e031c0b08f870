import type { BenchCase } from '../cases/bench-case.js';
import type { ResultRow, Results } from '../report/result-row.js';
import { openLoadSession, type Target } from './load-session.js';

/** Told of the rows of a case as soon as they are there. */
export type OnCase = (name: string, rows: readonly ResultRow[]) => void;

/** Runs cases on one target: the loads on one hub, then those that start hubs. */
export async function runTarget(
  target: Target,
  cases: readonly BenchCase[],
  seconds: number,
  onCase: OnCase,
): Promise<Results> {
  const done: Record<string, readonly ResultRow[]> = {};
  const note = (name: string, rows: readonly ResultRow[]) => {
    done[name] = rows;
    onCase(name, rows);
  };
  let machine: Results['machine'] = {};
  const loads = cases.filter((one) => one.kind === 'load');
  if (loads.length) {
    const session = await openLoadSession(target, seconds);
    machine = session.machine;
    try {
      for (const one of loads) note(one.name, await session.run(one));
    } finally {
      await session.close();
    }
  }
  for (const one of cases) if (one.kind === 'start') note(one.name, await one.run({ ...target, seconds }));
  return { machine, secondsEach: seconds, cases: done };
}
