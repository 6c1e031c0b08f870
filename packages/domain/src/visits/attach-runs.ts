import { compareIntervals, distance, type Interval, touches } from './interval.js';

/** The span of one species' visit. */
export interface SpeciesSpan extends Interval {
  speciesId: number;
}

/** Sorts visits by time, then species: a total order, for two of one species never start together. */
export function compareSpans(a: SpeciesSpan, b: SpeciesSpan): number {
  return compareIntervals(a, b) || a.speciesId - b.speciesId;
}

/** The visit, of a child species, that an audio-only run attaches to: the nearest within the gap, then the earliest. */
export function nearestVisit<T extends SpeciesSpan>(
  run: Interval,
  visits: Iterable<T>,
  gapMs: number,
): T | undefined {
  let nearest: T | undefined;
  for (const visit of visits) {
    if (!touches(run, visit, gapMs)) continue;
    const order = nearest && (distance(run, visit) - distance(run, nearest) || compareSpans(visit, nearest));
    if (order === undefined || order < 0) nearest = visit;
  }
  return nearest;
}
