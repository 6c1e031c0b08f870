import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@birdhub/testing';
import { expect, it, vi } from 'vitest';
import { startQuery } from '../start.js';
import { startStubService } from '../testing/stub-service.js';

it('two query services, started at once with a place, fetch the weather once and both show it', async () => {
  const stub = await startStubService();
  stub.answer({ current: { temperature_2m: 12.5 } });
  const database = await createTestDatabase();
  await database.pool.query(
    `UPDATE setting SET value = '{"secrets": {"latitude": "50.1", "longitude": "14.4"}}' WHERE key = 'hub'`,
  );
  const dataDir = await mkdtemp(join(tmpdir(), 'birdhub-data-'));
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    OPEN_METEO_URL: `${stub.url}/v1`,
  };
  const services = await Promise.all([startQuery(env), startQuery(env)]);
  try {
    for (const { url } of services) {
      const show = async () => (await fetch(`${url}/api/ui/weather`)).json();
      await vi.waitFor(async () => expect(await show()).toMatchObject({ temp: 12.5, stale: false }), 8_000);
    }
    expect(stub.requests.map((request) => request.url.split('?')[0])).toEqual(['/v1/forecast']);
    expect(stub.requests[0]?.headers['user-agent']).toMatch(/^Birdhub\/\d+\.\d+\.\d+ /);
  } finally {
    await Promise.all(services.map((service) => service.close()));
    await database.drop();
    await stub.close();
    await rm(dataDir, { recursive: true });
  }
});
