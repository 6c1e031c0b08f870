import { describe, expect, it } from 'vitest';
import { requestIdOf } from './request-id.js';

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
