import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { fixedClock } from '@birdhub/testing/clocks';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { pruneActivity, startPruning } from './prune-activity.js';

const now = Date.UTC(2026, 4, 1);
const clock = fixedClock(now);

describe('pruneActivity', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    await database.pool.query('TRUNCATE activity_log, processor_activity, processor_heartbeat');
  });
  afterAll(() => database.drop());

  const write = (table: string, type: string, daysAgo: number) =>
    database.pool.query(`INSERT INTO ${table} (type, data, updated_at) VALUES ($1, $2, $3)`, [
      type,
      JSON.stringify(daysAgo),
      new Date(now - daysAgo * 86_400_000),
    ]);
  const beat = (daysAgo: number) =>
    database.pool.query('INSERT INTO processor_heartbeat (data, updated_at) VALUES ($1, $2)', [
      JSON.stringify(daysAgo),
      new Date(now - daysAgo * 86_400_000),
    ]);
  const kept = async (table: string) =>
    (await database.pool.query<{ data: number }>(`SELECT data FROM ${table} ORDER BY id`)).rows.map(
      ({ data }) => data,
    );
  const prune = (days: number) => pruneActivity({ pool: database.pool, clock, days });

  it('rows older than the limit, are deleted and newer ones kept', async () => {
    for (const table of ['activity_log', 'processor_activity'])
      for (const days of [399, 400.1, 5_000]) await write(table, 'settings_change', days);
    for (const days of [1, 401]) await beat(days);
    expect(await prune(400)).toBe(5);
    expect(await kept('activity_log')).toEqual([399]);
    expect(await kept('processor_activity')).toEqual([399]);
    expect(await kept('processor_heartbeat')).toEqual([1]);
  });

  it('the last heartbeat, the last portion and reserved rows of imports, are kept at any age', async () => {
    for (const days of [900, 800]) await beat(days);
    for (const days of [700, 600]) await write('activity_log', 'feed_dispense', days);
    await write('activity_log', 'feed_dispense_failed', 500);
    await write('activity_log', 'birdlense_import', 999);
    await prune(30);
    expect(await kept('processor_heartbeat')).toEqual([800]);
    expect(await kept('activity_log')).toEqual([600, 999]);
  });

  it('calls of assistants beyond the newest 50,000, are deleted at any age', async () => {
    await write('activity_log', 'settings_change', 390);
    await database.pool.query(
      `INSERT INTO activity_log (type, data, updated_at)
       SELECT 'assistant_call', '2', $1::timestamptz - number * interval '1 second'
       FROM generate_series(1, 50003) AS number`,
      [new Date(now)],
    );
    expect(await prune(400)).toBe(3);
    expect(await prune(400)).toBe(0);
    expect((await kept('activity_log'))[0]).toBe(390);
  });

  it('more rows than one batch, are all deleted', async () => {
    await database.pool.query(
      `INSERT INTO processor_activity (type, data, updated_at)
       SELECT 'log', '{}', $1 FROM generate_series(1, 12000)`,
      [new Date(0)],
    );
    expect(await prune(1)).toBe(12_000);
    expect(await kept('processor_activity')).toEqual([]);
  });

  it('a starting service, prunes at once and stops without leaving work behind', async () => {
    await write('activity_log', 'settings_change', 401);
    const log = pino({ level: 'silent' });
    const pruning = startPruning({ pool: database.pool, clock, log, days: 400 });
    await vi.waitUntil(async () => (await kept('activity_log')).length === 0);
    await pruning.stop();
  });
});
