import { HubError } from '@birdhub/shared/errors';
import { describe, expect, it } from 'vitest';
import { type RequestedWindow, readWindow } from './timeline-filters.js';

const london = 'Europe/London';

function refusedField(requested: RequestedWindow, zone = london): string | undefined {
  try {
    readWindow(requested, zone);
    return undefined;
  } catch (error) {
    return error instanceof HubError && error.status === 400 ? error.details?.[0]?.path : String(error);
  }
}

describe('readWindow', () => {
  it('Unix seconds, are read as UTC to the millisecond', () => {
    expect(readWindow({ start_time: '1780000000', end_time: '1780000000.25' }, london)).toEqual({
      start: 1_780_000_000_000,
      end: 1_780_000_000_250,
    });
  });

  it('RFC 3339 times, are read with their offset', () => {
    const requested = { start_time: '2026-05-01T10:00:00+02:00', end_time: '2026-05-01T09:00:00Z' };
    expect(readWindow(requested, london)).toEqual({
      start: Date.UTC(2026, 4, 1, 8),
      end: Date.UTC(2026, 4, 1, 9),
    });
  });

  it.each([
    ['2026-03-29', 23],
    ['2026-05-01', 24],
    ['2026-10-25', 25],
  ])('the day %s, has %d hours', (date, hours) => {
    const { start, end } = readWindow({ date }, london);
    expect((end - start) / 3_600_000).toBe(hours);
  });

  it.each([
    [{}, 'start_time'],
    [{ end_time: '1' }, 'start_time'],
    [{ start_time: '1' }, 'end_time'],
    [{ date: '2026-05-01', start_time: '1', end_time: '2' }, 'date'],
    [{ date: '2026-05-01', end_time: '2' }, 'date'],
    [{ date: '2026-02-30' }, 'date'],
    [{ date: 'today' }, 'date'],
    [{ date: '' }, 'date'],
    [{ start_time: 'now', end_time: '2' }, 'start_time'],
    [{ start_time: '1', end_time: '' }, 'end_time'],
    [{ start_time: '1', end_time: 'NaN' }, 'end_time'],
    [{ start_time: '2', end_time: '1' }, 'end_time'],
    [{ start_time: '1', end_time: '1' }, 'end_time'],
    [{ start_time: '0', end_time: String(31 * 86_400 + 3_601) }, 'end_time'],
  ])('%j, is refused for %s', (requested, field) => {
    expect(refusedField(requested)).toBe(field);
  });

  it.each([
    ['America/Havana', '0001-01-01T00:00:00Z', '0001-01-02T00:00:00Z', 'start_time'],
    ['America/Havana', '0001-01-02T00:00:00Z', '0001-01-03T00:00:00Z', undefined],
    ['Pacific/Kiritimati', '9999-12-30T00:00:00Z', '9999-12-31T23:00:00Z', 'end_time'],
    ['Pacific/Kiritimati', '9999-12-30T00:00:00Z', '9999-12-31T09:59:59Z', undefined],
  ])(
    'in %s from %s to %s near the limits of the calendar, is refused for %s',
    (zone, start_time, end_time, field) => {
      expect(refusedField({ start_time, end_time }, zone)).toBe(field);
    },
  );

  it.each([
    ['a summer month', '2026-07-01T00:00:00+01:00', '2026-08-01T00:00:00+01:00'],
    ['the month in which clocks go back', '2026-10-01T00:00:00+01:00', '2026-11-01T00:00:00Z'],
    ['the month in which clocks go forward', '2026-03-01T00:00:00Z', '2026-04-01T00:00:00+01:00'],
    ['31 times 24 hours across the change forward', '2026-03-10T12:00:00Z', '2026-04-10T12:00:00Z'],
  ])('%s, is not too long', (_, start_time, end_time) => {
    expect(refusedField({ start_time, end_time })).toBeUndefined();
  });

  it('one second more than the month in which clocks go back, is too long', () => {
    expect(refusedField({ start_time: '2026-10-01T00:00:00+01:00', end_time: '2026-11-01T00:00:01Z' })).toBe(
      'end_time',
    );
  });

  it('745 hours without a clock change, are too long', () => {
    const requested = { start_time: '2026-10-01T00:00:00Z', end_time: '2026-11-01T01:00:00Z' };
    expect(refusedField(requested, 'UTC')).toBe('end_time');
  });
});
