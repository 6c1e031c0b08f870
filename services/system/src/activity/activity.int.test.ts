import { SettingsReader } from '@birdhub/domain/settings';
import { createApp, type HubApp } from '@birdhub/shared/app';
import { createMetrics } from '@birdhub/shared/metrics';
import {
  aDetection,
  aRecording,
  countStatements,
  createTestDatabase,
  createTestWriter,
  storeSettings,
  type TestDatabase,
} from '@birdhub/testing';
import { fixedClock } from '@birdhub/testing/clocks';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { activityRoutes } from './activity.routes.js';

describe('GET /system/activity', () => {
  let database: TestDatabase;
  let settings: SettingsReader;
  let app: HubApp;

  beforeAll(async () => {
    database = await createTestDatabase();
    const { pool } = database;
    const log = pino({ level: 'silent' });
    settings = new SettingsReader({ pool, timezone: 'Europe/Berlin', log });
    app = createApp({ log, metrics: createMetrics('system') });
    activityRoutes(app, { pool, settings, clock: fixedClock(Date.UTC(2026, 2, 31, 22, 30)) });
  });
  beforeEach(() => database.pool.query('TRUNCATE processor_uptime'));
  afterAll(async () => {
    settings.close();
    await app.close();
    await database.drop();
  });

  const get = (query = '') => app.inject(`/api/ui/system/activity${query}`);
  const uptimes = async (month: string) =>
    Object.fromEntries(
      (await get(`?month=${month}`))
        .json()
        .filter((day: { totalUptime: number }) => day.totalUptime > 0)
        .map((day: { date: string; totalUptime: number }) => [day.date, day.totalUptime]),
    );
  const heard = (from: string, to: string) =>
    database.pool.query('INSERT INTO processor_uptime VALUES ($1, $2)', [from, to]);

  it('without a month, has every day of the current month of the hub', async () => {
    const days = (await get()).json();
    expect(days).toHaveLength(30);
    expect(days[0]).toEqual({ date: '2026-04-01', totalUptime: 0, visits: 0, recordings: 0 });
    expect(days.at(-1).date).toBe('2026-04-30');
  });

  it('with uptime over local midnight, counts for both days', async () => {
    await heard('2026-05-03T20:00Z', '2026-05-03T23:30Z');
    expect(await uptimes('2026-05')).toEqual({ '2026-05-03': 2, '2026-05-04': 1.5 });
  });

  it('with uptime over a whole month, counts days of 23 and of 25 hours', async () => {
    await heard('2026-03-01T00:00Z', '2026-11-30T00:00Z');
    expect((await uptimes('2026-03'))['2026-03-29']).toBe(23);
    expect((await uptimes('2026-10'))['2026-10-25']).toBe(25);
  });

  it('with overlapping uptimes, counts once', async () => {
    await heard('2026-05-10T08:00Z', '2026-05-10T10:00Z');
    await heard('2026-05-10T09:00Z', '2026-05-10T11:00Z');
    await heard('2026-05-10T09:30Z', '2026-05-10T09:30Z');
    expect(await uptimes('2026-05')).toEqual({ '2026-05-10': 3 });
  });

  it('with recordings and visits, counts for the local day on which they began', async () => {
    const { writer } = createTestWriter(database.pool);
    const evening = Date.UTC(2026, 4, 20, 21, 59, 50);
    await writer.post(aRecording({ start: evening }), 'test');
    await writer.post(aRecording({ start: evening + 3_600_000, detections: [] }), 'test');
    const generic = [aDetection({ speciesName: 'Bird' })];
    await writer.post(aRecording({ start: evening + 7_200_000, detections: generic }), 'test');
    const days = (await get('?month=2026-05')).json();
    const [before, after] = [days[19], days[20]];
    expect(before).toMatchObject({ date: '2026-05-20', visits: 1, recordings: 1 });
    expect(after).toMatchObject({ date: '2026-05-21', visits: 0, recordings: 2 });
  });

  it.each(['2026', '2026-13', '2026-5', 'may', '', '0001-01'])('with month %j, is refused', async (month) => {
    const response = await get(`?month=${month}`);
    expect([response.statusCode, response.json()]).toMatchObject([
      400,
      { code: 'invalid_request', details: [{ path: 'month' }] },
    ]);
  });

  it.each(['9999-12', '0002-02', '2024-02'])('with month %s, is accepted', async (month) => {
    expect((await get(`?month=${month}`)).statusCode).toBe(200);
  });

  it('with a day that the zone skipped, leaves it out', async () => {
    await storeSettings(database.pool, { general: { timezone: 'Pacific/Apia' } });
    settings.forget();
    await heard('2011-12-01T00:00Z', '2011-12-31T23:00Z');
    expect((await uptimes('2011-12'))['2011-12-30']).toBeUndefined();
    expect((await uptimes('2011-12'))['2011-12-31']).toBe(24);
  });

  it('for any month, takes one statement', async () => {
    expect(await countStatements(database.pool, () => get('?month=2026-05'))).toBe(1);
  });
});
