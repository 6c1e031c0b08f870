import { describe, expect, it } from 'vitest';
import { findNames, type RegionSpecies, toLists } from './compare-names';

const robin = { id: 7, name: 'European Robin', image_url: '/robin.jpg' };
const mallard = { id: 9, name: 'Mallard', image_url: null };

const namesOf = (species: readonly RegionSpecies[]) => species.map(({ name }) => name);

describe('toLists', () => {
  const lists = toLists(
    {
      matchedSpecies: ['European Robin', 'Wren'],
      regionTop: ['Rook', 'European Robin', 'Mallard'],
      onlyHere: ['Brambling'],
    },
    [robin, mallard],
  );

  it('the top of the region, is only there without those that were here', () => {
    expect(namesOf(lists.onlyThere)).toEqual(['Rook', 'Mallard']);
  });

  it('species of the hub, are known by name wherever they stand; others are not', () => {
    expect(lists.both).toEqual([
      { name: 'European Robin', known: robin },
      { name: 'Wren', known: undefined },
    ]);
    expect(lists.onlyThere[1]?.known).toBe(mallard);
    expect(namesOf(lists.onlyHere)).toEqual(['Brambling']);
  });
});

describe('findNames', () => {
  const species = ['European Robin', 'Common Crane'].map((name) => ({ name, known: undefined }));
  const inGerman: Record<string, string> = { 'European Robin': 'Rotkehlchen', 'Common Crane': 'Kränich' };
  const find = (typed: string) => namesOf(findNames(species, typed, (name) => inGerman[name] ?? name));

  it.each([
    ['nothing typed, finds all', '', ['European Robin', 'Common Crane']],
    ['a part of the name that is shown, finds it', 'kehl', ['European Robin']],
    ['the name that eBird has, finds it too', 'ROBIN', ['European Robin']],
    ['accents and spaces around, do not matter', ' kranich ', ['Common Crane']],
    ['what nobody is called, finds none', 'x', []],
  ])('%s', (_, typed, found) => {
    expect(find(typed)).toEqual(found);
  });
});
