import { describe, expect, it } from 'vitest';
import { nameClasses } from './name-classes.js';

describe('nameClasses', () => {
  it('names that file systems take for one, are told apart by their ids', () => {
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

  it('a name that looks like one told apart, is another', () => {
    const species = ['A/', 'A_ (3)', 'A:'].map((speciesName, index) => ({
      speciesId: index + 1,
      speciesName,
    }));
    expect(new Set(nameClasses(species).values()).size).toBe(3);
  });
});
