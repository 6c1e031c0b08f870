import { describe, expect, it } from 'vitest';
import { readSummary } from './wikipedia.js';

const page = {
  type: 'standard',
  title: 'Great tit',
  extract: 'The great tit is a small passerine bird.',
  thumbnail: { source: 'https://upload.example.org/thumb.jpg', width: 320, height: 213 },
  originalimage: { source: 'https://upload.example.org/whole.jpg' },
  content_urls: { desktop: { page: 'https://en.example.org/wiki/Great_tit' } },
};

describe('readSummary', () => {
  it('a page about one subject, gives its text, thumbnail and address', () => {
    expect(readSummary(page)).toEqual({
      description: page.extract,
      imageUrl: page.thumbnail.source,
      sourceUrl: page.content_urls.desktop.page,
    });
  });

  it('a page without a thumbnail, gives the original picture, and without both gives none', () => {
    expect(readSummary({ ...page, thumbnail: undefined })?.imageUrl).toBe(page.originalimage.source);
    expect(readSummary({ ...page, thumbnail: null, originalimage: 7 })?.imageUrl).toBeNull();
  });

  it.each([
    ['a list of meanings', { ...page, type: 'disambiguation' }],
    ['a page of another kind', { ...page, type: 'mainpage' }],
    ['an answer of another shape', [page]],
    ['nothing', null],
  ])('%s, is undefined', (_, response) => {
    expect(readSummary(response)).toBeUndefined();
  });

  it('invalid URLs and texts that the database cannot store, are left out or cleaned', () => {
    const odd = readSummary({
      ...page,
      extract: `a\0b${'x'.repeat(10_000)}`,
      thumbnail: { source: 'javascript:alert(1)' },
      originalimage: { source: '//example.org/a.jpg' },
      content_urls: { desktop: { page: 'ftp://example.org' } },
    });
    expect(odd).toMatchObject({ imageUrl: null, sourceUrl: null });
    expect(odd?.description).toHaveLength(5_000);
    expect(odd?.description).toMatch(/^abx/);
  });
});
