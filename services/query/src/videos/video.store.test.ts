import { describe, expect, it } from 'vitest';
import { dayOn, readDayZone } from './video.store.js';

const prague = 'Europe/Prague';
const lateInMay = Date.parse('2026-05-01T23:30:00Z');

describe('readDayZone', () => {
  it('a day in UTC, ignores zone and offset', () => {
    expect(readDayZone({ day_scope: 'utc', tz: prague, tz_offset_minutes: 60 }, prague)).toEqual({
      zone: 'UTC',
    });
  });

  it('a zone and an offset, give the zone', () => {
    const query = { day_scope: 'local', tz: 'Asia/Tokyo', tz_offset_minutes: 60 } as const;
    expect(readDayZone(query, prague)).toEqual({ zone: 'Asia/Tokyo' });
  });

  it('an offset only, gives that offset', () => {
    expect(readDayZone({ day_scope: 'local', tz_offset_minutes: 0 }, prague)).toEqual({ offsetMinutes: 0 });
  });

  it('neither, gives the zone of the hub', () => {
    expect(readDayZone({ day_scope: 'local' }, prague)).toEqual({ zone: prague });
  });

  it.each(['Mars/Olympus', '', '+02:00'])('%j as zone, is refused naming the parameter', (tz) => {
    expect(() => readDayZone({ day_scope: 'local', tz }, prague)).toThrow(/^tz: /);
    expect(() => readDayZone({ day_scope: 'utc', tz }, prague)).toThrow(/^tz: /);
  });
});

describe('dayOn', () => {
  it('late in May in a zone east of Greenwich, is the next day with a negative offset', () => {
    expect(dayOn({ zone: prague }, lateInMay)).toEqual({
      day: '2026-05-02',
      start: Date.parse('2026-05-01T22:00:00Z'),
      end: Date.parse('2026-05-02T22:00:00Z'),
      offsetMinutes: -120,
    });
  });

  it('at an offset of UTC+3, is the next day too', () => {
    expect(dayOn({ offsetMinutes: -180 }, lateInMay)).toEqual({
      day: '2026-05-02',
      start: Date.parse('2026-05-01T21:00:00Z'),
      end: Date.parse('2026-05-02T21:00:00Z'),
      offsetMinutes: -180,
    });
  });

  it('in UTC, has an offset of positive zero', () => {
    expect(dayOn({ zone: 'UTC' }, lateInMay)).toMatchObject({ day: '2026-05-01', offsetMinutes: 0 });
  });

  it('on the day when clocks go forward, has 23 hours', () => {
    const { start, end } = dayOn({ zone: prague }, Date.parse('2026-03-29T12:00:00Z'));
    expect((end - start) / 3_600_000).toBe(23);
  });
});
