import { describe, expect, it } from 'vitest';
import { backoffMs, countCrash } from './child-service.js';

describe('backoffMs', () => {
  it('for crashes in a row, doubles from half a second up to half a minute', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 100].map(backoffMs)).toEqual([
      500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
    ]);
  });
});

describe('countCrash', () => {
  it('after less than a minute of uptime, adds to the row', () => {
    expect(countCrash(3, 59_999)).toBe(4);
  });

  it('after a minute of uptime, starts a new row', () => {
    expect(countCrash(3, 60_000)).toBe(1);
  });
});
