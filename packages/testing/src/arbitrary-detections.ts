import type { RuleDetection } from '@birdhub/domain/visits';
import fc from 'fast-check';

/** Gaps to which the silences in `anyDetections` are shorter, equal and longer about equally often. */
export const anyGapMs: fc.Arbitrary<number> = fc.integer({ min: 0, max: 60 });

const anyDetection = fc.record({
  start: fc.integer({ min: 0, max: 900 }),
  length: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 80 })),
  source: fc.constantFrom('video' as const, 'audio' as const),
  cameraId: fc.constantFrom('', 'north', 'south'),
});

/** Detections of one species, so dense that they overlap, touch and have equal times. */
export const anyDetections: fc.Arbitrary<RuleDetection[]> = fc
  .array(anyDetection, { maxLength: 24 })
  .map((list) =>
    list.map(({ length, ...rest }, index) => ({ id: index + 1, ...rest, end: rest.start + length })),
  );

const maxSpecies = 8;
const maxLevels = 4;

function levelOf(species: number, parents: (number | null)[]): number {
  const parent = parents[species] ?? null;
  return parent === null ? 1 : 1 + levelOf(parent, parents);
}

/** Parents of up to eight species in trees of one to four levels; a parent may have a greater id than its child. */
const anyTree: fc.Arbitrary<Map<number, number | null>> = fc
  .tuple(
    fc.array(fc.integer({ min: -1, max: maxSpecies - 2 }), { minLength: 1, maxLength: maxSpecies }),
    fc.shuffledSubarray([11, 12, 13, 14, 15, 16, 17, 18], { minLength: maxSpecies }),
  )
  .map(([candidates, ids]) => {
    const parents: (number | null)[] = [];
    for (const [species, candidate] of candidates.entries()) {
      const isAllowed = candidate >= 0 && candidate < species && levelOf(candidate, parents) < maxLevels;
      parents.push(isAllowed ? candidate : null);
    }
    const idOf = (species: number | null | undefined) => (species == null ? null : (ids[species] ?? null));
    return new Map(parents.map((parent, species) => [idOf(species) ?? 0, idOf(parent)]));
  });

/** A tree of species with detections distributed among them. */
export const anyDetectionsBySpecies: fc.Arbitrary<{
  parentOf: Map<number, number | null>;
  detectionsBySpecies: Map<number, RuleDetection[]>;
}> = fc
  .tuple(anyTree, anyDetections, fc.array(fc.nat({ max: maxSpecies - 1 }), { minLength: 24, maxLength: 24 }))
  .map(([parentOf, detections, choices]) => {
    const ids = [...parentOf.keys()];
    const speciesOf = ({ id }: RuleDetection) => ids[(choices[id - 1] ?? 0) % ids.length];
    const grouped = ids.map((id): [number, RuleDetection[]] => [
      id,
      detections.filter((detection) => speciesOf(detection) === id),
    ]);
    return { parentOf, detectionsBySpecies: new Map(grouped) };
  });
