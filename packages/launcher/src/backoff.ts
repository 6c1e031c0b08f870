const shortestMs = 500;
const longestMs = 30_000;

/** A child that stayed up this long starts again with a clean record. */
const steadyAfterMs = 60_000;

/** How many crashes stand in a row after one more, given how long the child had been up. */
export function countCrash(before: number, upMs: number): number {
  return upMs >= steadyAfterMs ? 1 : before + 1;
}

/** The wait before the next start: half a second after the first crash in a row, doubled each time, half a minute at most. */
export function backoffMs(crashesInRow: number): number {
  return Math.min(longestMs, shortestMs * 2 ** Math.max(0, crashesInRow - 1));
}
