import { describe, expect, it } from 'vitest';
import { nextCursor } from './next-cursor';

describe('nextCursor', () => {
  it.each([
    ['no header', null, undefined],
    ['a link to the next page', '</hub/api/ui/timeline?date=2026-05-04&cursor=a%2Bb>; rel="next"', 'a+b'],
    ['a link to something else', '</api/ui/timeline?cursor=a>; rel="prev"', undefined],
    ['several links', '</x?cursor=a>; rel="prev", </x?cursor=b>; rel="next"', 'b'],
  ])('with %s, returns the cursor of the next page, if any', (_case, link, cursor) => {
    expect(nextCursor(link)).toBe(cursor);
  });
});
