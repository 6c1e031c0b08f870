import { expect, test } from 'vitest';
import { toStationTime } from './station-time.js';

test.each([
  ['Europe/Berlin', '2026-05-01T22:30:00.900Z', '2026-05-02', '00:30:00', '2026-05-02T00:30:00+02:00'],
  ['UTC', '2026-05-01T22:30:00Z', '2026-05-01', '22:30:00', '2026-05-01T22:30:00Z'],
  ['America/St_Johns', '2026-01-01T00:00:00Z', '2025-12-31', '20:30:00', '2025-12-31T20:30:00-03:30'],
])('toStationTime, in %s, has the offset of the zone', (zone, instant, date, time, timestamp) => {
  expect(toStationTime(zone, Date.parse(instant))).toEqual({ date, time, timestamp });
});
