import { describe, expect, it } from 'vitest';
import { fixedClock, manualClock } from './clocks.js';

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
