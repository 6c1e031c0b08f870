import { anyDetections, anyGapMs } from '@birdhub/testing/arbitrary-detections';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distance, type Interval, mergeIntervals, overlapLength } from './interval.js';
import { assignIdentities } from './visit-identity.js';

interface OldVisit extends Interval {
  id: number;
}

const old = (id: number, start: number, end: number): OldVisit => ({ id, start, end });
const run = (start: number, end: number): Interval => ({ start, end });

const anySpans = fc.tuple(anyDetections, anyGapMs).map(([list, gapMs]) => mergeIntervals(list, gapMs));
const anyOld = fc
  .tuple(anySpans, fc.shuffledSubarray([...Array(24).keys()], { minLength: 24 }))
  .map(([spans, ids]) => spans.map((span, index) => ({ ...span, id: ids[index] ?? -1 })));

/** All pairs, longest overlap first, then the earlier visit, then the earlier run. */
function assignByAllPairs(visits: OldVisit[], runs: Interval[]): (number | undefined)[] {
  const pairs = visits
    .flatMap((visit) =>
      runs.map((part, index) => ({ visit, part, index, overlap: overlapLength(visit, part) })),
    )
    .filter(({ visit, part }) => distance(visit, part) === 0)
    .sort((a, b) => b.overlap - a.overlap || a.visit.start - b.visit.start || a.part.start - b.part.start);
  const ids = runs.map((): number | undefined => undefined);
  for (const { visit, index } of pairs) {
    if (ids[index] === undefined && !ids.includes(visit.id)) ids[index] = visit.id;
  }
  return ids;
}

describe('assignIdentities', () => {
  it.each([
    ['nothing before, is new', [], [run(0, 10)], [undefined]],
    ['the same span, keeps its id', [old(7, 0, 10)], [run(0, 10)], [7]],
    ['a visit of no length, keeps its id', [old(7, 5, 5)], [run(5, 5)], [7]],
    ['a visit that grows, keeps its id', [old(7, 0, 10)], [run(0, 50)], [7]],
    ['a visit far away, gives no id', [old(7, 0, 10)], [run(11, 50)], [undefined]],
    [
      'a visit that splits, goes to the longer part',
      [old(7, 0, 100)],
      [run(0, 30), run(50, 100)],
      [undefined, 7],
    ],
    [
      'a visit that splits evenly, goes to the earlier part',
      [old(7, 0, 90)],
      [run(0, 30), run(60, 90)],
      [7, undefined],
    ],
    ['visits that join, keep the id of the longer', [old(7, 0, 10), old(8, 20, 90)], [run(0, 90)], [8]],
    [
      'visits of one length that join, keep the earlier id',
      [old(8, 0, 10), old(7, 20, 30)],
      [run(0, 30)],
      [8],
    ],
    ['a shared instant only, still counts', [old(7, 0, 10)], [run(10, 20)], [7]],
    ['a shared instant, comes after any overlap', [old(7, 0, 10), old(8, 19, 30)], [run(10, 20)], [8]],
    [
      'a run that lost its first visit, takes the next best',
      [old(7, 0, 100), old(8, 110, 120)],
      [run(0, 60), run(70, 120)],
      [7, 8],
    ],
    [
      'runs out of order, are answered in their order',
      [old(7, 0, 10), old(8, 50, 60)],
      [run(50, 60), run(0, 10)],
      [8, 7],
    ],
  ])('%s', (_, visits, runs, expected) => {
    expect(assignIdentities(visits, runs)).toEqual(expected);
  });

  it('any visits and runs, equals the greedy choice over all pairs', () => {
    fc.assert(
      fc.property(anyOld, anySpans, (visits, runs) => {
        expect(assignIdentities(visits, runs)).toEqual(assignByAllPairs(visits, runs));
      }),
      { numRuns: 1000 },
    );
  });

  it('any visits and runs, are matched one to one and never apart', () => {
    fc.assert(
      fc.property(anyOld, anySpans, (visits, runs) => {
        const ids = assignIdentities(visits, runs);
        const given = ids.filter((id) => id !== undefined);
        expect(ids).toHaveLength(runs.length);
        expect(new Set(given).size).toBe(given.length);
        for (const [index, part] of runs.entries()) {
          const kept = visits.find(({ id }) => id === ids[index]);
          if (kept !== undefined) expect(distance(kept, part)).toBe(0);
        }
      }),
    );
  });

  it('any visits recomputed unchanged, all keep their ids', () => {
    fc.assert(
      fc.property(anyOld, (visits) => {
        expect(assignIdentities(visits, visits)).toEqual(visits.map(({ id }) => id));
      }),
    );
  });

  it('any order of visits and runs, gives each run the same id', () => {
    fc.assert(
      fc.property(anyOld, anySpans, (visits, runs) => {
        const reordered = assignIdentities(visits.toReversed(), runs.toReversed());
        expect(reordered.toReversed()).toEqual(assignIdentities(visits, runs));
      }),
    );
  });
});
