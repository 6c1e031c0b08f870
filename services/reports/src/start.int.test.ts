import type { RunningService } from '@birdhub/shared/app';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { startReports } from './start.js';

let database: TestDatabase;
let service: RunningService;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startReports({
    DATABASE_URL: database.url,
    NATS_URL: inject('natsUrl'),
    INTERNAL_SECRET: 's3cret',
    LOG_LEVEL: 'silent',
  });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const secret = { headers: { 'x-hub-internal': 's3cret' } };

describe('the reports service', () => {
  test('its ops port, once started, is alive, ready and has metrics', async () => {
    expect((await fetch(`${service.opsUrl}/livez`)).status).toBe(200);
    await vi.waitFor(async () =>
      expect(await (await fetch(`${service.opsUrl}/readyz`)).json()).toEqual({ missing: [] }),
    );
    expect(await (await fetch(`${service.opsUrl}/metrics`)).text()).toContain('service="reports"');
  });

  test('its readiness, as the gateway reads it, names database and broker', async () => {
    await vi.waitFor(async () => {
      const answer = await fetch(`${service.url}/internal/readiness`, secret);
      expect(await answer.json()).toEqual({ database: 'ok', broker: 'ok' });
    }, 5_000);
  });

  test.each(['/', '/api/ui/anything', '/internal/readiness'])(
    '%s, without the secret, is refused',
    async (path) => {
      const answer = await fetch(service.url + path);
      expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'forbidden' }]);
    },
  );

  test('an unknown route, with the secret, is 404', async () => {
    const answer = await fetch(`${service.url}/api/ui/anything`, secret);
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'route_not_found' }]);
  });

  test('without a database URL, does not start and names the variable', async () => {
    await expect(startReports({})).rejects.toThrow('DATABASE_URL is missing');
  });
});
