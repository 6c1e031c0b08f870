import type { Comparison, LoadFigures, Verdict } from './result-row.js';

/** Compares the usual latency with that of a limit; 1 is as fast as the limit. */
export function compareLatency(load: LoadFigures, name: string, limit: LoadFigures): Comparison {
  return { name, value: limit.p50, unit: 'ms', ratio: load.p50 / limit.p50 };
}

/** Compares throughput with that of a limit; 1 is as much as the limit. */
export function compareThroughput(load: LoadFigures, name: string, limit: LoadFigures): Comparison {
  return { name, value: limit.perSecond, unit: '/s', ratio: load.perSecond / limit.perSecond };
}

/** A ratio of latencies must not be greater. */
export function atMostTimes({ ratio }: Comparison, most: number): Verdict {
  return { goal: `≤ ${most} ×`, isReached: ratio <= most };
}

/** A share of throughput must not be smaller. */
export function atLeastTimes({ ratio }: Comparison, least: number): Verdict {
  return { goal: `≥ ${least} ×`, isReached: ratio >= least };
}

/** A number must not be greater. */
export function atMost(value: number, most: number, unit: string, what = ''): Verdict {
  return { goal: `${what}≤ ${most} ${unit}`, isReached: value <= most };
}

/** A number must not be smaller. */
export function atLeast(value: number, least: number, unit: string): Verdict {
  return { goal: `≥ ${least} ${unit}`, isReached: value >= least };
}

/** Several goals of one row: all must be reached. */
export function both(...verdicts: readonly Verdict[]): Verdict {
  return {
    goal: verdicts.map(({ goal }) => goal).join(', '),
    isReached: verdicts.every(({ isReached }) => isReached),
  };
}
