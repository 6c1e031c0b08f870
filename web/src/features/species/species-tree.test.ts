import { describe, expect, it } from 'vitest';
import { createSpecies } from '../../testing/factories';
import { familyOfEach, kindsOnly } from './species-tree';

const tits = { id: 2, name: 'Tits' };
const root = createSpecies({ id: 1, name: 'Birds' });
const family = createSpecies({ id: 2, name: 'Tits', parent_id: 1 });
const tit = createSpecies({ id: 3, name: 'Long-tailed Tit', parent_id: 2 });
const form = createSpecies({ id: 4, name: 'White-headed Long-tailed Tit', parent_id: 3 });
const stranger = createSpecies({ id: 5, name: 'Mystery' });
const all = [root, family, tit, form, stranger];

describe('familyOfEach', () => {
  it('a species and a form below it, are of the family above them', () => {
    expect([...familyOfEach(all, [tits])]).toEqual([
      [3, 2],
      [4, 2],
    ]);
  });

  it('parents that lead in a circle, are of no family', () => {
    const circle = [createSpecies({ id: 8, parent_id: 9 }), createSpecies({ id: 9, parent_id: 8 })];
    expect(familyOfEach(circle, [tits]).size).toBe(0);
  });
});

describe('kindsOnly', () => {
  it('families and what is no kind of bird, are left out', () => {
    expect(
      kindsOnly([...all, createSpecies({ id: 6, name: 'Unknown' })], [tits]).map(({ id }) => id),
    ).toEqual([3, 4, 5]);
  });
});
