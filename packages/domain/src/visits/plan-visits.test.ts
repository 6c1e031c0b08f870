import { anyDetections, anyGapMs } from '@birdhub/testing/arbitrary-detections';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxSimultaneous } from './max-simultaneous.js';
import { isChanged, planAdditions, planReplacement, type VisitPlan } from './plan-visits.js';
import { formRuns, type RuleDetection } from './visit-runs.js';
import type { AddedDetection, StoredDetection, StoredVisit } from './visit-state.js';

const speciesId = 3;
const isVideo = (detection: RuleDetection) => detection.source === 'video';

/** The visits that detections in store make, and the detections with their visits. */
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

/** What a plan says, whichever way it was made. */
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
  it('any detections beside any in store, plans what a replacement with everything read does', () => {
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

  it('a detection between two visits, makes them one and keeps the longer', () => {
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
  it('any remainder, moves exactly the detections whose visit is another now', () => {
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

  it('nothing left, ends every visit', () => {
    const { visits } = inStore([{ id: 1, start: 0, end: 5, source: 'audio', cameraId: '' }], 10);
    expect(planReplacement(speciesId, visits, [], [], 10)).toEqual({ visits: [], gone: visits });
  });
});

describe('isChanged', () => {
  const before = { id: 1, speciesId, start: 0, end: 9, maxSimultaneous: 1, detectionCount: 2, videoCount: 1 };
  const { id: _, speciesId: __, ...state } = before;
  const visit = { speciesId, before, state, absorbed: [], joining: [], added: [] };

  it('a visit that is the same or new, is not written again', () => {
    expect(isChanged(visit)).toBe(false);
    expect(isChanged({ ...visit, before: undefined })).toBe(false);
  });

  it.each(Object.keys(state))('a visit with another %s, is written again', (key) => {
    expect(isChanged({ ...visit, state: { ...state, [key]: 77 } })).toBe(true);
  });
});
