import type { Visit } from './summarize-day';

/** Visits that wait above a reader's place, and the others. */
export interface SplitVisits {
  readonly waiting: number;
  readonly shown: readonly Visit[];
}

/** Parts visits, newest first, before the one that stood on top; nothing waits when that one is gone. */
export function splitNews(visits: readonly Visit[], topId: number | undefined): SplitVisits {
  const place = visits.findIndex(({ id }) => id === topId);
  const waiting = Math.max(0, place);
  return { waiting, shown: visits.slice(waiting) };
}

/** The visits that came since a list that was known, newest first; late ones of earlier are no news. */
export function arrivalsSince(known: readonly Visit[], visits: readonly Visit[]): readonly Visit[] {
  const ids = new Set(known.map(({ id }) => id));
  const newest = known[0]?.start_time ?? '';
  return visits.filter(({ id, start_time }) => !ids.has(id) && start_time >= newest);
}
