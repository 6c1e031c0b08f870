import type { Sun } from './sun.js';

const MINUTE_MS = 60_000;
const DAWN_MS = 20 * MINUTE_MS;
const DUSK_MS = 15 * MINUTE_MS;

/** Returns the time in which garden birds are active, from dawn to dusk, in ms since the epoch. */
export function birdHours(sun: Sun): { from: number; to: number } {
  return { from: sun.riseAt - DAWN_MS, to: sun.setAt + DUSK_MS };
}

/**
 * Returns the activity at the feeder at an instant, 0 to 1: none at night, a peak after sunrise, and a lower one before
 * sunset.
 */
export function activityAt(at: number, sun: Sun): number {
  const { from, to } = birdHours(sun);
  if (at < from || at > to) return 0;
  const morning = bell(at, sun.riseAt + 75 * MINUTE_MS, 60 * MINUTE_MS);
  const evening = 0.75 * bell(at, sun.setAt - 75 * MINUTE_MS, 50 * MINUTE_MS);
  return 0.2 + 0.8 * Math.max(morning, evening);
}

function bell(at: number, middle: number, width: number): number {
  return Math.exp(-0.5 * ((at - middle) / width) ** 2);
}
