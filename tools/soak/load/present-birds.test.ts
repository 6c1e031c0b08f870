import { describe, expect, it } from 'vitest';
import { presentBirds } from './present-birds.js';

const birds = 60;
const hourMs = 3_600_000;
const begin = Date.parse('2026-11-21T08:00:00Z');
const seconds = Array.from({ length: 3_600 }, (_, index) => begin + index * 1_000);

describe('presentBirds', () => {
  it('over an hour, includes every bird and always some', () => {
    const seen = seconds.map((at) => presentBirds(birds, at));
    expect(new Set(seen.flat()).size).toBe(birds);
    expect(Math.min(...seen.map((present) => present.length))).toBeGreaterThanOrEqual(2);
    expect(Math.max(...seen.map((present) => present.length))).toBeLessThan(birds / 2);
  });

  it('after a bird has left, keeps it away for longer than the gap and a recording', () => {
    for (let bird = 0; bird < birds; bird += 1) {
      const there = seconds.filter((at) => presentBirds(birds, at).includes(bird));
      const silences = there.slice(1).map((at, index) => at - (there[index] ?? 0));
      const gaps = silences.filter((silence) => silence > 1_000);
      expect(gaps.length).toBeGreaterThanOrEqual(hourMs / 500_000);
      expect(Math.min(...gaps)).toBeGreaterThan(75_000);
    }
  });

  it('at a moment without birds, returns the first one', () => {
    const quiet = seconds.find((at) => presentBirds(2, at).length === 1 && presentBirds(2, at)[0] === 0);
    expect(quiet).toBeDefined();
    for (const at of seconds) expect(presentBirds(1, at)).toEqual([0]);
  });
});
