import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayWindow, localHour, localHourSql, readZoneClock } from './time.js';

const quarter = 900_000;

describe('localHourSql', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each([
    ['Europe/London', '2026-03-29', 23],
    ['Europe/London', '2026-10-25', 25],
    ['America/New_York', '2026-03-08', 23],
    ['America/New_York', '2026-11-01', 25],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['Asia/Kathmandu', '2026-05-01', 24],
  ])('every quarter of an hour in %s on %s, has the local hour', async (zone, day, hours) => {
    const window = dayWindow(zone, day);
    const count = (window.end - window.start) / quarter;
    expect(count).toBe(hours * 4);
    const instants = Array.from({ length: count }, (_, index) => window.start + index * quarter);
    const { starts, offsets } = readZoneClock(zone, window);
    const { rows } = await database.pool.query<{ hour: number }>(
      `SELECT ${localHourSql('instant', '$1', '$2')} AS hour FROM unnest($3::timestamptz[]) instant`,
      [starts, offsets, instants.map((instant) => new Date(instant))],
    );
    expect(rows.map(({ hour }) => hour)).toEqual(instants.map((instant) => localHour(zone, instant)));
  });
});
