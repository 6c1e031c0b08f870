import { describe, expect, it } from 'vitest';
import { toFindable } from '../../lib/rank-species';
import { createSpecies } from '../../testing/factories';
import { filterSpecies } from './filter-species';
import type { GallerySearch } from './gallery-search';

const all = toFindable(
  [
    createSpecies({ id: 1, name: 'Blue Tit', visits: 3 }),
    createSpecies({ id: 2, name: 'Rook', visits: 9 }),
    createSpecies({ id: 3, name: 'Great Tit', visits: 3 }),
    createSpecies({ id: 4, name: 'Öland Crow', visits: 0 }),
  ],
  (name) => name,
);
const familyOf = new Map([
  [1, 10],
  [3, 10],
  [2, 11],
]);
const shown = (search: GallerySearch) => filterSpecies(all, search, familyOf, 'en').map(({ name }) => name);

describe('filterSpecies', () => {
  it.each<[string, GallerySearch, string[]]>([
    ['nothing asked, the most seen first', {}, ['Rook', 'Blue Tit', 'Great Tit', 'Öland Crow']],
    ['by name, as the language sorts', { sort: 'name' }, ['Blue Tit', 'Great Tit', 'Öland Crow', 'Rook']],
    ['a family, only its species', { family: 10 }, ['Blue Tit', 'Great Tit']],
    ['a text, what it may mean', { q: 'great' }, ['Great Tit']],
    ['a text within a family, both', { q: 'r', family: 11 }, ['Rook']],
    ['a family without any, nothing', { family: 99 }, []],
  ])('%s', (_case, search, names) => {
    expect(shown(search)).toEqual(names);
  });
});
