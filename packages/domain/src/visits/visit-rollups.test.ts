import { describe, expect, it } from 'vitest';
import { RollupDeltas } from './visit-rollups.js';

const hour = 3_600_000;
const visit = { maxSimultaneous: 2, detectionCount: 5, videoCount: 3 };
const lasting = (start: number, ms = 1_500) => ({ ...visit, start, end: start + ms });

describe('RollupDeltas', () => {
  it('a visit, counts for the calendar day of its start in the zone', () => {
    const start = Date.UTC(2026, 4, 2, 3, 59);
    const dayIn = (zone: string) => {
      const deltas = new RollupDeltas(zone);
      deltas.count(1, lasting(start, 5 * hour), 1);
      return deltas.list().map((delta) => delta.day);
    };
    expect(dayIn('UTC')).toEqual(['2026-05-02']);
    expect(dayIn('America/New_York')).toEqual(['2026-05-01']);
    expect(dayIn('Pacific/Kiritimati')).toEqual(['2026-05-02']);
  });

  it('a visit, adds all that a day sums up', () => {
    const deltas = new RollupDeltas('UTC');
    deltas.count(7, lasting(0), 1);
    deltas.count(7, { ...lasting(hour), videoCount: 0 }, 1);
    expect(deltas.list()).toEqual([
      {
        speciesId: 7,
        day: '1970-01-01',
        visits: 2,
        individuals: 4,
        videoVisits: 1,
        detections: 10,
        durationMs: 3_000,
      },
    ]);
  });

  it('a visit counted out and in again as it was, changes no day', () => {
    const deltas = new RollupDeltas('UTC');
    deltas.count(7, lasting(0), -1);
    deltas.count(7, lasting(0), 1);
    expect(deltas.list()).toEqual([]);
  });

  it('a visit that only grew, changes its length alone', () => {
    const deltas = new RollupDeltas('UTC');
    deltas.count(7, lasting(0), -1);
    deltas.count(7, lasting(0, 4_000), 1);
    expect(deltas.list()).toMatchObject([{ visits: 0, individuals: 0, detections: 0, durationMs: 2_500 }]);
  });

  it('a visit whose start moved over midnight, leaves one day for the other', () => {
    const deltas = new RollupDeltas('UTC');
    deltas.count(7, lasting(24 * hour), -1);
    deltas.count(7, lasting(24 * hour - 1), 1);
    expect(deltas.list().map(({ day, visits }) => [day, visits])).toEqual([
      ['1970-01-01', 1],
      ['1970-01-02', -1],
    ]);
  });

  it('days of many species, come in one order whatever came first', () => {
    const deltas = new RollupDeltas('UTC');
    for (const [species, day] of [
      [10, 1],
      [9, 3],
      [9, 2],
      [10, 0],
    ] as const) {
      deltas.count(species, lasting(day * 24 * hour), 1);
    }
    expect(deltas.list().map(({ speciesId, day }) => `${speciesId} ${day}`)).toEqual([
      '9 1970-01-03',
      '9 1970-01-04',
      '10 1970-01-01',
      '10 1970-01-02',
    ]);
  });
});
