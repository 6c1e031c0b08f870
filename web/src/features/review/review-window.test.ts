import { describe, expect, it } from 'vitest';
import { daysUntil, dayWindow, windowBefore } from './review-window';

const hours = ({ start_time, end_time }: ReturnType<typeof dayWindow>) =>
  (Date.parse(end_time) - Date.parse(start_time)) / 3_600_000;

describe('dayWindow', () => {
  it.each([
    ['2026-05-04', 24],
    ['2026-03-29', 23],
    ['2026-10-25', 25],
  ])('%s in Berlin, has %i hours', (day, length) => {
    expect(hours(dayWindow(day, 'Europe/Berlin'))).toBe(length);
  });
});

describe('daysUntil', () => {
  it.each(['2026-03-31', '2026-10-31', '2026-06-30'])(
    'until %s, is within the limit of one request',
    (day) => {
      const window = daysUntil(day, 'Europe/Berlin');
      expect(hours(window)).toBe(31 * 24);
      expect(window.end_time).toBe(dayWindow(day, 'Europe/Berlin').end_time);
    },
  );
});

describe('windowBefore', () => {
  it('a detection, has those that began with it in the rest', () => {
    const window = { start_time: '2026-05-01T00:00:00.000Z', end_time: '2026-05-05T00:00:00.000Z' };
    expect(windowBefore(window, '2026-05-03T10:00:00.500+00:00')).toEqual({
      start_time: '2026-05-01T00:00:00.000Z',
      end_time: '2026-05-03T10:00:00.501Z',
    });
  });
});
