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

  it('the top species of the region, leave out those that were here', () => {
    expect(namesOf(lists.onlyThere)).toEqual(['Rook', 'Mallard']);
  });

  it('species of the hub, are matched by name in every list', () => {
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
    ['an empty query, finds all', '', ['European Robin', 'Common Crane']],
    ['part of the displayed name, finds it', 'kehl', ['European Robin']],
    ['the eBird name, finds it', 'ROBIN', ['European Robin']],
    ['accents and surrounding spaces, are ignored', ' kranich ', ['Common Crane']],
    ['an unknown name, finds nothing', 'x', []],
  ])('%s', (_, typed, found) => {
    expect(find(typed)).toEqual(found);
  });
});
