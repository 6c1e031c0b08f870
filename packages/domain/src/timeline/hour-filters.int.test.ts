import { dayWindow, localHour } from '@birdhub/shared/time';
import { createTestDatabase, insertManyVisits, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bindFilters, type TimelineFilters, unlinkedOfWindow, visitsOfWindow } from './timeline-filters.js';

const quarter = 900_000;
const clockChanges = [
  ['Europe/London', '2026-03-29'],
  ['Europe/London', '2026-10-25'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Asia/Kathmandu', '2026-05-01'],
] as const;

describe('filters by hour', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    const from = Date.UTC(2026, 2, 1);
    await insertManyVisits(database.pool, { count: 260 * 96, from, everyMs: quarter });
  });
  afterAll(() => database.drop());

  async function startsOf(zone: string, day: string, filters: TimelineFilters) {
    const window = dayWindow(zone, day);
    const { names, values } = bindFilters(filters, zone, window);
    const { rows } = await database.pool.query<{ start: Date }>(
      `SELECT start_time AS start FROM (${visitsOfWindow(names, 3)}) visit ORDER BY start_time`,
      [new Date(window.start), new Date(window.end), ...values],
    );
    return rows.map(({ start }) => start.getTime());
  }
  const quartersOf = (zone: string, day: string, isWanted: (hour: number) => boolean) => {
    const { start, end } = dayWindow(zone, day);
    const all = Array.from({ length: (end - start) / quarter }, (_, index) => start + index * quarter);
    return all.filter((instant) => isWanted(localHour(zone, instant)));
  };

  it.each(clockChanges)('in %s on %s, pass the visits that start in each local hour', async (zone, day) => {
    for (let hour = 0; hour < 24; hour += 1)
      expect(await startsOf(zone, day, { hour })).toEqual(quartersOf(zone, day, (one) => one === hour));
  });

  it.each(clockChanges)('by part of the day in %s on %s, pass its hours', async (zone, day) => {
    const night = await startsOf(zone, day, { time_of_day: 'night' });
    expect(night).toEqual(quartersOf(zone, day, (hour) => hour >= 22 || hour <= 4));
    const both = await startsOf(zone, day, { source: 'video', hour: 23, time_of_day: 'night' });
    expect(both).toEqual(quartersOf(zone, day, (hour) => hour === 23));
  });

  it('with an item that started before the window, judge its own start', async () => {
    const { pool } = database;
    const zone = 'Europe/London';
    const start = new Date('2027-03-27T12:00:00Z');
    await pool.query(
      `INSERT INTO video (camera_id, video_path, start_time, end_time, detection_count, content_hash)
       VALUES ('', 'long.mp4', $1, $2, 0, '')`,
      [start, new Date('2027-03-28T11:00:00Z')],
    );
    const window = dayWindow(zone, '2027-03-28');
    const count = async (hour: number) => {
      const { names, values } = bindFilters({ hour }, zone, window);
      const parameters = [new Date(window.start), new Date(window.end), ...values];
      const sql = `WITH given AS (SELECT $1::timestamptz, $2::timestamptz) ${unlinkedOfWindow(names, 3)}`;
      return (await pool.query(sql, parameters)).rowCount;
    };
    expect([await count(12), await count(13)]).toEqual([1, 0]);
  });
});
