import type { Comparison, LoadFigures, Verdict } from './result-row.js';

/** Compares the median latency with that of a limit; 1 is as fast as the limit. */
export function compareLatency(load: LoadFigures, name: string, limit: LoadFigures): Comparison {
  return { name, value: limit.p50, unit: 'ms', ratio: load.p50 / limit.p50 };
}

/** Compares throughput with that of a limit; 1 is as much as the limit. */
export function compareThroughput(load: LoadFigures, name: string, limit: LoadFigures): Comparison {
  return { name, value: limit.perSecond, unit: '/s', ratio: load.perSecond / limit.perSecond };
}

/** Requires a maximum ratio of latencies. */
export function atMostTimes({ ratio }: Comparison, max: number): Verdict {
  return { goal: `≤ ${max} ×`, isReached: ratio <= max };
}

/** Requires a minimum ratio of throughputs. */
export function atLeastTimes({ ratio }: Comparison, min: number): Verdict {
  return { goal: `≥ ${min} ×`, isReached: ratio >= min };
}

/** Requires a maximum; `prefix` is part of the goal's text. */
export function atMost(value: number, max: number, unit: string, prefix = ''): Verdict {
  return { goal: `${prefix}≤ ${max} ${unit}`, isReached: value <= max };
}

/** Requires a minimum. */
export function atLeast(value: number, min: number, unit: string): Verdict {
  return { goal: `≥ ${min} ${unit}`, isReached: value >= min };
}

/** Requires all of several goals. */
export function both(...verdicts: readonly Verdict[]): Verdict {
  return {
    goal: verdicts.map(({ goal }) => goal).join(', '),
    isReached: verdicts.every(({ isReached }) => isReached),
  };
}
