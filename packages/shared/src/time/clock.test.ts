import { describe, expect, it } from 'vitest';
import { fixedClock, manualClock, systemClock } from './clock.js';

describe('systemClock', () => {
  it('read between two looks at the host clock, lies between them', () => {
    const before = Date.now();
    const now = systemClock.now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });
});

describe('fixedClock', () => {
  it('read twice, shows the same instant', () => {
    const clock = fixedClock(1234);
    expect([clock.now(), clock.now()]).toEqual([1234, 1234]);
  });
});

describe('manualClock', () => {
  it('advanced and set, returns the new time', () => {
    const clock = manualClock(1000);
    clock.advance(500);
    const advanced = clock.now();
    clock.set(10);
    expect([advanced, clock.now()]).toEqual([1500, 10]);
  });
});
