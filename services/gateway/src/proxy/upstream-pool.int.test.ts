import type { HubError } from '@birdhub/shared/errors';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../testing/http.js';
import { type PooledRequest, type PoolLimits, UpstreamPool } from './upstream-pool.js';

let service: TestService;
const pools: UpstreamPool[] = [];

beforeEach(async () => {
  service = await startTestService((request, response) => {
    if (request.url === '/fine') response.end('fine');
  });
});
afterEach(async () => {
  await service.close();
  for (const pool of pools.splice(0)) await pool.close();
});

function open(limits: PoolLimits): UpstreamPool {
  const pool = new UpstreamPool(service.url, { keepAliveTimeout: 300, keepAliveMaxTimeout: 300 }, limits);
  pools.push(pool);
  return pool;
}

/** Sends a request that keeps its connection until the response has arrived; returns its state. */
function acquire(pool: UpstreamPool, path = '/never', clientAddress = '192.0.2.1') {
  const seen = {
    hasStarted: false,
    isSlow: false,
    isAborted: false,
    text: '',
    rejection: undefined as HubError | undefined,
  };
  const request: PooledRequest = {
    clientAddress,
    onConnection(connection) {
      seen.hasStarted = true;
      connection.dispatch(
        { path, method: 'GET' },
        {
          onRequestStart: () => undefined,
          onResponseStart: () => undefined,
          onResponseData(_controller, chunk) {
            seen.text += chunk.toString();
          },
          onResponseEnd: () => pool.release(request),
          onResponseError: () => pool.abandon(request),
        },
      );
    },
    onRejected(error) {
      seen.rejection = error;
    },
    isWaitingForClient: () => seen.isSlow,
    abort() {
      seen.isAborted = true;
    },
  };
  pool.acquire(request);
  return Object.assign(seen, { abandon: () => pool.abandon(request) });
}

describe('UpstreamPool', () => {
  test('a connection that becomes free, is taken by the request that waits', async () => {
    const pool = open({ maxActive: 1 });
    const first = acquire(pool);
    const second = acquire(pool, '/fine');
    expect([first.hasStarted, second.hasStarted, pool.state().waiting]).toEqual([true, false, 1]);
    first.abandon();
    await vi.waitFor(() => expect(second.text).toBe('fine'));
    expect(pool.state().waiting).toBe(0);
  });

  test('a connection that becomes free, is taken by the newest of those that wait', async () => {
    const pool = open({ maxActive: 1, queueTimeoutMs: 60_000 });
    const first = acquire(pool);
    const [second, third] = [acquire(pool), acquire(pool)];
    first.abandon();
    expect([second.hasStarted, third.hasStarted]).toEqual([false, true]);
  });

  test('a request without a connection in time, is rejected as busy with Retry-After, and counted', async () => {
    const pool = open({ maxActive: 1, queueTimeoutMs: 200 });
    acquire(pool);
    const second = acquire(pool);
    await vi.waitFor(() => expect(second.rejection?.code).toBe('busy'), 10_000);
    expect(second.rejection?.retryAfterSeconds).toBeGreaterThan(0);
    expect([second.hasStarted, pool.state().rejected, pool.state().waiting]).toEqual([false, 1, 0]);
  });

  test('a request beyond the maximum queue, is rejected at once', () => {
    const pool = open({ maxActive: 1, maxWaiting: 1 });
    acquire(pool);
    expect(acquire(pool).rejection).toBeUndefined();
    expect(acquire(pool).rejection?.code).toBe('busy');
  });

  test('a request abandoned while waiting, never starts', async () => {
    const pool = open({ maxActive: 1 });
    const first = acquire(pool);
    const second = acquire(pool);
    const third = acquire(pool, '/fine');
    second.abandon();
    first.abandon();
    await vi.waitFor(() => expect(third.text).toBe('fine'));
    expect([second.hasStarted, second.rejection]).toEqual([false, undefined]);
  });

  test('a request with a slow client, makes room for the next and continues', async () => {
    const pool = open({ maxActive: 1 });
    const slow = acquire(pool);
    slow.isSlow = true;
    const second = acquire(pool, '/fine');
    await vi.waitFor(() => expect(second.text).toBe('fine'), 10_000);
    expect(slow.isAborted).toBe(false);
    expect(pool.state().busyConnections).toBe(1);
  });

  test('one slow client more than allowed, aborts the request that has waited longest', async () => {
    const pool = open({ maxActive: 1, maxStalled: 1 });
    const slow = [acquire(pool)];
    for (let count = 0; count < 2; count += 1) {
      for (const one of slow) one.isSlow = true;
      const next = acquire(pool);
      slow.push(next);
      await vi.waitFor(() => expect(next.hasStarted).toBe(true), 10_000);
    }
    expect(slow.map(({ isAborted }) => isAborted)).toEqual([true, false, false]);
  });

  test('one slow client more than allowed, aborts a request of the address that has most of them', async () => {
    const pool = open({ maxActive: 1, maxStalled: 2 });
    const slow = [acquire(pool, '/never', '198.51.100.7')];
    for (let count = 0; count < 3; count += 1) {
      for (const one of slow) one.isSlow = true;
      const next = acquire(pool);
      slow.push(next);
      await vi.waitFor(() => expect(next.hasStarted).toBe(true), 10_000);
    }
    expect(slow.map(({ isAborted }) => isAborted)).toEqual([false, true, false, false]);
  });

  test('a finished request, leaves a connection that is reused, and closed when idle', async () => {
    const pool = open({ maxActive: 8 });
    for (let count = 0; count < 5; count += 1) {
      const one = acquire(pool, '/fine');
      await vi.waitFor(() => expect(one.text).toBe('fine'));
    }
    expect(new Set(service.requests.map(({ socket }) => socket)).size).toBe(1);
    expect(pool.state()).toMatchObject({ busyConnections: 0, idleConnections: 1 });
    await vi.waitFor(() => expect(pool.state().idleConnections).toBe(0), 10_000);
  });

  test('an abandoned request, closes its connection and opens no other', async () => {
    const pool = open({ maxActive: 8 });
    const one = acquire(pool);
    await vi.waitFor(() => expect(service.requests).toHaveLength(1));
    let opened = 0;
    service.server.on('connection', () => {
      opened += 1;
    });
    const closed = new Promise((resolve) => service.requests[0]?.socket.once('close', resolve));
    one.abandon();
    await closed;
    expect(pool.state()).toMatchObject({ busyConnections: 0, idleConnections: 0 });
    expect(opened).toBe(0);
  });

  test('a closed pool, rejects the requests that wait', async () => {
    const pool = open({ maxActive: 1 });
    const first = acquire(pool);
    const second = acquire(pool);
    const closing = pool.close();
    expect(second.rejection?.code).toBe('busy');
    first.abandon();
    await closing;
  });
});
