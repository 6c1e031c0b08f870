import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { isUnmodified, weakTag } from './entity-tag.js';

describe('weakTag', () => {
  it('the same parts, give the same weak tag', () => {
    expect(weakTag('a', Buffer.from('b'))).toBe(weakTag('a', 'b'));
    expect(weakTag('a')).toMatch(/^W\/"[\w-]{27}"$/);
  });

  it('another body, gives another tag', () => {
    expect(weakTag('a')).not.toBe(weakTag('b'));
  });
});

describe('isUnmodified', () => {
  const modified = 'Fri, 01 May 2026 08:00:00 GMT';
  const later = 'Fri, 01 May 2026 08:01:00 GMT';
  const earlier = 'Fri, 01 May 2026 07:59:59 GMT';
  const ask = (headers: IncomingHttpHeaders, etag: string) =>
    isUnmodified({ headers }, { getHeaders: () => ({ etag, 'last-modified': modified }) });

  it.each([
    ['W/"abc"', 'W/"abc"'],
    ['"abc"', 'W/"abc"'],
    ['W/"abc"', '"abc"'],
    ['"x", W/"abc" , "y"', 'W/"abc"'],
    ['*', '"abc"'],
  ])('If-None-Match: %s against %s is true', (header, tag) => {
    expect(ask({ 'if-none-match': header }, tag)).toBe(true);
  });

  it.each([
    [undefined, '"abc"'],
    ['', '"abc"'],
    ['abc', '"abc"'],
    ['"abcd"', '"abc"'],
    ['"x", "y"', 'W/"abc"'],
  ])('If-None-Match: %s against %s is false', (header, tag) => {
    expect(ask({ 'if-none-match': header }, tag)).toBe(false);
  });

  it.each([
    [{ 'if-modified-since': modified }, true],
    [{ 'if-modified-since': later }, true],
    [{ 'if-modified-since': earlier }, false],
    [{ 'if-modified-since': 'yesterday' }, false],
    [{ 'if-none-match': '"other"', 'if-modified-since': modified }, false],
    [{ 'if-none-match': '"abc"', 'if-modified-since': earlier }, true],
    [{ 'if-none-match': '"abc"', 'cache-control': 'no-cache' }, true],
  ])('%j is %s', (headers, expected) => {
    expect(ask(headers, '"abc"')).toBe(expected);
  });

  it('If-Modified-Since of a reply without a date is false', () => {
    const headers = { 'if-modified-since': later };
    expect(isUnmodified({ headers }, { getHeaders: () => ({ etag: '"abc"' }) })).toBe(false);
  });
});
