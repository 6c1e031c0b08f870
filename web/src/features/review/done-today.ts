import type { Day } from '../../lib/days';

const storageKey = 'birdhub.reviewed';

/** How many detections were reviewed in this browser on a day. */
export function doneOn(day: Day): number {
  const [keptDay, count] = (localStorage.getItem(storageKey) ?? '').split(' ');
  return keptDay === day ? Number(count) || 0 : 0;
}

/** Counts what was reviewed on a day; a negative number takes it back. Only the last day is kept. */
export function countDone(day: Day, detections: number): void {
  localStorage.setItem(storageKey, `${day} ${Math.max(0, doneOn(day) + detections)}`);
}
