import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { createMetrics } from '../metrics/index.js';
import { createApp } from './create-app.js';
import type { Probes } from './readiness.js';
import type { RunningService } from './run-service.js';
import { startService } from './start-service.js';

const log = pino({ level: 'silent' });
const fine: Probes = { database: async () => undefined, broker: () => true };
let service: RunningService | undefined;

afterEach(async () => {
  await service?.close();
  service = undefined;
});

interface Setting {
  readonly probes?: Probes;
  readonly port?: number;
  readonly internalSecret?: string;
  readonly release?: (() => Promise<unknown>)[];
}

async function start({ probes = fine, port = 0, internalSecret, release = [] }: Setting = {}) {
  const metrics = createMetrics('test');
  const app = createApp({ log, metrics });
  const gates: (() => void)[] = [];
  app.get('/slow', async () => {
    await new Promise<void>((resolve) => gates.push(resolve));
    return { answered: true };
  });
  const config = {
    host: '127.0.0.1',
    port,
    opsHost: '127.0.0.1',
    opsPort: 0,
    ...(internalSecret && { internalSecret }),
  };
  const started = await startService({ name: 'test', app, config, log, metrics, probes, release });
  service = started;
  return { ...started, gates };
}

async function get(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { headers });
  return [answer.status, await answer.json()];
}

describe('a started service', () => {
  test('its ops port, alive and ready, says so and shows metrics', async () => {
    const { opsUrl } = await start();
    expect(await get(`${opsUrl}/livez`)).toEqual([200, { status: 'ok' }]);
    expect(await get(`${opsUrl}/readyz`)).toEqual([200, { missing: [] }]);
    expect(await (await fetch(`${opsUrl}/metrics`)).text()).toContain('hub_http_request_duration_seconds');
  });

  test('its database away, is not ready; its broker away, is', async () => {
    const database = async () => Promise.reject(new Error('gone'));
    const { opsUrl, url } = await start({ probes: { database, broker: () => true } });
    expect(await get(`${opsUrl}/readyz`)).toEqual([503, { missing: ['database'] }]);
    expect(await get(`${url}/internal/readiness`)).toEqual([200, { database: 'error', broker: 'ok' }]);
    await service?.close();
    const other = await start({ probes: { broker: () => false } });
    expect(await get(`${other.opsUrl}/readyz`)).toEqual([200, { missing: [] }]);
    expect(await get(`${other.url}/internal/readiness`)).toEqual([
      200,
      { database: 'not_used', broker: 'error' },
    ]);
  });

  test('its database that hangs, after a while, is an error', async () => {
    const database = () => new Promise<never>(() => undefined);
    const { url } = await start({ probes: { database } });
    expect(await get(`${url}/internal/readiness`)).toEqual([200, { database: 'error', broker: 'not_used' }]);
  });

  test('its inner readiness, without the secret, is refused', async () => {
    const { url } = await start({ internalSecret: 's3cret' });
    expect(await get(`${url}/internal/readiness`)).toMatchObject([403, { code: 'forbidden' }]);
    const told = await get(`${url}/internal/readiness`, { 'x-hub-internal': 's3cret' });
    expect(told).toEqual([200, { database: 'ok', broker: 'ok' }]);
  });
});

describe('closing a service', () => {
  test('a request in flight on a kept connection, is answered, then everything is let go in order', async () => {
    const order: string[] = [];
    const release = ['bus', 'database'].map((name) => async () => void order.push(name));
    const { url, gates, opsUrl, close } = await start({ release });
    const agent = new Agent({ keepAlive: true });
    const sent = httpRequest(`${url}/slow`, { agent }).end();
    const responding = once(sent, 'response');
    while (!gates.length) await new Promise((resolve) => setTimeout(resolve, 10));
    const closing = close().then(() => order.push('closed'));
    expect(await get(`${opsUrl}/readyz`)).toEqual([503, { missing: ['closing'] }]);
    expect(order).toEqual([]);
    gates[0]?.();
    const [response] = (await responding) as [IncomingMessage];
    expect(JSON.parse(Buffer.concat(await response.toArray()).toString())).toEqual({ answered: true });
    const answeredAt = Date.now();
    await closing;
    expect(Date.now() - answeredAt).toBeLessThan(2_000);
    expect(order).toEqual(['bus', 'database', 'closed']);
    agent.destroy();
  });

  test('twice, is done once', async () => {
    let count = 0;
    const { close } = await start({ release: [async () => ++count] });
    await Promise.all([close(), close()]);
    expect(count).toBe(1);
  });

  test('what cannot be let go, keeps nothing else', async () => {
    let isReleased = false;
    const release = [
      async () => Promise.reject(new Error('stuck')),
      async () => {
        isReleased = true;
      },
    ];
    const { close } = await start({ release });
    await close();
    expect(isReleased).toBe(true);
  });
});

describe('starting a service', () => {
  test('its port taken, fails and lets go of what was opened', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    let isReleased = false;
    const release = [
      async () => {
        isReleased = true;
      },
    ];
    await expect(start({ port, release })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(isReleased).toBe(true);
    taken.close();
  });
});
