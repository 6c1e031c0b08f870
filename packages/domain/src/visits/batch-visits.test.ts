import { anyDetectionsBySpecies, anyGapMs } from '@birdhub/testing/arbitrary-detections';
import { type ReferenceVisit, referenceVisits } from '@birdhub/testing/reference-rule';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BatchVisit, visitsOf } from './batch-visits.js';
import type { RuleDetection } from './visit-runs.js';

const GAP_MS = 60;
const SPECIES = 1;
const FORM = 2;
const SUBFORM = 3;
const parentOf = new Map([
  [SPECIES, null],
  [FORM, SPECIES],
  [SUBFORM, FORM],
]);

function seen(id: number, start: number, end: number): RuleDetection {
  return { id, start, end, source: 'video', cameraId: 'north' };
}

function heard(id: number, start: number, end: number): RuleDetection {
  return { ...seen(id, start, end), source: 'audio' };
}

function sorted(ids: number[]): number[] {
  return ids.toSorted((a, b) => a - b);
}

function asReference(visit: BatchVisit): ReferenceVisit {
  const { detectionIds, attachedDetectionIds } = visit;
  return { ...visit, detectionIds: sorted(detectionIds), attachedDetectionIds: sorted(attachedDetectionIds) };
}

describe('visitsOf', () => {
  it('a song beside its form, belongs to the visit of the form and leaves its bounds', () => {
    const detections = new Map([
      [SPECIES, [heard(1, 150, 400)]],
      [FORM, [seen(2, 0, 100)]],
    ]);
    const { visits, attached } = visitsOf(detections, parentOf, GAP_MS);
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
    ['a run that is seen as well as heard', [heard(1, 150, 170), seen(3, 160, 170)], FORM],
    ['a song beside a form of its form, not a direct child', [heard(1, 150, 170)], SUBFORM],
  ])('%s, is a visit of its own', (_, detections, form) => {
    const bySpecies = new Map([
      [SPECIES, detections],
      [form, [seen(2, 0, 100)]],
    ]);
    const { visits, attached } = visitsOf(bySpecies, parentOf, GAP_MS);
    expect(visits.map(({ speciesId }) => speciesId)).toEqual([form, SPECIES]);
    expect(attached).toEqual([]);
  });

  it('a song beside a song that is attached itself, is a visit of its own', () => {
    const detections = new Map([
      [SPECIES, [heard(1, 200, 210)]],
      [FORM, [heard(2, 150, 160)]],
      [SUBFORM, [seen(3, 0, 100)]],
    ]);
    const { visits, attached } = visitsOf(detections, parentOf, GAP_MS);
    expect(visits.map(({ speciesId, attachedDetectionIds }) => [speciesId, attachedDetectionIds])).toEqual([
      [SUBFORM, [2]],
      [SPECIES, []],
    ]);
    expect(attached.map(({ speciesId }) => speciesId)).toEqual([FORM]);
  });

  it('a song of a form beside a song of its species, takes that one to itself', () => {
    const detections = new Map([
      [SPECIES, [heard(1, 0, 10)]],
      [FORM, [heard(2, 50, 60)]],
    ]);
    const { visits } = visitsOf(detections, parentOf, GAP_MS);
    expect(visits.map(({ speciesId, attachedDetectionIds }) => [speciesId, attachedDetectionIds])).toEqual([
      [FORM, [1]],
    ]);
  });

  it('a species among its own ancestors, is refused', () => {
    const cycle = new Map([
      [SPECIES, FORM],
      [FORM, SPECIES],
    ]);
    expect(() => visitsOf(new Map([[SPECIES, [seen(1, 0, 1)]]]), cycle, GAP_MS)).toThrow(
      'species 1 has a cycle',
    );
  });

  it('any tree, detections and gap, equals the reference rule', () => {
    fc.assert(
      fc.property(anyDetectionsBySpecies, anyGapMs, ({ parentOf: tree, detectionsBySpecies }, gapMs) => {
        const { visits } = visitsOf(detectionsBySpecies, tree, gapMs);
        expect(visits.map(asReference)).toEqual(referenceVisits(detectionsBySpecies, tree, gapMs));
      }),
      { numRuns: 3000 },
    );
  });

  it('any tree, detections and gap, puts each detection in one visit and tells of each attached run', () => {
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
