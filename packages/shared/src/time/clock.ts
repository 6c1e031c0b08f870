/** The source of the current time, in ms since the epoch. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still. */
export function fixedClock(instant: number): Clock {
  return { now: () => instant };
}

/** A clock that only `advance` and `set` move. */
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
