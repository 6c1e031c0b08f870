import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';

describe('GET /feed/info', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());

  const info = async () => (await query.get('/api/ui/feed/info')).body;

  it('of a hub without feeder, says so', async () => {
    expect(await info()).toEqual({ feed_source: 'none', last_dispense_at: null, cooldown_seconds: 30 });
  });

  it('with a feeder that gave portions, names the last of them', async () => {
    await query.setSettings({ feed: { source: 'esphome', cooldown_seconds: 90.5 } });
    const rows = [
      ['feed_dispense', '2026-05-01T08:00:00Z'],
      ['feed_dispense', '2026-05-01T09:30:00.25Z'],
      ['heartbeat', '2026-05-01T10:00:00Z'],
    ];
    for (const row of rows)
      await query.database.pool.query(
        `INSERT INTO activity_log (type, data, updated_at) VALUES ($1, '{}', $2)`,
        row,
      );
    expect(await info()).toEqual({
      feed_source: 'esphome',
      last_dispense_at: '2026-05-01T09:30:00.25+00:00',
      cooldown_seconds: 90.5,
    });
  });
});
