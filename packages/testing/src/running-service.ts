import type { RunningService } from '@birdhub/shared/app';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.js';

const secret = 's3cret';

/** The environment of a service on a test database, with the NATS server of the test run. */
export const serviceEnv = (database: TestDatabase) => ({
  DATABASE_URL: database.url,
  NATS_URL: inject('natsUrl'),
  INTERNAL_SECRET: secret,
  LOG_LEVEL: 'silent',
});

/** Tests that apply to every service behind the gateway: ops port, readiness, and that only the gateway may call it. */
export function describeRunningService(
  name: string,
  start: (env: NodeJS.ProcessEnv) => Promise<RunningService>,
): void {
  describe(`the ${name} service`, () => {
    const headers = { 'x-hub-internal': secret };
    let database: TestDatabase;
    let service: RunningService;
    beforeAll(async () => {
      database = await createTestDatabase();
      service = await start(serviceEnv(database));
    });
    afterAll(async () => {
      await service.close();
      await database.drop();
    });

    test('its ops port, once started, is alive, ready and has metrics', async () => {
      expect((await fetch(`${service.opsUrl}/livez`)).status).toBe(200);
      await vi.waitFor(async () =>
        expect(await (await fetch(`${service.opsUrl}/readyz`)).json()).toEqual({ missing: [] }),
      );
      expect(await (await fetch(`${service.opsUrl}/metrics`)).text()).toContain(`service="${name}"`);
    });

    test('its readiness route, names database and broker', async () => {
      await vi.waitFor(async () => {
        const response = await fetch(`${service.url}/internal/readiness`, { headers });
        expect(await response.json()).toEqual({ database: 'ok', broker: 'ok' });
      }, 5_000);
    });

    test.each(['/', '/api/ui/anything', '/internal/readiness'])(
      '%s, without the secret, is refused',
      async (path) => {
        const response = await fetch(service.url + path);
        expect([response.status, await response.json()]).toMatchObject([403, { code: 'forbidden' }]);
      },
    );

    test('an unknown route, with the secret, is 404', async () => {
      const response = await fetch(`${service.url}/api/ui/anything`, { headers });
      expect([response.status, await response.json()]).toMatchObject([404, { code: 'route_not_found' }]);
    });

    test('without a database URL, does not start and names the variable', async () => {
      await expect(start({})).rejects.toThrow('DATABASE_URL is missing');
    });
  });
}
