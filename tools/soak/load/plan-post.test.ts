import { describe, expect, it } from 'vitest';
import { planPost } from './plan-post.js';

const times = { begin: Date.parse('2026-11-21T08:00:00Z'), rate: 20 };
const plans = Array.from({ length: 2_000 }, (_, number) => planPost(number, times));

describe('planPost', () => {
  it('at its due time, returns a recording that has just ended, or one up to ten minutes late', () => {
    const delays = plans
      .map(({ recording }, number) => times.begin + number * 50 - Date.parse(recording.end_time))
      .filter((_, number) => !plans[number]?.isRepeat);
    expect(Math.min(...delays)).toBe(0);
    expect(delays.filter((delay) => delay > 0).length / delays.length).toBeCloseTo(0.05, 1);
    expect(Math.max(...delays)).toBeLessThan(600_000);
  });

  it('for one camera, does not overlap recordings that are on time', () => {
    const own = plans.filter(({ recording, isRepeat }, number) => {
      const isLate = Date.parse(recording.end_time) < times.begin + number * 50;
      return recording.camera_id === 'camera-007' && !isRepeat && !isLate;
    });
    expect(own.length).toBeGreaterThan(5);
    own.slice(1).forEach(({ recording }, index) => {
      expect(recording.start_time >= (own[index]?.recording.end_time ?? '')).toBe(true);
    });
  });

  it('for one post in fifty, repeats an earlier one exactly, as after a lost response', () => {
    const repeats = plans.flatMap(({ isRepeat, recording }, number) =>
      isRepeat ? [{ number, recording }] : [],
    );
    expect(repeats).toHaveLength(plans.length / 50);
    for (const { number, recording } of repeats) expect(recording).toEqual(plans[number - 10]?.recording);
  });

  it('over all posts, gives none to three detections within each recording', () => {
    const counts = new Set(plans.map(({ recording }) => recording.species.length));
    expect(counts).toEqual(new Set([0, 1, 2, 3]));
    for (const { recording } of plans) {
      const seconds = (Date.parse(recording.end_time) - Date.parse(recording.start_time)) / 1000;
      for (const { start_time, end_time } of recording.species) {
        expect(start_time).toBeLessThan(end_time);
        expect(end_time).toBeLessThanOrEqual(seconds);
      }
    }
  });
});
