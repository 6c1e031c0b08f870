import { SettingsReader } from '@birdhub/domain/settings';
import { createApp, type HubApp } from '@birdhub/shared/app';
import { createMetrics } from '@birdhub/shared/metrics';
import {
  aDetection,
  aRecording,
  countStatements,
  createTestDatabase,
  createTestWriter,
  type TestDatabase,
} from '@birdhub/testing';
import { fixedClock } from '@birdhub/testing/clocks';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visitorsRoutes } from './visitors.routes.js';

const now = Date.UTC(2026, 4, 10, 12);
const dayMs = 86_400_000;

describe('GET /system/visitors', () => {
  let database: TestDatabase;
  let settings: SettingsReader;
  let app: HubApp;

  beforeAll(async () => {
    database = await createTestDatabase();
    const { pool } = database;
    const log = pino({ level: 'silent' });
    settings = new SettingsReader({ pool, timezone: 'UTC', log });
    app = createApp({ log, metrics: createMetrics('system') });
    visitorsRoutes(app, { pool, settings, clock: fixedClock(now) });
    const { writer, notifier } = createTestWriter(pool);
    for (const daysAgo of [-1, 0, 0.1, 6, 7, 364, 365]) {
      await writer.post(aRecording({ start: now - daysAgo * dayMs }), 'test');
    }
    const generic = [aDetection({ speciesName: 'Bird' })];
    await writer.post(aRecording({ start: now - 3 * dayMs, detections: generic }), 'test');
    await notifier.settled();
  });
  afterAll(async () => {
    settings.close();
    await app.close();
    await database.drop();
  });

  const get = (query = '') => app.inject(`/api/ui/system/visitors${query}`);

  it.each([
    ['', 7, 3, 2],
    ['?days=1', 1, 2, 1],
    ['?days=8', 8, 4, 3],
    ['?days=365', 365, 5, 4],
  ])('with %j, counts %i days up to today', async (query, days, visits, active) => {
    expect((await get(query)).json()).toEqual({
      period_days: days,
      unique_visits: visits,
      active_days: active,
      method: 'species_visit_sessions',
    });
  });

  it.each(['0', '366', '1.5', 'many'])('with %s days, is refused', async (days) => {
    const response = await get(`?days=${days}`);
    expect([response.statusCode, response.json()]).toMatchObject([400, { details: [{ path: 'days' }] }]);
  });

  it('for any days, takes one statement', async () => {
    await get();
    expect(await countStatements(database.pool, () => get())).toBe(1);
  });
});
