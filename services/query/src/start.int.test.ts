import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@birdhub/testing';
import { describe, expect, it } from 'vitest';
import { startQuery } from './start.js';

describe('startQuery', () => {
  it('with an environment, serves the gateway only and releases everything when it stops', async () => {
    const database = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'birdhub-data-'));
    const env = {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      INTERNAL_SECRET: 's3cret',
      LOG_LEVEL: 'silent',
    };
    const service = await startQuery(env);
    try {
      const headers = { 'x-hub-internal': 's3cret' };
      const path = `${service.url}/api/ui/timeline?date=2026-05-01`;
      expect((await fetch(path)).status).toBe(403);
      expect(await (await fetch(path, { headers })).json()).toEqual([]);
      expect((await fetch(`${service.opsUrl}/readyz`)).status).toBe(200);
    } finally {
      await service.close();
    }
    // PostgreSQL ends a session some time after its connection was closed.
    await expect
      .poll(async () => {
        const { rows } = await database.pool.query(
          `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
             AND application_name IN ('birdhub-query', 'birdhub-changes')`,
        );
        return rows[0]?.count;
      })
      .toBe(0);
    await database.drop();
    await rm(dataDir, { recursive: true });
  });

  it('with an environment without a database, is refused naming the variable', async () => {
    await expect(startQuery({})).rejects.toThrow(/DATABASE_URL is missing/);
  });
});
