import { describe, expect, it } from 'vitest';
import type { SpeciesCount } from './dataset.store.js';
import { planDataset } from './plan-dataset.js';

const count = (speciesId: number, speciesName: string, given: Partial<SpeciesCount> = {}): SpeciesCount => ({
  speciesId,
  speciesName,
  scientificName: null,
  isGeneric: false,
  heard: 0,
  withBox: 0,
  withoutBox: 0,
  ...given,
});

describe('planDataset', () => {
  it('species, are classes when enough of them have boxes; the rest is counted', () => {
    const counts = [
      count(5, 'Bird', { isGeneric: true, heard: 1, withBox: 2, withoutBox: 4 }),
      count(7, 'Robin', { withBox: 3, heard: 2 }),
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

  it('only sounds, are no class whatever the least number', () => {
    expect(planDataset([count(1, 'Robin', { heard: 3 })], 1)).toEqual({ classes: [], skipped: { audio: 3 } });
  });
});
