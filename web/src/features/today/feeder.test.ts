import { expect, it } from 'vitest';
import { cooldownSeconds } from './feeder';

const now = new Date('2026-05-04T08:00:30Z');
const feed = { feed_source: 'mqtt', cooldown_seconds: 30 };

it.each([
  [null, 0],
  ['2026-05-04T08:00:30Z', 30],
  ['2026-05-04T08:00:05.500Z', 6],
  ['2026-05-04T08:00:00Z', 0],
  ['2026-05-03T08:00:00Z', 0],
  ['2026-05-04T08:00:40Z', 30],
  ['2026-05-04T08:05:00Z', 0],
])('cooldownSeconds, after a portion at %s, returns %i', (last_dispense_at, expected) => {
  expect(cooldownSeconds({ ...feed, last_dispense_at }, now)).toBe(expected);
});
