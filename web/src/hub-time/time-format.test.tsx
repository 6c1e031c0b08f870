import { describe, expect, it } from 'vitest';
import { createTimeFormat } from './time-format';

const instant = '2026-05-04T13:03:05Z';
const plain = (text: string) => text.replace(/\s/g, ' ');

describe('createTimeFormat', () => {
  it.each([
    ['en-GB', '15:03', '15:03:05', '15:00', '15', '0:00', '24:00'],
    ['de', '15:03', '15:03:05', '15:00', '15', '0:00', '24:00'],
    ['ru', '15:03', '15:03:05', '15:00', '15', '0:00', '24:00'],
    ['en-US', '3:03 PM', '3:03:05 PM', '3 PM', '3 PM', '12 AM', '12 AM'],
  ])('times in %s, are written as there', (language, clock, seconds, hour, mark, first, last) => {
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
    ['ru', 'Понедельник, 4 мая 2026 г.', 'понедельник, 4 мая 2026 г.'],
    ['de', 'Montag, 4. Mai 2026', 'Montag, 4. Mai 2026'],
  ])('a day in %s, begins with a capital only where it stands by itself', (language, title, day) => {
    const format = createTimeFormat(language, 'UTC');
    expect([format.dayTitle('2026-05-04'), format.longDay('2026-05-04')].map(plain)).toEqual([title, day]);
  });
});
