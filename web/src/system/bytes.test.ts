import { describe, expect, test } from 'vitest';
import { describeBytes } from './bytes';

describe('describeBytes', () => {
  test.each([
    [0, '0 byte'],
    [999, '999 byte'],
    [1_000, '1 kB'],
    [12_400_000, '12 MB'],
    [1_550_000_000, '1.6 GB'],
    [3_200_000_000_000_000, '3,200 TB'],
  ])('of %i, is %s', (bytes, text) => expect(describeBytes('en', bytes)).toBe(text));
});
