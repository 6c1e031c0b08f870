import { describe, expect, it } from 'vitest';
import { takenAtOf } from './photo';
import { checkTime, photoInstant } from './sighting-time';

const zone = 'Europe/Berlin';
const now = new Date('2026-05-04T10:00:00Z');

describe('checkTime', () => {
  it('a past time, returns its instant in the zone of the hub', () => {
    expect(checkTime('2026-05-04T08:05', zone, now)).toEqual({ instant: new Date('2026-05-04T06:05:00Z') });
  });

  it.each([
    ['no time', '', 'time_missing'],
    ['an incomplete time', '2026-05-04', 'time_missing'],
    ['a time one minute ahead', '2026-05-04T12:01', 'time_ahead'],
  ])('%s, is refused', (_, local, problem) => {
    expect(checkTime(local, zone, now)).toEqual({ problem });
  });
});

describe('the time of a photo', () => {
  const read = (time: unknown, offset?: unknown) =>
    photoInstant(takenAtOf({ DateTimeOriginal: time, OffsetTimeOriginal: offset }), zone, now)?.toISOString();

  it.each([
    [
      'without an offset, is in the zone of the hub',
      '2026:05:04 07:42:10',
      undefined,
      '2026-05-04T05:42:10.000Z',
    ],
    ['with an offset that puts it in the future, is undefined', '2026:05:04 07:42:10', '-03:00', undefined],
    [
      'with an offset that puts it in the past, is converted',
      '2026:05:04 07:42:10',
      '+03:00',
      '2026-05-04T04:42:10.000Z',
    ],
    [
      'with an invalid offset, is in the zone of the hub',
      '2026:05:04 07:42:10',
      'x',
      '2026-05-04T05:42:10.000Z',
    ],
    ['of zeros only, is undefined', '0000:00:00 00:00:00', undefined, undefined],
    ['that is not text, is undefined', 7, undefined, undefined],
  ])('%s', (_, time, offset, instant) => {
    expect(read(time, offset)).toBe(instant);
  });

  it('without tags, is undefined', () => expect(takenAtOf(undefined)).toBeUndefined());
});
