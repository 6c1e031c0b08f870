import { describe, expect, it } from 'vitest';
import { timeTicks } from './time-ticks';

const ticks = (from: string, to: string, zone = 'UTC', maxTicks = 6) =>
  timeTicks(Date.parse(from), Date.parse(to), zone, maxTicks).map((at) =>
    new Date(at).toISOString().slice(5, 16),
  );

describe('timeTicks', () => {
  it('some minutes, are cut at round minutes', () => {
    expect(ticks('2026-05-04T08:33:20Z', '2026-05-04T08:41:00Z')).toEqual([
      '05-04T08:34',
      '05-04T08:36',
      '05-04T08:38',
      '05-04T08:40',
    ]);
  });

  it('a day in a zone that is half an hour off, is cut at its own full hours', () => {
    expect(ticks('2026-05-04T10:00:00Z', '2026-05-05T10:00:00Z', 'Asia/Kolkata')).toEqual([
      '05-04T12:30',
      '05-04T18:30',
      '05-05T00:30',
      '05-05T06:30',
    ]);
  });

  it('a week over a change of the clock, is cut at midnights', () => {
    expect(ticks('2026-03-27T12:00:00Z', '2026-04-02T12:00:00Z', 'Europe/Berlin', 8)).toEqual([
      '03-27T23:00',
      '03-28T23:00',
      '03-29T22:00',
      '03-30T22:00',
      '03-31T22:00',
      '04-01T22:00',
    ]);
  });

  it('a month, has no more than was asked for', () => {
    expect(ticks('2026-04-01T12:00:00Z', '2026-05-01T12:00:00Z')).toHaveLength(3);
  });
});
