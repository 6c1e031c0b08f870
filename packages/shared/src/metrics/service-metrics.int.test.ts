import { createTestDatabase, findMetricMistakes, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPoolMetrics, createMetrics } from './service-metrics.js';

describe('addPoolMetrics', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('a connection in use, counts as busy, and as idle after its release', async () => {
    const metrics = createMetrics('query');
    addPoolMetrics(metrics, database.pool);
    const client = await database.pool.connect();
    const busy = await metrics.registry.metrics();
    client.release();
    const idle = await metrics.registry.metrics();
    expect(busy).toContain('hub_database_connections{state="busy",service="query"} 1\n');
    expect(idle).toContain('hub_database_connections{state="busy",service="query"} 0\n');
    expect(idle).toContain('hub_database_connections{state="idle",service="query"} 1\n');
    expect(idle).toContain('hub_database_waiting{service="query"} 0\n');
    expect(findMetricMistakes(idle)).toEqual([]);
  });
});
