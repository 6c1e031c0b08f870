import { describe, expect, it } from 'vitest';
import { retryTime } from './delivery-queue.js';

const now = Date.UTC(2026, 4, 1, 12);
const expiresAt = now + 900_000;
const pause = (attempts: number, retryAfter?: string) =>
  (retryTime({ attempts, retryAfter, expiresAt }, now) ?? Number.NaN) - now;

describe('retryTime', () => {
  it('without Retry-After, grows up to five minutes', () => {
    expect([1, 2, 3, 4, 5, 50].map((attempts) => pause(attempts))).toEqual([
      5_000, 15_000, 45_000, 135_000, 300_000, 300_000,
    ]);
  });

  it.each([
    ['seconds', '7', 7_000],
    ['one second', '1', 1_000],
    ['a date', 'Fri, 01 May 2026 12:01:00 GMT', 60_000],
    ['nonsense', 'soon', 5_000],
  ])('with %s in Retry-After, is as requested', (_, header, expected) => {
    expect(pause(1, header)).toBe(expected);
  });

  it.each(['0', '0.2', 'Fri, 01 May 2026 11:00:00 GMT'])(
    'with the invalid Retry-After %s, grows as without',
    (header) => {
      expect([1, 2, 3].map((attempts) => pause(attempts, header))).toEqual([5_000, 15_000, 45_000]);
    },
  );

  it('after the message has expired, is undefined', () => {
    expect(retryTime({ attempts: 1, retryAfter: '900', expiresAt }, now)).toBeUndefined();
    expect(retryTime({ attempts: 1, expiresAt: now + 4_999 }, now)).toBeUndefined();
  });
});
