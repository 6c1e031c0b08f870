import { describe, expect, it } from 'vitest';
import { retryDelayMs } from './retry-delay.js';

const now = Date.parse('2026-11-21T08:00:00Z');

describe('retryDelayMs', () => {
  it('without Retry-After, doubles from 200 ms with each attempt', () => {
    expect([1, 2, 3].map((attempt) => retryDelayMs(attempt, null, now, 0))).toEqual([200, 400, 800]);
  });

  it('without Retry-After, with the largest random number, adds less than a half', () => {
    const delayMs = retryDelayMs(1, null, now, 0.999);
    expect(delayMs).toBeGreaterThan(290);
    expect(delayMs).toBeLessThan(300);
  });

  it('with Retry-After in seconds, waits exactly that', () => {
    expect(retryDelayMs(1, '7', now, 0.5)).toBe(7000);
  });

  it('with Retry-After as a date, waits until then and never a negative time', () => {
    expect(retryDelayMs(1, 'Sat, 21 Nov 2026 08:00:05 GMT', now, 0.5)).toBe(5000);
    expect(retryDelayMs(1, 'Sat, 21 Nov 2026 07:00:00 GMT', now, 0.5)).toBe(0);
  });

  it('with an invalid Retry-After, falls back to its own delay', () => {
    expect(retryDelayMs(2, 'soon', now, 0)).toBe(400);
  });

  it('with a Retry-After of an hour, waits 30 seconds', () => {
    expect(retryDelayMs(1, '3600', now, 0)).toBe(30_000);
  });
});
