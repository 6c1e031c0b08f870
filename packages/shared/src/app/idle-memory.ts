import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The memory in which new objects are made, in bytes. */
export interface YoungGeneration {
  readonly held: number;
  readonly used: number;
}

const everyMs = 2_500;
/** Allocations of an idle process between two checks. */
const quietBytes = 2_000_000;
/** Not worth a collection. */
const smallBytes = 2_000_000;

function readYoungGeneration(): YoungGeneration {
  const space = getHeapSpaceStatistics().find((one) => one.space_name === 'new_space');
  return { held: space?.physical_space_size ?? 0, used: space?.space_used_size ?? 0 };
}

/** Whether a process holds memory that it has not used since the look before. */
export function isIdle(before: YoungGeneration, now: YoungGeneration): boolean {
  return now.held > smallBytes && Math.abs(now.used - before.used) < quietBytes;
}

/**
 * Gives the memory of new objects back, some 30 MB, while a process rests. V8 does so only when it collects, and a
 * process at rest hardly ever comes to that; looking after new objects alone takes some 10 ms.
 */
export function releaseIdleMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect: (options: { type: 'minor' }) => void = runInNewContext('gc');
  let before = readYoungGeneration();
  setInterval(() => {
    const now = readYoungGeneration();
    if (isIdle(before, now)) collect({ type: 'minor' });
    before = readYoungGeneration();
  }, everyMs).unref();
}
