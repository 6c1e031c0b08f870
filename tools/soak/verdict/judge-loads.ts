import { postName } from '../load/post-recordings.js';
import type { Loads } from '../load/tally.js';
import { atMost, type Check } from './check.js';

/** From the answer to a post until a client is told of the recording. */
export const liveName = 'live event';

const mostPostMs = 100;
const mostMs = 250;
/** Pictures of birds are cut out of their films as they are asked for, by programs that wait for everybody else. */
const mostCropMs = 5_000;

function mostOf(what: string): number {
  if (what === postName) return mostPostMs;
  return what.endsWith('/crop') ? mostCropMs : mostMs;
}

/** Whether all were answered in time: 99 of 100 of each kind, after the warm-up. */
export function judgeLoads(loads: Loads): Check[] {
  return Object.entries(loads).map(([what, { count, p99 }]) =>
    atMost(`p99 of ${what} (${count})`, p99, mostOf(what), 'ms'),
  );
}
