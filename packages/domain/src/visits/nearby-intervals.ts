import type { Interval } from './interval.js';

/**
 * For each item the others with no silence longer than the gap between them. Both lists must be sorted by start;
 * they move forward together, so distant pairs are never met.
 */
export function findNearby<T extends Interval>(
  items: readonly Interval[],
  others: readonly T[],
  gapMs: number,
): T[][] {
  let first = 0;
  return items.map(({ start, end }) => {
    while ((others[first]?.end ?? Number.POSITIVE_INFINITY) < start - gapMs) first += 1;
    const nearby: T[] = [];
    for (let at = first; ; at += 1) {
      const other = others[at];
      if (other === undefined || other.start > end + gapMs) return nearby;
      if (other.end >= start - gapMs) nearby.push(other);
    }
  });
}
