import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkToNextPage, pageUrl, readCursor, writeCursor } from './timeline-cursor.js';

describe('readCursor', () => {
  it('any position, written and read, is the same', () => {
    const start = fc.integer({
      min: Date.parse('0001-01-01T00:00:00Z'),
      max: Date.parse('9999-12-30T23:59:59Z'),
    });
    fc.assert(
      fc.property(start, fc.maxSafeInteger(), (start, id) => {
        const place = { start, id };
        expect(readCursor(writeCursor(place))).toEqual(place);
      }),
    );
  });

  it.each([
    '',
    'x',
    '!!',
    'MTIz',
    `${writeCursor({ start: 1, id: 2 })}=`,
    writeCursor({ start: 1.5, id: 2 }),
    writeCursor({ start: -253_402_200_000_000, id: 1 }),
    writeCursor({ start: 1, id: Number.NaN }),
    writeCursor({ start: 999_999_999_999_999, id: 1 }),
  ])('%j, is refused naming the parameter', (cursor) => {
    expect(() => readCursor(cursor)).toThrow(/^cursor: /);
  });
});

const last = { start: 1_780_000_000_123, id: -7 };
const cursor = writeCursor(last);

describe('pageUrl', () => {
  const schema = { properties: { date: {}, limit: {} } };

  it.each([
    ['/api/ui/timeline', '/page?'],
    ['/api/ui/timeline?limit=2&date=2026-05-01', '/page?limit=2&date=2026-05-01'],
    ['/api/ui/timeline?x=1&limit=2&constructor=a', '/page?limit=2'],
    ['http://evil.example/api/ui/timeline?limit=2', '/page?limit=2'],
    ['/api/ui/timeline?date=a?b', '/page?date=a%3Fb'],
  ])('%s, has the path of the page and the declared parameters', (requested, url) => {
    expect(pageUrl('/page', requested, schema)).toBe(url);
  });
});

describe('linkToNextPage', () => {
  it('of a first page, keeps all parameters and names the cursor', () => {
    expect(linkToNextPage('', '/api/ui/timeline?date=2026-05-01&limit=2&x=a%20b', last)).toBe(
      `</api/ui/timeline?date=2026-05-01&limit=2&x=a+b&cursor=${cursor}>; rel="next"`,
    );
  });

  it('of a later page behind a prefix, replaces the cursor', () => {
    expect(linkToNextPage('/birds', '/api/ui/timeline?cursor=abc&limit=2', last)).toBe(
      `</birds/api/ui/timeline?cursor=${cursor}&limit=2>; rel="next"`,
    );
  });

  it('with parameters that would end the link, escapes them', () => {
    expect(linkToNextPage('', '/api/ui/timeline?x=%3E%3B&limit=2', last)).toContain('x=%3E%3B&');
  });

  it('with a question mark in a parameter, keeps it', () => {
    const link = linkToNextPage('', '/api/ui/timeline?camera_id=a?b&limit=2', last);
    expect(link).toBe(`</api/ui/timeline?camera_id=a%3Fb&limit=2&cursor=${cursor}>; rel="next"`);
  });
});
