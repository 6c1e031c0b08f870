import { minuteMs } from '@birdhub/shared/time';
import type { Sun } from './sun.js';

const dawnMs = 20 * minuteMs;
const duskMs = 15 * minuteMs;

/** Returns the time in which garden birds are active, from dawn to dusk, in ms since the epoch. */
export function birdHours(sun: Sun): { from: number; to: number } {
  return { from: sun.riseAt - dawnMs, to: sun.setAt + duskMs };
}

/**
 * Returns the activity at the feeder at an instant, 0 to 1: none at night, a peak after sunrise, and a lower one before
 * sunset.
 */
export function activityAt(at: number, sun: Sun): number {
  const { from, to } = birdHours(sun);
  if (at < from || at > to) return 0;
  const morning = bell(at, sun.riseAt + 75 * minuteMs, 60 * minuteMs);
  const evening = 0.75 * bell(at, sun.setAt - 75 * minuteMs, 50 * minuteMs);
  return 0.2 + 0.8 * Math.max(morning, evening);
}

function bell(at: number, middle: number, width: number): number {
  return Math.exp(-0.5 * ((at - middle) / width) ** 2);
}
