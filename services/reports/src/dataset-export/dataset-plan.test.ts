import { describe, expect, it } from 'vitest';
import type { SpeciesCount } from './dataset.store.js';
import { nameClasses, planDataset, splitOf } from './dataset-plan.js';

const count = (speciesId: number, speciesName: string, given: Partial<SpeciesCount> = {}): SpeciesCount => ({
  speciesId,
  speciesName,
  scientificName: null,
  isGeneric: false,
  audio: 0,
  withBox: 0,
  withoutBox: 0,
  ...given,
});

describe('planDataset', () => {
  it('species with enough boxes, are classes, and the rest is counted', () => {
    const counts = [
      count(5, 'Bird', { isGeneric: true, audio: 1, withBox: 2, withoutBox: 4 }),
      count(7, 'Robin', { withBox: 3, audio: 2 }),
      count(2, 'Wren', { withBox: 2, withoutBox: 5 }),
      count(4, 'Tit/Tit', { withBox: 9, scientificName: 'Parus' }),
    ];
    expect(planDataset(counts, 3)).toEqual({
      classes: [
        { index: 0, name: 'Robin', speciesId: 7, scientificName: null },
        { index: 1, name: 'Tit_Tit', speciesId: 4, scientificName: 'Parus' },
      ],
      skipped: { generic_species: 7, audio: 2, no_box: 5, below_min_images: 2 },
    });
  });

  it('a species only heard, is never a class', () => {
    expect(planDataset([count(1, 'Robin', { audio: 3 })], 1)).toEqual({ classes: [], skipped: { audio: 3 } });
  });
});

describe('nameClasses', () => {
  it('names that are equal in file systems, are distinguished by their ids', () => {
    const species = ['Great Tit', 'great tit', 'Tit/Tit', 'Tit:Tit', 'Ｔit_Tit', 'Robin'].map(
      (speciesName, index) => ({
        speciesId: index + 1,
        speciesName,
      }),
    );
    expect([...nameClasses(species.toReversed())]).toEqual([
      [1, 'Great Tit'],
      [2, 'great tit (2)'],
      [3, 'Tit_Tit'],
      [4, 'Tit_Tit (4)'],
      [5, 'Ｔit_Tit (5)'],
      [6, 'Robin'],
    ]);
  });

  it('a name that equals a distinguished one, is distinguished too', () => {
    const species = ['A/', 'A_ (3)', 'A:'].map((speciesName, index) => ({
      speciesId: index + 1,
      speciesName,
    }));
    expect(new Set(nameClasses(species).values()).size).toBe(3);
  });
});

describe('splitOf', () => {
  const visits = Array.from({ length: 10_000 }, (_, index) => index + 1);
  const shareOf = (seed: number, ratio: number) =>
    visits.filter((visit) => splitOf(visit, seed, ratio) === 'val').length / visits.length;

  it.each([0.1, 0.2, 0.5, 0.9])('a ratio of %d, gives about that share', (ratio) => {
    expect(Math.abs(shareOf(42, ratio) - ratio)).toBeLessThan(0.02);
  });

  it('a ratio of 0 or 1, gives one split only', () => {
    expect([shareOf(1, 0), shareOf(1, 1)]).toEqual([0, 1]);
  });

  it('a higher ratio, keeps the visits that were in val', () => {
    const isVal = (ratio: number) => (visit: number) => splitOf(visit, 7, ratio) === 'val';
    expect(visits.filter(isVal(0.2)).every(isVal(0.3))).toBe(true);
  });

  it('the same visits, have the same splits in every version, and others with another seed', () => {
    const sides = (seed: number) =>
      visits
        .slice(0, 12)
        .map((visit) => splitOf(visit, seed, 0.5))
        .join();
    expect(sides(42)).toMatchInlineSnapshot(`"val,train,train,val,val,val,val,val,val,train,val,val"`);
    expect(sides(43)).not.toBe(sides(42));
  });
});
