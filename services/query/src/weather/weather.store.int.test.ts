import { dayWindow } from '@birdhub/shared/time';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readHourlyTemperatures } from './weather.store.js';

describe('readHourlyTemperatures', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    await database.pool.query('TRUNCATE weather_snapshot CASCADE');
  });
  afterAll(() => database.drop());

  async function measure(at: string, temp: number | null): Promise<void> {
    await database.pool.query(
      `INSERT INTO weather_snapshot (source, temp, fetched_at) VALUES ('open-meteo', $1, $2)`,
      [temp, at],
    );
  }
  const read = (zone: string, day: string) =>
    readHourlyTemperatures(database.pool, dayWindow(zone, day), zone);
  const only = (entries: Record<number, number>) =>
    Array.from({ length: 24 }, (_, hour) => entries[hour] ?? null);

  it('without measurements, are null in every hour', async () => {
    expect(await read('UTC', '2026-05-01')).toEqual(only({}));
  });

  it('with several measurements in an hour, are their mean to a tenth of a degree', async () => {
    await measure('2026-05-01T08:00:00Z', 10);
    await measure('2026-05-01T08:20:00Z', 10.5);
    await measure('2026-05-01T08:59:59.999Z', 11);
    await measure('2026-05-01T09:00:00Z', -3.26);
    await measure('2026-05-01T10:00:00Z', null);
    expect(await read('UTC', '2026-05-01')).toEqual(only({ 8: 10.5, 9: -3.3 }));
  });

  it('in another zone, are by the hours and the day of its clock', async () => {
    await measure('2026-04-30T18:14:59Z', 1);
    await measure('2026-04-30T18:15:00Z', 2);
    await measure('2026-05-01T18:14:59Z', 3);
    await measure('2026-05-01T18:15:00Z', 4);
    expect(await read('Asia/Kathmandu', '2026-05-01')).toEqual(only({ 0: 2, 23: 3 }));
  });

  it('when the clock is set back, have one value for the repeated hour', async () => {
    await measure('2026-10-25T00:30:00Z', 4);
    await measure('2026-10-25T01:30:00Z', 6);
    await measure('2026-10-25T23:30:00Z', 9);
    expect(await read('Europe/London', '2026-10-25')).toEqual(only({ 1: 5, 23: 9 }));
  });

  it('when the clock is set forward, are null for the missing hour', async () => {
    await measure('2026-03-29T00:30:00Z', 4);
    await measure('2026-03-29T01:30:00Z', 6);
    expect(await read('Europe/London', '2026-03-29')).toEqual(only({ 0: 4, 2: 6 }));
  });
});
