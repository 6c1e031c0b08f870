import { describe, expect, it } from 'vitest';
import { linkToNextPage } from './next-page.js';
import { writeCursor } from './timeline-cursor.js';

const last = { start: 1_780_000_000_123, id: -7 };
const cursor = writeCursor(last);

describe('linkToNextPage', () => {
  it('a first page, keeps all parameters and names the cursor', () => {
    expect(linkToNextPage('', '/api/ui/timeline?date=2026-05-01&limit=2&x=a%20b', last)).toBe(
      `</api/ui/timeline?date=2026-05-01&limit=2&x=a+b&cursor=${cursor}>; rel="next"`,
    );
  });

  it('a later page behind a prefix, replaces the cursor', () => {
    expect(linkToNextPage('/birds', '/api/ui/timeline?cursor=abc&limit=2', last)).toBe(
      `</birds/api/ui/timeline?cursor=${cursor}&limit=2>; rel="next"`,
    );
  });

  it('parameters that would end the link, are escaped', () => {
    expect(linkToNextPage('', '/api/ui/timeline?x=%3E%3B&limit=2', last)).toContain('x=%3E%3B&');
  });

  it('a question mark in a parameter, ends nothing', () => {
    const link = linkToNextPage('', '/api/ui/timeline?camera_id=a?b&limit=2', last);
    expect(link).toBe(`</api/ui/timeline?camera_id=a%3Fb&limit=2&cursor=${cursor}>; rel="next"`);
  });
});
