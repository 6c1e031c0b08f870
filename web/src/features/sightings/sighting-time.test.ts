import { describe, expect, it } from 'vitest';
import { takenAtOf } from './photo';
import { checkTime, photoInstant } from './sighting-time';

const zone = 'Europe/Berlin';
const now = new Date('2026-05-04T10:00:00Z');

describe('checkTime', () => {
  it('a time of the past, is its instant in the zone of the hub', () => {
    expect(checkTime('2026-05-04T08:05', zone, now)).toEqual({ instant: new Date('2026-05-04T06:05:00Z') });
  });

  it.each([
    ['nothing', '', 'time_missing'],
    ['half a time', '2026-05-04', 'time_missing'],
    ['a minute ahead', '2026-05-04T12:01', 'time_ahead'],
  ])('%s, is refused as %3$s', (_, local, problem) => {
    expect(checkTime(local, zone, now)).toEqual({ problem });
  });
});

describe('the time of a photo', () => {
  const read = (time: unknown, offset?: unknown) =>
    photoInstant(takenAtOf({ DateTimeOriginal: time, OffsetTimeOriginal: offset }), zone, now)?.toISOString();

  it.each([
    ['without an offset, is that of the hub', '2026:05:04 07:42:10', undefined, '2026-05-04T05:42:10.000Z'],
    ['with an offset, is read with it', '2026:05:04 07:42:10', '-03:00', undefined],
    [
      'with an offset in the past, is read with it',
      '2026:05:04 07:42:10',
      '+03:00',
      '2026-05-04T04:42:10.000Z',
    ],
    ['with a damaged offset, is that of the hub', '2026:05:04 07:42:10', 'x', '2026-05-04T05:42:10.000Z'],
    ['that is unset, is unknown', '0000:00:00 00:00:00', undefined, undefined],
    ['that is no text, is unknown', 7, undefined, undefined],
  ])('%s', (_, time, offset, instant) => {
    expect(read(time, offset)).toBe(instant);
  });

  it('without any tags, is unknown', () => expect(takenAtOf(undefined)).toBeUndefined());
});
