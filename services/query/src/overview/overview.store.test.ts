import { describe, expect, it } from 'vitest';
import { lastHourFrom } from './overview.store.js';

const noon = Date.UTC(2026, 4, 1, 12);
const minute = 60_000;
const day = { start: Date.UTC(2026, 4, 1), end: Date.UTC(2026, 4, 2) };

describe('lastHourFrom', () => {
  it('a current window, is an hour before now, to the minute', () => {
    expect(lastHourFrom(day, noon)).toBe(noon - 60 * minute);
    expect(lastHourFrom(day, noon + minute - 1)).toBe(noon - 60 * minute);
    expect(lastHourFrom(day, noon + minute)).toBe(noon - 59 * minute);
  });

  it('a window that began less than an hour ago, is its start', () => {
    expect(lastHourFrom(day, day.start + 20 * minute)).toBe(day.start);
  });

  it('a window that ended more than an hour ago, is its end, whatever the time', () => {
    expect(lastHourFrom(day, day.end + 60 * minute)).toBe(day.end);
    expect(lastHourFrom(day, day.end + 500 * minute)).toBe(day.end);
  });
});
