import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { startOpsServer } from './ops-server.js';

it('startOpsServer, when a metric or the readiness cannot be read, responds with 500 and why', async () => {
  const registry = new Registry();
  const fail = async () => {
    throw new Error('the disk is gone');
  };
  registry.metrics = fail;
  const server = await startOpsServer({
    host: '127.0.0.1',
    port: 0,
    reservedPort: undefined,
    registry,
    readiness: fail,
  });
  for (const path of ['/metrics', '/readyz']) {
    const response = await fetch(server.url + path);
    expect([response.status, await response.json()]).toEqual([500, { error: 'the disk is gone' }]);
  }
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  await server.close();
});
