import { describe, expect, it } from 'vitest';
import { positionText } from './position-text';

describe('positionText', () => {
  it.each([
    [0, false, '0:00'],
    [9.99, false, '0:09'],
    [65.2, false, '1:05'],
    [3_600, false, '60:00'],
    [0.3, true, '0:00.3'],
    [59.96, true, '0:59.9'],
    [65.4, true, '1:05.4'],
    [-1, true, '0:00.0'],
  ])('%d s, tenths %s, is %s', (seconds, hasTenths, text) => {
    expect(positionText(seconds, hasTenths)).toBe(text);
  });
});
