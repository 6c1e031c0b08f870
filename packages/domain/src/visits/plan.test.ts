import { anyDetections, anyGapMs } from '@birdhub/testing/arbitrary-detections';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AddedDetection,
  assignIdentities,
  isChanged,
  planAdditions,
  planReplacement,
  RollupDeltas,
  type StoredDetection,
  type StoredVisit,
  type VisitPlan,
} from './plan.js';
import {
  distance,
  formRuns,
  type Interval,
  maxSimultaneous,
  mergeIntervals,
  overlapLength,
  type RuleDetection,
} from './rule.js';

const speciesId = 3;
const isVideo = (detection: RuleDetection) => detection.source === 'video';

/** The visits that stored detections form, and the detections with their visits. */
function inStore(detections: readonly RuleDetection[], gapMs: number) {
  const runs = formRuns(detections, gapMs);
  const visits = runs.map(
    (run, index): StoredVisit => ({
      id: 100 + index,
      speciesId,
      start: run.start,
      end: run.end,
      maxSimultaneous: maxSimultaneous(run.detections),
      detectionCount: run.detections.length,
      videoCount: run.detections.filter(isVideo).length,
    }),
  );
  const stored = runs.flatMap((run, index) =>
    run.detections.map((detection): StoredDetection => ({ ...detection, speciesId, visitId: 100 + index })),
  );
  return { visits, stored };
}

const asAdded = (detections: readonly RuleDetection[]): AddedDetection[] =>
  detections.map((detection) => ({ ...detection, id: -detection.id, speciesId }));

/** A comparable form of a plan, whichever function made it. */
function outcome({ visits, gone }: VisitPlan) {
  return {
    visits: visits.map(({ state, before, added }) => ({
      state,
      before: before?.id,
      added: added.map(({ id }) => id).sort((a, b) => a - b),
    })),
    gone: gone.map(({ id }) => id).sort((a, b) => a - b),
  };
}

describe('planAdditions', () => {
  it('any new detections beside stored ones, give the same plan as a replacement with all detections', () => {
    fc.assert(
      fc.property(anyDetections, anyDetections, anyGapMs, (known, fresh, gapMs) => {
        fc.pre(fresh.length > 0);
        const { visits, stored } = inStore(known, gapMs);
        const added = asAdded(fresh);
        const low = Math.min(...added.map(({ start }) => start));
        const high = Math.max(...added.map(({ end }) => end));
        const overlapping = stored.filter(({ start, end }) => end >= low && start <= high);
        const quick = planAdditions(speciesId, visits, added, overlapping, gapMs);
        const whole = planReplacement(speciesId, visits, added, stored, gapMs);
        expect(outcome(quick)).toEqual(outcome(whole));
      }),
      { numRuns: 1_000 },
    );
  });

  it('a detection between two visits, joins them under the id of the longer', () => {
    const at = (id: number, start: number, end: number): RuleDetection => ({
      id,
      start,
      end,
      source: 'video',
      cameraId: '',
    });
    const { visits } = inStore([at(1, 0, 100), at(2, 250, 260)], 50);
    const plan = planAdditions(speciesId, visits, asAdded([at(3, 150, 200)]), [], 50);
    expect(outcome(plan)).toMatchObject({ visits: [{ before: 100, added: [-3] }], gone: [101] });
    expect(plan.visits[0]?.absorbed.map(({ id }) => id)).toEqual([101]);
    expect(plan.visits[0]?.state).toMatchObject({ start: 0, end: 260, detectionCount: 3, videoCount: 3 });
  });
});

describe('planReplacement', () => {
  it('any remaining detections, are moved only if their visit changed, and all visits are accounted for', () => {
    fc.assert(
      fc.property(anyDetections, anyGapMs, fc.nat({ max: 23 }), (known, gapMs, from) => {
        const { visits, stored } = inStore(known, gapMs);
        const remaining = stored.filter(({ id }) => id <= from);
        const plan = planReplacement(speciesId, visits, [], remaining, gapMs);
        const moved = new Set(plan.visits.flatMap((visit) => visit.joining));
        const { stored: expected } = inStore(remaining, gapMs);
        for (const detection of expected) {
          const visit = plan.visits[detection.visitId - 100];
          const before = stored.find(({ id }) => id === detection.id)?.visitId;
          expect(moved.has(detection.id)).toBe(before !== visit?.before?.id);
        }
        const survivors = plan.visits.flatMap(({ before }) => (before ? [before.id] : []));
        const gone = plan.gone.map(({ id }) => id);
        expect([...survivors, ...gone].sort()).toEqual(visits.map(({ id }) => id).sort());
      }),
    );
  });

  it('no remaining detections, end every visit', () => {
    const { visits } = inStore([{ id: 1, start: 0, end: 5, source: 'audio', cameraId: '' }], 10);
    expect(planReplacement(speciesId, visits, [], [], 10)).toEqual({ visits: [], gone: visits });
  });
});

describe('isChanged', () => {
  const before = { id: 1, speciesId, start: 0, end: 9, maxSimultaneous: 1, detectionCount: 2, videoCount: 1 };
  const { id: _, speciesId: __, ...state } = before;
  const visit = { speciesId, before, state, absorbed: [], joining: [], added: [] };

  it('an unchanged or a new visit, is not changed', () => {
    expect(isChanged(visit)).toBe(false);
    expect(isChanged({ ...visit, before: undefined })).toBe(false);
  });

  it.each(Object.keys(state))('a visit with another %s, is changed', (key) => {
    expect(isChanged({ ...visit, state: { ...state, [key]: 77 } })).toBe(true);
  });
});

interface OldVisit extends Interval {
  id: number;
}

const old = (id: number, start: number, end: number): OldVisit => ({ id, start, end });
const run = (start: number, end: number): Interval => ({ start, end });

const anySpans = fc.tuple(anyDetections, anyGapMs).map(([list, gapMs]) => mergeIntervals(list, gapMs));
const anyOld = fc
  .tuple(anySpans, fc.shuffledSubarray([...Array(24).keys()], { minLength: 24 }))
  .map(([spans, ids]) => spans.map((span, index) => ({ ...span, id: ids[index] ?? -1 })));

/** Considers all pairs: longest overlap first, then the earlier visit, then the earlier run. */
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
    ['no visits before, gives no id', [], [run(0, 10)], [undefined]],
    ['the same span, keeps its id', [old(7, 0, 10)], [run(0, 10)], [7]],
    ['a visit without length, keeps its id', [old(7, 5, 5)], [run(5, 5)], [7]],
    ['a visit that grows, keeps its id', [old(7, 0, 10)], [run(0, 50)], [7]],
    ['a visit far away, gives no id', [old(7, 0, 10)], [run(11, 50)], [undefined]],
    [
      'a split visit, leaves its id to the longer part',
      [old(7, 0, 100)],
      [run(0, 30), run(50, 100)],
      [undefined, 7],
    ],
    [
      'an evenly split visit, leaves its id to the earlier part',
      [old(7, 0, 90)],
      [run(0, 30), run(60, 90)],
      [7, undefined],
    ],
    ['joined visits, keep the id of the longer', [old(7, 0, 10), old(8, 20, 90)], [run(0, 90)], [8]],
    [
      'joined visits of equal length, keep the id of the earlier',
      [old(8, 0, 10), old(7, 20, 30)],
      [run(0, 30)],
      [8],
    ],
    ['a shared instant, is enough', [old(7, 0, 10)], [run(10, 20)], [7]],
    ['a shared instant, counts less than any overlap', [old(7, 0, 10), old(8, 19, 30)], [run(10, 20)], [8]],
    [
      'a run whose best visit is taken, gets the next best',
      [old(7, 0, 100), old(8, 110, 120)],
      [run(0, 60), run(70, 120)],
      [7, 8],
    ],
    [
      'unordered runs, return ids in their order',
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

  it('any visits and runs, are matched one to one and only where they touch', () => {
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

  it('any visits as their own runs, keep all ids', () => {
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

describe('RollupDeltas', () => {
  const hour = 3_600_000;
  const lasting = (start: number, ms = 1_500) => ({
    start,
    end: start + ms,
    maxSimultaneous: 2,
    detectionCount: 5,
    videoCount: 3,
  });

  it('a visit, counts on the calendar day of its start in the zone', () => {
    const start = Date.UTC(2026, 4, 2, 3, 59);
    const dayIn = (zone: string) => {
      const deltas = new RollupDeltas(zone);
      deltas.count(1, lasting(start, 5 * hour), 1);
      return deltas.list().map((delta) => delta.day);
    };
    expect(dayIn('UTC')).toEqual(['2026-05-02']);
    expect(dayIn('America/New_York')).toEqual(['2026-05-01']);
    expect(dayIn('Pacific/Kiritimati')).toEqual(['2026-05-02']);
  });

  it('several visits, add up in all sums of the day', () => {
    const deltas = new RollupDeltas('UTC');
    deltas.count(7, lasting(0), 1);
    deltas.count(7, { ...lasting(hour), videoCount: 0 }, 1);
    expect(deltas.list()).toEqual([
      {
        speciesId: 7,
        day: '1970-01-01',
        visits: 2,
        individuals: 4,
        videoVisits: 1,
        detections: 10,
        durationMs: 3_000,
      },
    ]);
  });

  it('an unchanged visit subtracted and added again, changes no day', () => {
    const deltas = new RollupDeltas('UTC');
    deltas.count(7, lasting(0), -1);
    deltas.count(7, lasting(0), 1);
    expect(deltas.list()).toEqual([]);
  });

  it('a longer visit, changes the duration only', () => {
    const deltas = new RollupDeltas('UTC');
    deltas.count(7, lasting(0), -1);
    deltas.count(7, lasting(0, 4_000), 1);
    expect(deltas.list()).toMatchObject([{ visits: 0, individuals: 0, detections: 0, durationMs: 2_500 }]);
  });

  it('a visit whose start moved over midnight, moves from one day to the other', () => {
    const deltas = new RollupDeltas('UTC');
    deltas.count(7, lasting(24 * hour), -1);
    deltas.count(7, lasting(24 * hour - 1), 1);
    expect(deltas.list().map(({ day, visits }) => [day, visits])).toEqual([
      ['1970-01-01', 1],
      ['1970-01-02', -1],
    ]);
  });

  it('days of many species, are listed in a fixed order', () => {
    const deltas = new RollupDeltas('UTC');
    for (const [species, day] of [
      [10, 1],
      [9, 3],
      [9, 2],
      [10, 0],
    ] as const) {
      deltas.count(species, lasting(day * 24 * hour), 1);
    }
    expect(deltas.list().map(({ speciesId, day }) => `${speciesId} ${day}`)).toEqual([
      '9 1970-01-03',
      '9 1970-01-04',
      '10 1970-01-01',
      '10 1970-01-02',
    ]);
  });
});
