import type { BenchCase } from '../cases/bench-case.js';
import type { ResultRow } from '../report/result-row.js';
import { type LoadSession, openLoadSession, type Target } from './load-session.js';

/** The rows of a case on both commits, each run twice. */
export interface Duel {
  readonly name: string;
  readonly here: readonly (readonly ResultRow[])[];
  readonly there: readonly (readonly ResultRow[])[];
}

/** Runs the loads alternately on two targets: here, there, there, here. Both hubs run all the time. */
export async function runAgainst(
  targets: { readonly here: Target; readonly there: Target },
  cases: readonly BenchCase[],
  seconds: number,
  onDuel: (duel: Duel) => void,
): Promise<void> {
  const opened: LoadSession[] = [];
  try {
    const here = await openLoadSession(targets.here, seconds);
    opened.push(here);
    const there = await openLoadSession(targets.there, seconds);
    opened.push(there);
    for (const one of cases) {
      if (one.kind !== 'load') continue;
      const first = await here.run(one);
      const theirs = [await there.run(one), await there.run(one)];
      onDuel({ name: one.name, here: [first, await here.run(one)], there: theirs });
    }
  } finally {
    for (const session of opened) await session.close();
  }
}
