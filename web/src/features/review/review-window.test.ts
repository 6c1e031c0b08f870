import { describe, expect, it } from 'vitest';
import { daysUntil, lastPart, partBefore, rangeWindow, windowBefore } from './review-window';

const hours = ({ start_time, end_time }: ReturnType<typeof rangeWindow>) =>
  (Date.parse(end_time) - Date.parse(start_time)) / 3_600_000;

describe('rangeWindow', () => {
  it.each([
    ['2026-05-04', 24],
    ['2026-03-29', 23],
    ['2026-10-25', 25],
  ])('%s in Berlin, has %i hours', (day, length) => {
    expect(hours(rangeWindow(day, day, 'Europe/Berlin'))).toBe(length);
  });
});

describe('daysUntil', () => {
  it.each(['2026-03-31', '2026-10-31', '2026-06-30'])(
    'ending on %s, fits the limit of one request',
    (day) => {
      const window = daysUntil(day, 'Europe/Berlin');
      expect(hours(window)).toBe(31 * 24);
      expect(window.end_time).toBe(rangeWindow(day, day, 'Europe/Berlin').end_time);
    },
  );
});

describe('windowBefore', () => {
  it('before a detection, includes others that begin at the same time', () => {
    const window = { start_time: '2026-05-01T00:00:00.000Z', end_time: '2026-05-05T00:00:00.000Z' };
    expect(windowBefore(window, '2026-05-03T10:00:00.500+00:00')).toEqual({
      start_time: '2026-05-01T00:00:00.000Z',
      end_time: '2026-05-03T10:00:00.501Z',
    });
  });
});

describe('the parts of a long range', () => {
  it('in turn, leave no gap, fit the limit of one request and end at its start', () => {
    const window = rangeWindow('2026-01-01', '2026-04-15', 'Europe/Berlin');
    const parts = [lastPart(window)];
    for (let next = partBefore(window, lastPart(window)); next; next = partBefore(window, next))
      parts.push(next);
    expect(parts.map(hours)).toEqual([31 * 24, 31 * 24, 31 * 24, 12 * 24 - 1]);
    expect(parts[0]?.end_time).toBe(window.end_time);
    expect(parts.at(-1)?.start_time).toBe(window.start_time);
    expect(parts.slice(1).map(({ end_time }) => end_time)).toEqual(
      parts.slice(0, -1).map(({ start_time }) => start_time),
    );
  });
});
