import { anyDetections, anyGapMs } from '@birdhub/testing/arbitrary-detections';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeIntervals } from './interval.js';
import { formRuns, type RuleDetection } from './visit-runs.js';

const GAP_MS = 60_000;

function seen(id: number, start: number, end: number): RuleDetection {
  return { id, start, end, source: 'video', cameraId: 'north' };
}

const idsOf = (detections: RuleDetection[]) => detections.map(({ id }) => id);

describe('formRuns', () => {
  it('nothing detected, no run', () => {
    expect(formRuns([], GAP_MS)).toEqual([]);
  });

  it.each([
    [59_999, 1],
    [60_000, 1],
    [60_001, 2],
  ])('a silence of %i ms, with a gap of 60 s, %i run(s)', (silence, expected) => {
    expect(formRuns([seen(1, 0, 1000), seen(2, 1000 + silence, 90_000)], GAP_MS)).toHaveLength(expected);
  });

  it('a long detection before short ones, keeps the run open to its own end', () => {
    const runs = formRuns([seen(1, 0, 300_000), seen(2, 1000, 2000), seen(3, 350_000, 351_000)], GAP_MS);
    expect(runs.map(({ start, end }) => [start, end])).toEqual([[0, 351_000]]);
  });

  it('only sound, has no video until one detection is seen', () => {
    const heard = { ...seen(1, 0, 10), source: 'audio' as const };
    expect(formRuns([heard], GAP_MS).map((run) => run.hasVideo)).toEqual([false]);
    expect(formRuns([heard, seen(2, 5, 6)], GAP_MS).map((run) => run.hasVideo)).toEqual([true]);
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

  it('any detections, form runs further apart than the gap with no such silence inside', () => {
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

  it('detections repeated under other ids, give runs of the same bounds', () => {
    const bounds = (detections: RuleDetection[], gapMs: number) =>
      formRuns(detections, gapMs).map(({ start, end, hasVideo }) => ({ start, end, hasVideo }));
    fc.assert(
      fc.property(anyDetections, anyGapMs, (detections, gapMs) => {
        const repeated = detections.map((detection) => ({ ...detection, id: detection.id + 1000 }));
        expect(bounds([...repeated, ...detections], gapMs)).toEqual(bounds(detections, gapMs));
      }),
    );
  });

  it('a wider gap, only ever joins runs', () => {
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
