import { describe, expect, it } from 'vitest';
import { publicPrefix } from './public-prefix.js';

describe('publicPrefix', () => {
  it.each(['/birds', '/garden/birds-2', '/~me/v1.0'])('%s, is taken', (prefix) => {
    expect(publicPrefix({ headers: { 'x-forwarded-prefix': prefix } })).toBe(prefix);
  });

  it.each(['', '/', '//evil.example', '/a/', 'birds', '/a b', '/a>; rel="x"', 'https://evil.example'])(
    '%j, is no prefix',
    (prefix) => {
      expect(publicPrefix({ headers: { 'x-forwarded-prefix': prefix } })).toBe('');
    },
  );

  it('no header, is the root', () => {
    expect(publicPrefix({ headers: {} })).toBe('');
  });
});
