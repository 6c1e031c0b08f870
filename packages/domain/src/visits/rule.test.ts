import { anyDetections, anyDetectionsBySpecies, anyGapMs } from '@birdhub/testing/arbitrary-detections';
import { type ReferenceVisit, referenceVisits } from '@birdhub/testing/reference-rule';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BatchVisit,
  compareIntervals,
  distance,
  findNearby,
  formRuns,
  maxSimultaneous,
  mergeIntervals,
  nearestVisit,
  overlapLength,
  type RuleDetection,
  touches,
  visitsOf,
} from './rule.js';

const minuteMs = 60_000;
const span = (start: number, end: number) => ({ start, end });

function seen(id: number, start: number, end: number): RuleDetection {
  return { id, start, end, source: 'video', cameraId: 'north' };
}

function heard(id: number, start: number, end: number): RuleDetection {
  return { ...seen(id, start, end), source: 'audio' };
}

const idsOf = (detections: RuleDetection[]) => detections.map(({ id }) => id);

const SPECIES = 1;
const FORM = 2;
const SUBFORM = 3;
const parentOf = new Map([
  [SPECIES, null],
  [FORM, SPECIES],
  [SUBFORM, FORM],
]);

function sorted(ids: number[]): number[] {
  return ids.toSorted((a, b) => a - b);
}

function asReference(visit: BatchVisit): ReferenceVisit {
  const { detectionIds, attachedDetectionIds } = visit;
  return { ...visit, detectionIds: sorted(detectionIds), attachedDetectionIds: sorted(attachedDetectionIds) };
}

/** Counts at every millisecond on every camera. */
function countByInstants(detections: RuleDetection[]): number {
  let max = 1;
  for (const cameraId of ['', 'north', 'south']) {
    for (let at = 0; at <= 1000; at += 1) {
      const present = detections.filter(
        ({ source, start, end, ...d }) =>
          source === 'video' && d.cameraId === cameraId && start <= at && (at < end || at === start),
      );
      max = Math.max(max, present.length);
    }
  }
  return max;
}

describe('visitsOf', () => {
  const gap = 60;

  it('a song near its form, is attached to the visit of the form and does not extend it', () => {
    const detections = new Map([
      [SPECIES, [heard(1, 150, 400)]],
      [FORM, [seen(2, 0, 100)]],
    ]);
    const { visits, attached } = visitsOf(detections, parentOf, gap);
    const visit = {
      speciesId: FORM,
      start: 0,
      end: 100,
      maxSimultaneous: 1,
      videoDetections: 1,
      detectionIds: [2],
      attachedDetectionIds: [1],
    };
    expect(visits).toEqual([visit]);
    expect(attached).toEqual([{ speciesId: SPECIES, start: 150, end: 400, detectionIds: [1], visit }]);
  });

  it.each([
    ['a song beyond the gap of its form', [heard(1, 161, 170)], FORM],
    ['a run with video and sound', [heard(1, 150, 170), seen(3, 160, 170)], FORM],
    ['a song near a form of its form, not a direct child', [heard(1, 150, 170)], SUBFORM],
  ])('%s, is a separate visit', (_, detections, form) => {
    const bySpecies = new Map([
      [SPECIES, detections],
      [form, [seen(2, 0, 100)]],
    ]);
    const { visits, attached } = visitsOf(bySpecies, parentOf, gap);
    expect(visits.map(({ speciesId }) => speciesId)).toEqual([form, SPECIES]);
    expect(attached).toEqual([]);
  });

  it('a song near a song that is attached itself, is a separate visit', () => {
    const detections = new Map([
      [SPECIES, [heard(1, 200, 210)]],
      [FORM, [heard(2, 150, 160)]],
      [SUBFORM, [seen(3, 0, 100)]],
    ]);
    const { visits, attached } = visitsOf(detections, parentOf, gap);
    expect(visits.map(({ speciesId, attachedDetectionIds }) => [speciesId, attachedDetectionIds])).toEqual([
      [SUBFORM, [2]],
      [SPECIES, []],
    ]);
    expect(attached.map(({ speciesId }) => speciesId)).toEqual([FORM]);
  });

  it('a song of a form near a song of its species, attaches that song', () => {
    const detections = new Map([
      [SPECIES, [heard(1, 0, 10)]],
      [FORM, [heard(2, 50, 60)]],
    ]);
    const { visits } = visitsOf(detections, parentOf, gap);
    expect(visits.map(({ speciesId, attachedDetectionIds }) => [speciesId, attachedDetectionIds])).toEqual([
      [FORM, [1]],
    ]);
  });

  it('a species among its own ancestors, throws', () => {
    const cycle = new Map([
      [SPECIES, FORM],
      [FORM, SPECIES],
    ]);
    expect(() => visitsOf(new Map([[SPECIES, [seen(1, 0, 1)]]]), cycle, gap)).toThrow(
      'species 1 has a cycle',
    );
  });

  it('any tree, detections and gap, give the result of the reference rule', () => {
    fc.assert(
      fc.property(anyDetectionsBySpecies, anyGapMs, ({ parentOf: tree, detectionsBySpecies }, gapMs) => {
        const { visits } = visitsOf(detectionsBySpecies, tree, gapMs);
        expect(visits.map(asReference)).toEqual(referenceVisits(detectionsBySpecies, tree, gapMs));
      }),
      { numRuns: 3000 },
    );
  });

  it('any tree, detections and gap, assign each detection to one visit and list each attached run', () => {
    fc.assert(
      fc.property(anyDetectionsBySpecies, anyGapMs, ({ parentOf: tree, detectionsBySpecies }, gapMs) => {
        const { visits, attached } = visitsOf(detectionsBySpecies, tree, gapMs);
        const all = [...detectionsBySpecies.values()].flat().map(({ id }) => id);
        const own = visits.flatMap(({ detectionIds }) => detectionIds);
        const joined = visits.flatMap(({ attachedDetectionIds }) => attachedDetectionIds);
        expect(sorted([...own, ...joined])).toEqual(sorted(all));
        expect(sorted(attached.flatMap(({ detectionIds }) => detectionIds))).toEqual(sorted(joined));
        for (const { visit, speciesId } of attached) {
          expect(visits).toContain(visit);
          expect(tree.get(visit.speciesId)).toBe(speciesId);
        }
      }),
    );
  });
});

describe('formRuns', () => {
  it('no detections, gives no runs', () => {
    expect(formRuns([], minuteMs)).toEqual([]);
  });

  it.each([
    [59_999, 1],
    [60_000, 1],
    [60_001, 2],
  ])('a silence of %i ms, with a gap of 60 s, %i run(s)', (silence, expected) => {
    expect(formRuns([seen(1, 0, 1000), seen(2, 1000 + silence, 90_000)], minuteMs)).toHaveLength(expected);
  });

  it('a long detection before short ones, extends the run to its own end', () => {
    const runs = formRuns([seen(1, 0, 300_000), seen(2, 1000, 2000), seen(3, 350_000, 351_000)], minuteMs);
    expect(runs.map(({ start, end }) => [start, end])).toEqual([[0, 351_000]]);
  });

  it('sound only, has no video until a video detection is added', () => {
    const heard = { ...seen(1, 0, 10), source: 'audio' as const };
    expect(formRuns([heard], minuteMs).map((run) => run.hasVideo)).toEqual([false]);
    expect(formRuns([heard, seen(2, 5, 6)], minuteMs).map((run) => run.hasVideo)).toEqual([true]);
  });

  it('any detections, are each in one run, sorted by start, end and id', () => {
    fc.assert(
      fc.property(anyDetections, anyGapMs, (detections, gapMs) => {
        const sorted = detections.toSorted((a, b) => a.start - b.start || a.end - b.end || a.id - b.id);
        const runs = formRuns(detections, gapMs);
        expect(idsOf(runs.flatMap((run) => run.detections))).toEqual(idsOf(sorted));
        for (const run of runs) {
          expect(run.start).toBe(Math.min(...run.detections.map(({ start }) => start)));
          expect(run.end).toBe(Math.max(...run.detections.map(({ end }) => end)));
          expect(run.hasVideo).toBe(run.detections.some(({ source }) => source === 'video'));
        }
      }),
    );
  });

  it('any detections, form runs further apart than the gap, without such a silence inside', () => {
    fc.assert(
      fc.property(anyDetections, anyGapMs, (detections, gapMs) => {
        const runs = formRuns(detections, gapMs);
        for (const [at, later] of runs.slice(1).entries()) {
          expect(later.start - (runs[at]?.end ?? Number.NaN)).toBeGreaterThan(gapMs);
        }
        for (const run of runs) expect(mergeIntervals(run.detections, gapMs)).toHaveLength(1);
      }),
    );
  });

  it('any order of the same detections, gives the same runs', () => {
    const shuffled = anyDetections.chain((detections) =>
      fc.tuple(
        fc.constant(detections),
        fc.shuffledSubarray(detections, { minLength: detections.length }),
        anyGapMs,
      ),
    );
    fc.assert(
      fc.property(shuffled, ([detections, reordered, gapMs]) => {
        expect(formRuns(reordered, gapMs)).toEqual(formRuns(detections, gapMs));
      }),
    );
  });

  it('detections repeated under other ids, give runs with the same bounds', () => {
    const bounds = (detections: RuleDetection[], gapMs: number) =>
      formRuns(detections, gapMs).map(({ start, end, hasVideo }) => ({ start, end, hasVideo }));
    fc.assert(
      fc.property(anyDetections, anyGapMs, (detections, gapMs) => {
        const repeated = detections.map((detection) => ({ ...detection, id: detection.id + 1000 }));
        expect(bounds([...repeated, ...detections], gapMs)).toEqual(bounds(detections, gapMs));
      }),
    );
  });

  it('a wider gap, only joins runs', () => {
    fc.assert(
      fc.property(anyDetections, anyGapMs, anyGapMs, (detections, gapMs, more) => {
        const narrow = formRuns(detections, gapMs);
        expect(mergeIntervals(narrow, gapMs + more)).toEqual(
          formRuns(detections, gapMs + more).map(({ start, end }) => ({ start, end })),
        );
      }),
    );
  });
});

describe('nearestVisit', () => {
  const run = { start: 1000, end: 1100 };
  const visit = (start: number, end: number, speciesId = 1) => ({ start, end, speciesId });

  it.each([
    ['a visit just within the gap, is taken', [visit(1160, 1200)], visit(1160, 1200)],
    ['a visit just beyond the gap, is not taken', [visit(1161, 1200)], undefined],
    ['a visit that ended just within the gap, is taken', [visit(900, 940)], visit(900, 940)],
    ['the nearer of two visits, is taken', [visit(900, 950), visit(1110, 1200)], visit(1110, 1200)],
    [
      'of two visits at the same distance, the earlier is taken',
      [visit(1110, 1200), visit(900, 990)],
      visit(900, 990),
    ],
    [
      'of two overlapping visits, the one with the earlier start is taken',
      [visit(1050, 1060), visit(980, 1400)],
      visit(980, 1400),
    ],
    [
      'of two visits with the same start, the one with the earlier end is taken',
      [visit(1000, 1060), visit(1000, 1050)],
      visit(1000, 1050),
    ],
    [
      'of two visits of the same span, the one of the smaller species id is taken',
      [visit(1000, 1050, 9), visit(1000, 1050, 2)],
      visit(1000, 1050, 2),
    ],
    ['without visits, none is taken', [], undefined],
  ])('%s', (_, visits, expected) => {
    expect(nearestVisit(run, visits, 60)).toEqual(expected);
    expect(nearestVisit(run, visits.toReversed(), 60)).toEqual(expected);
  });

  it('any visits, takes one of the nearest', () => {
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

describe('maxSimultaneous', () => {
  const video = (start: number, end: number, cameraId = 'north') => ({
    ...seen(start, start, end),
    cameraId,
  });
  const audio = (start: number, end: number) => heard(start, start, end);

  it.each([
    ['three that overlap at one instant', [video(0, 10), video(5, 20), video(9, 12)], 3],
    ['three that overlap in pairs only', [video(0, 10), video(5, 20), video(15, 30)], 2],
    ['one that ends when the other starts', [video(0, 10), video(10, 20)], 1],
    ['a track without length inside another', [video(0, 10), video(4, 4)], 2],
    ['a track without length at the end of another', [video(0, 10), video(10, 10)], 1],
    ['a track without length at the start of another', [video(10, 10), video(10, 20)], 2],
    ['a track without length just before another', [video(9, 9), video(10, 20)], 1],
    ['two tracks without length at the same time', [video(7, 7), video(7, 7)], 2],
    ['two on one camera and one on another', [video(0, 9), video(0, 9), video(0, 9, 'south')], 2],
    ['sound beside video', [video(0, 10), audio(0, 10), audio(0, 10)], 1],
    ['sound only', [audio(0, 10), audio(0, 10)], 1],
  ])('%s, counts the most video detections at one instant', (_, detections, expected) => {
    expect(maxSimultaneous(detections)).toBe(expected);
  });

  it('any detections, equals a count at every instant', () => {
    fc.assert(
      fc.property(anyDetections, (detections) => {
        expect(maxSimultaneous(detections)).toBe(countByInstants(detections));
      }),
      { numRuns: 300 },
    );
  });

  it('any order of the same detections, gives the same count', () => {
    fc.assert(
      fc.property(anyDetections, (detections) => {
        expect(maxSimultaneous(detections.toReversed())).toBe(maxSimultaneous(detections));
      }),
    );
  });
});

describe('findNearby', () => {
  it('any two sorted lists, finds exactly the intervals that touch within the gap', () => {
    fc.assert(
      fc.property(anyDetections, anyDetections, anyGapMs, (some, more, gapMs) => {
        const items = some.toSorted(compareIntervals);
        const others = more.toSorted(compareIntervals);
        const expected = items.map((item) => others.filter((other) => touches(item, other, gapMs)));
        expect(findNearby(items, others, gapMs)).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it('two long histories, reads each distant interval a bounded number of times', () => {
    let looks = 0;
    const others = Array.from({ length: 5000 }, (_, index) => ({
      start: index * 100,
      get end() {
        looks += 1;
        return index * 100 + 50;
      },
    }));
    const items = Array.from({ length: 5000 }, (_, index) => ({ start: index * 100, end: index * 100 + 50 }));
    findNearby(items, others, 10);
    expect(looks).toBeLessThan(4 * 5000);
  });
});

describe('distance', () => {
  it.each([
    [span(0, 10), span(25, 30), 15],
    [span(0, 10), span(10, 30), 0],
    [span(0, 10), span(2, 3), 0],
    [span(5, 5), span(6, 6), 1],
  ])('%o and %o, either way round, %i', (a, b, expected) => {
    expect([distance(a, b), distance(b, a)]).toEqual([expected, expected]);
  });
});

describe('overlapLength', () => {
  it.each([
    [span(0, 10), span(4, 30), 6],
    [span(0, 10), span(2, 3), 1],
    [span(0, 10), span(10, 30), 0],
    [span(0, 10), span(11, 30), 0],
  ])('%o and %o, either way round, %i', (a, b, expected) => {
    expect([overlapLength(a, b), overlapLength(b, a)]).toEqual([expected, expected]);
  });
});

describe('touches', () => {
  it.each([
    [59, true],
    [60, true],
    [61, false],
  ])('a silence of %i ms, with a gap of 60, %s', (silence, expected) => {
    expect(touches(span(0, 10), span(10 + silence, 100), 60)).toBe(expected);
    expect(touches(span(10 + silence, 100), span(0, 10), 60)).toBe(expected);
  });
});

describe('mergeIntervals', () => {
  it('a long interval before short ones, covers them', () => {
    const merged = mergeIntervals([span(70, 80), span(0, 100), span(10, 20), span(150, 160)], 40);
    expect(merged).toEqual([span(0, 100), span(150, 160)]);
  });

  it('the given intervals, are not mutated', () => {
    const given = [span(5, 10), span(0, 7)];
    mergeIntervals(given, 0);
    expect(given).toEqual([span(5, 10), span(0, 7)]);
  });

  it('any intervals, give spans that cover all of them and lie further apart than the gap', () => {
    fc.assert(
      fc.property(anyDetections, anyGapMs, (intervals, gapMs) => {
        const spans = mergeIntervals(intervals, gapMs);
        for (const { start, end } of intervals) {
          expect(spans.filter((holder) => holder.start <= start && end <= holder.end)).toHaveLength(1);
        }
        for (const [at, later] of spans.slice(1).entries()) {
          expect(later.start - (spans[at]?.end ?? Number.NaN)).toBeGreaterThan(gapMs);
        }
        expect(mergeIntervals(spans, gapMs)).toEqual(spans);
      }),
    );
  });
});
