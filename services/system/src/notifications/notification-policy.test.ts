import { defaultSettings } from '@birdhub/domain/settings';
import { describe, expect, it } from 'vitest';
import { localTime } from './message.js';
import { isQuiet } from './notification-policy.js';

const at = (time: string) => Date.parse(`2026-05-01T${time}:00Z`);

function quiet(start: string, end: string, time: string, zone = 'UTC'): boolean {
  const settings = defaultSettings(zone);
  Object.assign(settings.notifications, { quiet_hours_start: start, quiet_hours_end: end });
  return isQuiet(settings, at(time));
}

describe('isQuiet', () => {
  it.each([
    ['within a day, before them', '13:00', '15:00', '12:59', false],
    ['within a day, at their start', '13:00', '15:00', '13:00', true],
    ['within a day, at their end', '13:00', '15:00', '15:00', false],
    ['over midnight, in the evening', '22:00', '07:00', '22:00', true],
    ['over midnight, at night', '22:00', '07:00', '00:00', true],
    ['over midnight, in the morning', '22:00', '07:00', '07:00', false],
    ['over midnight, by day', '22:00', '07:00', '21:59', false],
    ['with equal ends', '08:00', '08:00', '08:00', false],
    ['without an end', '08:00', '', '09:00', false],
    ['without a start', '', '08:00', '07:00', false],
  ])('%s, holds or does not', (_, start, end, time, expected) => {
    expect(quiet(start, end, time)).toBe(expected);
  });

  it('in another zone, uses its local time', () => {
    expect(quiet('22:00', '23:00', '20:30', 'Europe/Berlin')).toBe(true);
    expect(quiet('22:00', '23:00', '22:30', 'Europe/Berlin')).toBe(false);
    expect(localTime('Asia/Kolkata', at('20:00'))).toBe('01:30');
  });
});
