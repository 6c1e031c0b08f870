import { expect, test } from 'vitest';
import { sourcesSearch } from './sources-search';

test.each([
  [{}, {}],
  [{ add: 'frigate' }, { add: 'frigate' }],
  [{ add: 'frigate', edit: 2 }, { add: 'frigate' }],
  [{ add: 'toString' }, {}],
  [{ edit: 2 }, { edit: 2 }],
  [{ edit: '2' }, {}],
  [{ edit: -1, added: 4 }, { added: 4 }],
  [{ added: 1.5 }, {}],
])('sourcesSearch, with %j, keeps %j', (raw, kept) => {
  expect(sourcesSearch(raw)).toEqual(kept);
});
