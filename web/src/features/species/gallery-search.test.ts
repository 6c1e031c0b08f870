import { describe, expect, it } from 'vitest';
import { gallerySearch } from './gallery-search';

describe('gallerySearch', () => {
  it.each([
    [
      'all that it knows',
      { q: 'tit', family: 9, sort: 'name', all: true },
      { q: 'tit', family: 9, sort: 'name', all: true },
    ],
    ['a number that is searched for', { q: 7 }, { q: '7' }],
    ['what is so anyway', { q: '', sort: 'count', all: false }, {}],
    ['what makes no sense', { q: '', family: 'x', sort: 3, other: 1 }, {}],
  ])('%s, is taken as it is meant', (_case, raw, search) => {
    expect(gallerySearch(raw)).toEqual(search);
  });
});
