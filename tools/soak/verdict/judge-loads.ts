import { postName } from '../load/post-recordings.js';
import type { Loads } from '../load/tally.js';
import { atMost, type Check } from './check.js';

/** The time from the response of a post to the event of its recording. */
export const liveName = 'live event';

const maxPostMs = 100;
const maxMs = 250;
/** Crops are cut out of films on request, by programs with a low priority. */
const maxCropMs = 5_000;

function maxOf(what: string): number {
  if (what === postName) return maxPostMs;
  return what.endsWith('/crop') ? maxCropMs : maxMs;
}

/** Checks the p99 of each kind of request after the warm-up. */
export function judgeLoads(loads: Loads): Check[] {
  return Object.entries(loads).map(([what, { count, p99 }]) =>
    atMost(`p99 of ${what} (${count})`, p99, maxOf(what), 'ms'),
  );
}
