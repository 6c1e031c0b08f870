import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../metrics/index.js';
import { createApp } from './create-app.js';
import type { Probes } from './ops-server.js';
import { type RunningService, startService } from './service.js';

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
  readonly opsPort?: number;
  readonly socketPath?: string;
  readonly reservedPort?: number;
  readonly internalSecret?: string;
  readonly release?: (() => Promise<unknown>)[];
}

async function start({
  probes = fine,
  port = 0,
  opsPort = 0,
  internalSecret,
  release = [],
  ...rest
}: Setting = {}) {
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
    opsPort,
    ...rest,
    ...(internalSecret && { internalSecret }),
  };
  const started = await startService({ name: 'test', app, config, log, metrics, probes, release });
  service = started;
  return { ...started, gates };
}

async function get(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  return [response.status, await response.json()];
}

describe('a started service', () => {
  test('with everything available, is alive and ready and serves metrics', async () => {
    const { opsUrl } = await start();
    expect(await get(`${opsUrl}/livez`)).toEqual([200, { status: 'ok' }]);
    expect(await get(`${opsUrl}/readyz`)).toEqual([200, { missing: [] }]);
    expect(await (await fetch(`${opsUrl}/metrics`)).text()).toContain('hub_http_request_duration_seconds');
  });

  test('without its database, is not ready; without its broker, it is ready', async () => {
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

  test('with a database that hangs, reports an error after a timeout', async () => {
    const database = () => new Promise<never>(() => undefined);
    const { url } = await start({ probes: { database } });
    expect(await get(`${url}/internal/readiness`)).toEqual([200, { database: 'error', broker: 'not_used' }]);
  });

  test('without the internal secret, refuses its internal readiness', async () => {
    const { url } = await start({ internalSecret: 's3cret' });
    expect(await get(`${url}/internal/readiness`)).toMatchObject([403, { code: 'forbidden' }]);
    const response = await get(`${url}/internal/readiness`, { 'x-hub-internal': 's3cret' });
    expect(response).toEqual([200, { database: 'ok', broker: 'ok' }]);
  });
});

describe('closing a service', () => {
  test('with a request in flight on a kept connection, responds to it, then closes everything in order', async () => {
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
    // The agent keeps its connection open longer than the test timeout.
    await closing;
    expect(order).toEqual(['bus', 'database', 'closed']);
    agent.destroy();
  });

  test('closed twice, releases once', async () => {
    let count = 0;
    const { close } = await start({ release: [async () => ++count] });
    await Promise.all([close(), close()]);
    expect(count).toBe(1);
  });

  test('with one resource that cannot be closed, still closes the others', async () => {
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

async function takePort() {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  return (taken.address() as AddressInfo).port;
}

describe('starting a service', () => {
  test('on a Unix socket left by a killed process, replaces it and listens on no port', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'birdhub-socket-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const socketPath = join(folder, 'a.sock');
    writeFileSync(socketPath, '');
    const { url, addresses, opsUrl } = await start({ socketPath });
    expect(url).toBe(`unix:${socketPath}`);
    expect(addresses).toEqual([{ name: 'test', opsPort: Number(new URL(opsUrl).port) }]);
    const sent = httpRequest({ socketPath, path: '/internal/readiness' }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    response.resume();
    await service?.close();
    expect(existsSync(socketPath)).toBe(false);
  });

  test('with both ports taken and another one reserved, chooses other ports and returns them', async () => {
    const [port, opsPort] = [await takePort(), await takePort()];
    const { addresses, url, opsUrl } = await start({ port, opsPort, reservedPort: 0 });
    const [address] = addresses;
    expect(url).toBe(`http://127.0.0.1:${address?.port}`);
    expect(opsUrl).toBe(`http://127.0.0.1:${address?.opsPort}`);
    expect([port, opsPort]).not.toContain(address?.port);
    expect([port, opsPort]).not.toContain(address?.opsPort);
    expect(await get(`${opsUrl}/livez`)).toEqual([200, { status: 'ok' }]);
  });

  test('with the reserved port itself taken, fails', async () => {
    const port = await takePort();
    await expect(start({ port, reservedPort: port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('with its ops port taken and none reserved, fails', async () => {
    const opsPort = await takePort();
    await expect(start({ opsPort })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('with its port taken, fails and closes the connections', async () => {
    const port = await takePort();
    let isReleased = false;
    const release = [
      async () => {
        isReleased = true;
      },
    ];
    await expect(start({ port, release })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(isReleased).toBe(true);
  });
});

/** Returns the exit status and the output of a service process with a start function. */
function run(start: string) {
  const program = `
    import { runService } from '@birdhub/shared/app';
    await runService(${start}, {});`;
  const args = ['--input-type=module', '--eval', program];
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  return { status, stderr };
}

test('runService, with a port that is taken, ends with one sentence that names the port', () => {
  const refusal = { syscall: 'listen', code: 'EADDRINUSE', address: '0.0.0.0', port: 8080 };
  const { status, stderr } = run(
    `() => { throw Object.assign(new Error('no'), ${JSON.stringify(refusal)}); }`,
  );
  expect(status).toBe(1);
  expect(stderr).toBe(
    'Port 8080 of 0.0.0.0 cannot be listened on (EADDRINUSE), most likely another program has it: set PORT or OPS_PORT to another one.\n',
  );
});

test('runService, with another error at the start, ends with its stack', () => {
  const { status, stderr } = run(`() => { throw new Error('something else'); }`);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Error: something else\n +at /);
});

test.each([
  ['an exception that nobody catches', `setImmediate(() => { throw new Error('unforeseen'); })`],
  ['a promise that rejects unnoticed', `Promise.reject(new Error('unforeseen'))`],
])('runService, after %s, closes the service and ends with the stack', (_, failure) => {
  const start = `async () => {
    setTimeout(() => ${failure}, 10);
    return { addresses: [], close: async () => process.stderr.write('closed\\n') };
  }`;
  const { status, stderr } = run(start);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Error: unforeseen\n +at /);
  expect(stderr).toMatch(/closed\n$/);
});
