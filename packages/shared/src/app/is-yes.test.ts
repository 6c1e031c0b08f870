import { describe, expect, it } from 'vitest';
import { isYes } from './is-yes.js';

describe('isYes', () => {
  it.each(['1', 'true', 'yes', 'YES'])('%s, is set', (flag) => {
    expect(isYes(flag)).toBe(true);
  });

  it.each([undefined, '', '0', 'false', 'no', 'on'])('%j, is not', (flag) => {
    expect(isYes(flag)).toBe(false);
  });
});
