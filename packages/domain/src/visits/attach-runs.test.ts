import { anyDetections, anyGapMs } from '@birdhub/testing/arbitrary-detections';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestVisit } from './attach-runs.js';
import { distance } from './interval.js';

const GAP_MS = 60;
const run = { start: 1000, end: 1100 };
const visit = (start: number, end: number, speciesId = 1) => ({ start, end, speciesId });

describe('nearestVisit', () => {
  it.each([
    ['a visit just within the gap, is taken', [visit(1160, 1200)], visit(1160, 1200)],
    ['a visit just beyond the gap, is not', [visit(1161, 1200)], undefined],
    ['a visit that ended just within the gap, is taken', [visit(900, 940)], visit(900, 940)],
    ['the nearer of two, is taken', [visit(900, 950), visit(1110, 1200)], visit(1110, 1200)],
    ['two at one distance, the earlier is taken', [visit(1110, 1200), visit(900, 990)], visit(900, 990)],
    [
      'two that overlap it, the earlier start is taken',
      [visit(1050, 1060), visit(980, 1400)],
      visit(980, 1400),
    ],
    ['two of one start, the earlier end is taken', [visit(1000, 1060), visit(1000, 1050)], visit(1000, 1050)],
    [
      'two of the same span, the smaller species is taken',
      [visit(1000, 1050, 9), visit(1000, 1050, 2)],
      visit(1000, 1050, 2),
    ],
    ['no visit at all, none', [], undefined],
  ])('%s', (_, visits, expected) => {
    expect(nearestVisit(run, visits, GAP_MS)).toEqual(expected);
    expect(nearestVisit(run, visits.toReversed(), GAP_MS)).toEqual(expected);
  });

  it('any visits, takes one that none is nearer than', () => {
    fc.assert(
      fc.property(anyDetections, anyGapMs, (spans, gapMs) => {
        const middle = { start: 450, end: 460 };
        const visits = spans.map(({ start, end, id }) => visit(start, end, id));
        const nearest = Math.min(...visits.map((other) => distance(middle, other)));
        const found = nearestVisit(middle, visits, gapMs);
        expect(found && distance(middle, found)).toBe(nearest <= gapMs ? nearest : undefined);
      }),
    );
  });
});
