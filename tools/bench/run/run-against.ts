import type { BenchCase, LoadCase } from '../cases/bench-case.js';
import type { ResultRow } from '../report/result-row.js';
import { type LoadSession, openLoadSession, type Target } from './load-session.js';

/** Two values: one of this commit and one of the commit that it is compared with. */
interface Pair<T> {
  readonly here: T;
  readonly there: T;
}

/** The rows of a case on both commits, each run twice. */
export interface PairedResults extends Pair<readonly (readonly ResultRow[])[]> {
  readonly name: string;
}

/** Called with the rows of a case when it has finished on both commits. */
type OnPaired = (pair: PairedResults) => void;

/** Runs a case on this commit, twice on the other one, and again on this one. */
async function takeTurns<Side>(
  name: string,
  sides: Pair<Side>,
  run: (side: Side) => Promise<ResultRow[]>,
): Promise<PairedResults> {
  const first = await run(sides.here);
  const there = [await run(sides.there), await run(sides.there)];
  return { name, here: [first, await run(sides.here)], there };
}

/** Runs the loads; both hubs run during all of them. */
async function pairLoads(
  targets: Pair<Target>,
  loads: readonly LoadCase[],
  seconds: number,
  onPaired: OnPaired,
) {
  const opened: LoadSession[] = [];
  const open = async (target: Target) => {
    const session = await openLoadSession(target, seconds);
    opened.push(session);
    return session;
  };
  try {
    const sessions = { here: await open(targets.here), there: await open(targets.there) };
    for (const one of loads) onPaired(await takeTurns(one.name, sessions, (session) => session.run(one)));
  } finally {
    for (const session of opened) await session.close();
  }
}

/** Runs cases in turn on two targets: first the loads, then the cases that start hubs themselves. */
export async function runAgainst(
  targets: Pair<Target>,
  cases: readonly BenchCase[],
  seconds: number,
  onPaired: OnPaired,
): Promise<void> {
  const loads = cases.filter((one) => one.kind === 'load');
  if (loads.length) await pairLoads(targets, loads, seconds, onPaired);
  for (const one of cases) {
    if (one.kind === 'start')
      onPaired(await takeTurns(one.name, targets, (target) => one.run({ ...target, seconds })));
  }
}
