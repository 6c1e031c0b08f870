import { describe, expect, it } from 'vitest';
import { toFindable } from '../../lib/rank-species';
import { createSpecies } from '../../testing/factories';
import type { GallerySearch } from './gallery-search';
import { familyOfEach, filterSpecies, listKinds, listNew } from './gallery-species';
import type { ObservedSpecies } from './species-queries';

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
const visited = (id: number, first: string, last: string): [number, ObservedSpecies] => [
  id,
  {
    ...createSpecies({ id }),
    first_visit_at: first,
    last_visit_at: last,
    monthly_visits: Array(12).fill(0),
    thumbhash: null,
  },
];
const observed = new Map([
  visited(1, '2026-01-01T08:00:00Z', '2026-05-01T08:00:00Z'),
  visited(2, '2025-01-01T08:00:00Z', '2026-04-01T08:00:00Z'),
  visited(3, '2026-04-25T08:00:00Z', '2026-05-02T08:00:00Z'),
]);
const shown = (search: GallerySearch) =>
  filterSpecies(all, search, familyOf, 'en', observed).map(({ name }) => name);

describe('filterSpecies', () => {
  it.each<[string, GallerySearch, string[]]>([
    ['without a search, lists the most visited first', {}, ['Rook', 'Blue Tit', 'Great Tit', 'Öland Crow']],
    [
      'by name, sorts as the language does',
      { sort: 'name' },
      ['Blue Tit', 'Great Tit', 'Öland Crow', 'Rook'],
    ],
    [
      'by the latest visit, lists species without visits last',
      { sort: 'recent' },
      ['Great Tit', 'Blue Tit', 'Rook', 'Öland Crow'],
    ],
    ['with a family, keeps only its species', { family: 10 }, ['Blue Tit', 'Great Tit']],
    ['with a text, keeps matching species', { q: 'great' }, ['Great Tit']],
    ['with a text and a family, applies both', { q: 'r', family: 11 }, ['Rook']],
    ['with an unknown family, lists nothing', { family: 99 }, []],
  ])('%s', (_case, search, names) => {
    expect(shown(search)).toEqual(names);
  });
});

describe('listNew', () => {
  const now = new Date('2026-05-02T12:00:00Z');

  it('a species whose first visit was last week, is new', () => {
    expect([...listNew(observed, now)]).toEqual([3]);
  });

  it('species of a hub that started last week, are not new', () => {
    expect([...listNew(new Map([...observed].filter(([id]) => id === 3)), now)]).toEqual([]);
  });
});

const tits = { id: 2, name: 'Tits' };
const root = createSpecies({ id: 1, name: 'Birds' });
const family = createSpecies({ id: 2, name: 'Tits', parent_id: 1 });
const tit = createSpecies({ id: 3, name: 'Long-tailed Tit', parent_id: 2 });
const form = createSpecies({ id: 4, name: 'White-headed Long-tailed Tit', parent_id: 3 });
const stranger = createSpecies({ id: 5, name: 'Mystery' });
const tree = [root, family, tit, form, stranger];

describe('familyOfEach', () => {
  it('a species and a form below it, belong to the family above them', () => {
    expect([...familyOfEach(tree, [tits])]).toEqual([
      [3, 2],
      [4, 2],
    ]);
  });

  it('parents in a cycle, belong to no family', () => {
    const circle = [createSpecies({ id: 8, parent_id: 9 }), createSpecies({ id: 9, parent_id: 8 })];
    expect(familyOfEach(circle, [tits]).size).toBe(0);
  });
});

describe('listKinds', () => {
  const idsOf = (more: Parameters<typeof createSpecies>[0][], areAnimalsHidden = false) =>
    listKinds([...tree, ...more.map(createSpecies)], [tits], areAnimalsHidden).map(({ id }) => id);

  it('families and generic entries, are left out', () => {
    expect(idsOf([{ id: 6, name: 'Unknown' }])).toEqual([3, 4, 5]);
  });

  it('other animals with visits, are listed unless hidden, and noise never is', () => {
    const squirrel = { id: 7, name: 'Squirrel', group: 'other_animal', visits: 3 } as const;
    const others = [
      squirrel,
      { ...squirrel, id: 8, visits: 0 },
      { ...squirrel, id: 9, group: 'noise' },
    ] as const;
    expect(idsOf([...others])).toEqual([3, 4, 5, 7]);
    expect(idsOf([...others], true)).toEqual([3, 4, 5]);
  });
});
