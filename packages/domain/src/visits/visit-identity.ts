import { compareIntervals, type Interval, overlapLength } from './interval.js';
import { findNearby } from './nearby-intervals.js';

interface OldVisit extends Interval {
  id: number;
}

interface NewRun extends Interval {
  index: number;
}

interface Claim {
  old: OldVisit;
  run: NewRun;
  overlap: number;
}

function listClaims(old: readonly OldVisit[], runs: readonly Interval[]): Claim[] {
  const visits = old.toSorted((a, b) => compareIntervals(a, b) || a.id - b.id);
  const ordered = runs.map(({ start, end }, index) => ({ start, end, index })).sort(compareIntervals);
  const touching = findNearby(ordered, visits, 0);
  return ordered.flatMap((run, position) =>
    (touching[position] ?? []).map((visit) => ({ old: visit, run, overlap: overlapLength(visit, run) })),
  );
}

function compareClaims(a: Claim, b: Claim): number {
  return b.overlap - a.overlap || compareIntervals(a.old, b.old) || compareIntervals(a.run, b.run);
}

/**
 * For each new run the id of the old visit that it goes on with, undefined when it is a new visit: the longest
 * overlap first, the earlier visit and the earlier run on a tie, a single shared instant last.
 */
export function assignIdentities(
  old: readonly OldVisit[],
  runs: readonly Interval[],
): (number | undefined)[] {
  const ids = runs.map((): number | undefined => undefined);
  const taken = new Set<number>();
  for (const claim of listClaims(old, runs).sort(compareClaims)) {
    if (ids[claim.run.index] !== undefined || taken.has(claim.old.id)) continue;
    ids[claim.run.index] = claim.old.id;
    taken.add(claim.old.id);
  }
  return ids;
}
