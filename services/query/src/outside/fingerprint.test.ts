import { describe, expect, it } from 'vitest';
import { fingerprint } from './fingerprint.js';

describe('fingerprint', () => {
  it('the same parts, give the same short text that tells none of them', () => {
    expect(fingerprint('open-meteo', 'secret')).toBe(fingerprint('open-meteo', 'secret'));
    expect(fingerprint('secret')).toMatch(/^[\w-]{16}$/);
  });

  it.each([
    [['a', 'b'], ['ab']],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [['1'], [1]],
    [['a'], ['a', undefined]],
  ])('%j and %j, differ', (one, other) => {
    expect(fingerprint(...one)).not.toBe(fingerprint(...other));
  });
});
