import { describe, expect, it } from 'vitest';
import { gallerySearch } from './gallery-search';

describe('gallerySearch', () => {
  it.each([
    [
      'valid parameters',
      { q: 'tit', family: 9, sort: 'name', all: true },
      { q: 'tit', family: 9, sort: 'name', all: true },
    ],
    ['a number as the search text', { q: 7 }, { q: '7' }],
    ['default values', { q: '', sort: 'count', all: false }, {}],
    ['invalid values', { q: '', family: 'x', sort: 3, other: 1 }, {}],
  ])('with %s, returns the normalised search', (_case, raw, search) => {
    expect(gallerySearch(raw)).toEqual(search);
  });
});
