import type { Clock } from '@birdhub/shared/time';

/** Returns a clock with a constant time. */
export function fixedClock(instant: number): Clock {
  return { now: () => instant };
}

/** A clock that is only changed by `advance` and `set`. */
export interface ManualClock extends Clock {
  advance(byMs: number): void;
  set(instant: number): void;
}

export function manualClock(instant: number): ManualClock {
  let present = instant;
  return {
    now: () => present,
    advance: (byMs) => {
      present += byMs;
    },
    set: (to) => {
      present = to;
    },
  };
}
