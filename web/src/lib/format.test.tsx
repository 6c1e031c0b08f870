import { describe, expect, it } from 'vitest';
import { createMeasures, createTimeFormat, describeAgo, describeBytes } from './format';

const instant = '2026-05-04T13:03:05Z';
const plain = (text: string) => text.replace(/\s/g, ' ');

describe('createTimeFormat', () => {
  it.each([
    ['en-GB', '15:03', '15:03:05', '15:00', '15', '0:00', '24:00'],
    ['de', '15:03', '15:03:05', '15:00', '15', '0:00', '24:00'],
    ['ru', '15:03', '15:03:05', '15:00', '15', '0:00', '24:00'],
    ['en-US', '3:03 PM', '3:03:05 PM', '3 PM', '3 PM', '12 AM', '12 AM'],
  ])('times in %s, follow the language', (language, clock, seconds, hour, mark, first, last) => {
    const format = createTimeFormat(language, 'Europe/Berlin');
    const written = [
      format.clock(instant),
      format.clockSeconds(instant),
      format.hour(15),
      format.hourMark(15),
      format.hour(0),
      format.hour(24),
    ];
    expect(written.map(plain)).toEqual([clock, seconds, hour, mark, first, last]);
  });

  it.each([
    ['en-US', '24h', '15:03', '00:30', '15:00'],
    ['en-GB', '12h', '3:03 pm', '12:30 am', '3 pm'],
    ['en-GB', 'auto', '15:03', '00:30', '15:00'],
    ['de', '12h', '3:03 PM', '12:30 AM', '3 PM'],
  ] as const)(
    'times in %s with the clock set to %s, follow the setting',
    (language, timeFormat, noon, night, hour) => {
      const format = createTimeFormat(language, 'Europe/Berlin', timeFormat);
      const written = [format.clock(instant), format.clock('2026-05-03T22:30:00Z'), format.hour(15)];
      expect(written.map(plain)).toEqual([noon, night, hour]);
    },
  );

  it.each([
    ['ru', 'Понедельник, 4 мая 2026 г.', 'понедельник, 4 мая 2026 г.'],
    ['de', 'Montag, 4. Mai 2026', 'Montag, 4. Mai 2026'],
  ])('a day in %s, is capitalised only when it stands by itself', (language, title, day) => {
    const format = createTimeFormat(language, 'UTC');
    expect([format.dayTitle('2026-05-04'), format.longDay('2026-05-04')].map(plain)).toEqual([title, day]);
  });
});

const now = new Date('2026-05-04T12:00:00Z');

describe('describeAgo', () => {
  it.each([
    ['2026-05-04T12:00:30Z', 'now'],
    ['2026-05-04T11:59:01Z', 'now'],
    ['2026-05-04T11:58:00Z', '2 minutes ago'],
    ['2026-05-04T11:00:00Z', '1 hour ago'],
    ['2026-05-03T12:00:00Z', 'yesterday'],
    ['2026-04-30T11:00:00Z', '4 days ago'],
    ['2026-02-01T11:00:00Z', '3 months ago'],
    ['2021-05-04T11:00:00Z', '5 years ago'],
  ])('for %s, returns "%s"', (instant, expected) => {
    expect(describeAgo('en', 'UTC', new Date(instant), now)).toBe(expected);
  });

  it.each([
    ['2026-05-02T22:00:00Z', 'yesterday'],
    ['2026-05-02T21:59:00Z', '2 days ago'],
    ['2026-05-01T21:59:00Z', '3 days ago'],
  ])('for %s in a zone with a different midnight, counts days of the calendar: "%s"', (instant, expected) => {
    const evening = new Date('2026-05-04T20:00:00Z');
    expect(describeAgo('en', 'Europe/Berlin', new Date(instant), evening)).toBe(expected);
  });

  it('in another language, uses that language', () => {
    expect(describeAgo('ru', 'UTC', new Date('2026-05-04T11:55:00Z'), now)).toBe('5 минут назад');
  });
});

describe('createMeasures', () => {
  it.each([
    ['en-GB', 'metric', '12°C', '3 m/s'],
    ['de', 'metric', '12 °C', '3 m/s'],
    ['ru', 'metric', '12 °C', '3 м/с'],
    ['en-US', 'imperial', '54°F', '7 mph'],
    ['en-US', 'metric', '12°C', '3 m/s'],
  ] as const)('%s in %s units, writes %s and %s', (language, units, temperature, speed) => {
    const measures = createMeasures(language, units);
    expect(plain(measures.temperature(12.3))).toBe(temperature);
    expect(plain(measures.speed(3.1))).toBe(speed);
  });

  it('a value just below zero, has no minus sign', () => {
    expect(createMeasures('en-GB', 'metric').temperature(-0.4)).toBe('0°C');
    expect(createMeasures('en-GB', 'metric').temperature(-0.6)).toBe('-1°C');
    expect(createMeasures('en-US', 'imperial').temperature(-18)).toBe('0°F');
  });

  it('with a number of digits, shows them', () => {
    expect(createMeasures('en-US', 'imperial').temperature(12.34, 1)).toBe('54.2°F');
  });
});

describe('describeBytes', () => {
  it.each([
    [0, '0 byte'],
    [999, '999 byte'],
    [1_000, '1 kB'],
    [12_400_000, '12 MB'],
    [1_550_000_000, '1.6 GB'],
    [3_200_000_000_000_000, '3,200 TB'],
  ])('for %i, returns %s', (bytes, text) => expect(describeBytes('en', bytes)).toBe(text));
});
