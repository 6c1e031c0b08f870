import { describe, expect, it } from 'vitest';
import { isYes, requestIdOf } from './request.js';

describe('requestIdOf', () => {
  it.each(['a', 'Job-1.2:3_4', 'x'.repeat(128)])('the sane id %s, is taken over', (id) => {
    expect(requestIdOf({ 'x-request-id': id })).toBe(id);
  });

  it.each(['', ' ', 'a b', 'a\nb', 'a, a', 'ü', '<b>', 'x'.repeat(129), '{"a":1}'])(
    'the id %j, is replaced',
    (id) => {
      expect(requestIdOf({ 'x-request-id': id })).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('without one, is another each time', () => {
    expect(requestIdOf({})).not.toBe(requestIdOf({}));
  });
});

describe('isYes', () => {
  it.each(['1', 'true', 'yes', 'YES'])('%s, is set', (flag) => {
    expect(isYes(flag)).toBe(true);
  });

  it.each([undefined, '', '0', 'false', 'no', 'on'])('%j, is not', (flag) => {
    expect(isYes(flag)).toBe(false);
  });
});
