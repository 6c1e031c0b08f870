import { describe, expect, it } from 'vitest';
import { searchPage, searchQuery } from './search-query.js';

describe('searchQuery', () => {
  it.each([
    ['Great Tit', 'Parus major', 'gen:"Parus" sp:"major"'],
    ['White-headed Long-tailed Tit', 'Aegithalos caudatus caudatus', 'gen:"Aegithalos" sp:"caudatus"'],
    ['Great Tit', null, 'en:"=Great Tit"'],
    ['Great Tit', ' ', 'en:"=Great Tit"'],
    ['Tits', 'Paridae', 'en:"=Tits"'],
    ['A "big" bird', null, 'en:"=A big bird"'],
  ])('%s, %j, is %s', (name, scientificName, expected) => {
    expect(searchQuery({ name, scientificName })).toBe(expected);
  });
});

describe('searchPage', () => {
  it('a query, is a page of the archive', () => {
    const url = new URL(searchPage('gen:"Parus" sp:"major"'));
    expect([url.origin, url.pathname, url.searchParams.get('query')]).toEqual([
      'https://xeno-canto.org',
      '/explore',
      'gen:"Parus" sp:"major"',
    ]);
  });
});
