import { describe, expect, it } from 'vitest';
import { isNamedBy, weakTag } from './entity-tag.js';

describe('weakTag', () => {
  it('the same parts, give the same weak tag', () => {
    expect(weakTag('a', Buffer.from('b'))).toBe(weakTag('a', 'b'));
    expect(weakTag('a')).toMatch(/^W\/"[\w-]{27}"$/);
  });

  it('another body, gives another tag', () => {
    expect(weakTag('a')).not.toBe(weakTag('b'));
  });
});

describe('isNamedBy', () => {
  it.each([
    ['W/"abc"', 'W/"abc"'],
    ['"abc"', 'W/"abc"'],
    ['W/"abc"', '"abc"'],
    ['"x", W/"abc" , "y"', 'W/"abc"'],
    ['"a,b", "c"', '"a,b"'],
    ['*', '"abc"'],
    [' * ', 'W/"abc"'],
  ])('%s against %s, is named', (header, tag) => {
    expect(isNamedBy(header, tag)).toBe(true);
  });

  it.each([
    [undefined, '"abc"'],
    ['', '"abc"'],
    ['abc', '"abc"'],
    ['"abcd"', '"abc"'],
    ['"x", "y"', 'W/"abc"'],
  ])('%s against %s, is not named', (header, tag) => {
    expect(isNamedBy(header, tag)).toBe(false);
  });
});
