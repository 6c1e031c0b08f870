import type { HubError } from '@birdhub/shared/errors';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../testing/service.js';
import { type PoolEntrant, type PoolLimits, UpstreamPool } from './upstream-pool.js';

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

/** Asks for `path` and keeps its place until the answer has come; what became of it. */
function enter(pool: UpstreamPool, path = '/never', clientAddress = '192.0.2.1') {
  const seen = {
    hasBegun: false,
    isSlow: false,
    isCutOff: false,
    text: '',
    refusal: undefined as HubError | undefined,
  };
  const entrant: PoolEntrant = {
    clientAddress,
    begin(connection) {
      seen.hasBegun = true;
      connection.dispatch(
        { path, method: 'GET' },
        {
          onRequestStart: () => undefined,
          onResponseStart: () => undefined,
          onResponseData(_controller, chunk) {
            seen.text += chunk.toString();
          },
          onResponseEnd: () => pool.release(entrant),
          onResponseError: () => pool.abandon(entrant),
        },
      );
    },
    refuse(error) {
      seen.refusal = error;
    },
    isWaitingForClient: () => seen.isSlow,
    cutOff() {
      seen.isCutOff = true;
    },
  };
  pool.enter(entrant);
  return Object.assign(seen, { abandon: () => pool.abandon(entrant) });
}

describe('UpstreamPool', () => {
  test('a place that becomes free, is taken by who waits', async () => {
    const pool = open({ maxActive: 1 });
    const first = enter(pool);
    const second = enter(pool, '/fine');
    expect([first.hasBegun, second.hasBegun, pool.state().waiting]).toEqual([true, false, 1]);
    first.abandon();
    await vi.waitFor(() => expect(second.text).toBe('fine'));
    expect(pool.state().waiting).toBe(0);
  });

  test('a place that becomes free, is taken by the newest of those who wait', async () => {
    const pool = open({ maxActive: 1, queueTimeoutMs: 60_000 });
    const first = enter(pool);
    const [second, third] = [enter(pool), enter(pool)];
    first.abandon();
    expect([second.hasBegun, third.hasBegun]).toEqual([false, true]);
  });

  test('no place in time, is refused as busy with the time to wait, and counted', async () => {
    const pool = open({ maxActive: 1, queueTimeoutMs: 200 });
    enter(pool);
    const second = enter(pool);
    await vi.waitFor(() => expect(second.refusal?.code).toBe('busy'), 10_000);
    expect(second.refusal?.retryAfterSeconds).toBeGreaterThan(0);
    expect([second.hasBegun, pool.state().refused, pool.state().waiting]).toEqual([false, 1, 0]);
  });

  test('as many waiting as may, refuses the next at once', () => {
    const pool = open({ maxActive: 1, maxWaiting: 1 });
    enter(pool);
    expect(enter(pool).refusal).toBeUndefined();
    expect(enter(pool).refusal?.code).toBe('busy');
  });

  test('who leaves while waiting, never begins', async () => {
    const pool = open({ maxActive: 1 });
    const first = enter(pool);
    const second = enter(pool);
    const third = enter(pool, '/fine');
    second.abandon();
    first.abandon();
    await vi.waitFor(() => expect(third.text).toBe('fine'));
    expect([second.hasBegun, second.refusal]).toEqual([false, undefined]);
  });

  test('who waits for a slow client, makes room and goes on', async () => {
    const pool = open({ maxActive: 1 });
    const slow = enter(pool);
    slow.isSlow = true;
    const second = enter(pool, '/fine');
    await vi.waitFor(() => expect(second.text).toBe('fine'), 10_000);
    expect(slow.isCutOff).toBe(false);
    expect(pool.state().busyConnections).toBe(1);
  });

  test('more slow clients than may stay, cuts the one off that has waited longest', async () => {
    const pool = open({ maxActive: 1, maxStalled: 1 });
    const slow = [enter(pool)];
    for (let count = 0; count < 2; count += 1) {
      for (const one of slow) one.isSlow = true;
      const next = enter(pool);
      slow.push(next);
      await vi.waitFor(() => expect(next.hasBegun).toBe(true), 10_000);
    }
    expect(slow.map(({ isCutOff }) => isCutOff)).toEqual([true, false, false]);
  });

  test('more slow clients than may stay, cuts nobody off who has fewer than others', async () => {
    const pool = open({ maxActive: 1, maxStalled: 2 });
    const slow = [enter(pool, '/never', '198.51.100.7')];
    for (let count = 0; count < 3; count += 1) {
      for (const one of slow) one.isSlow = true;
      const next = enter(pool);
      slow.push(next);
      await vi.waitFor(() => expect(next.hasBegun).toBe(true), 10_000);
    }
    expect(slow.map(({ isCutOff }) => isCutOff)).toEqual([false, true, false, false]);
  });

  test('an exchange that ended, has its connection used again, and closed when nobody needs it', async () => {
    const pool = open({ maxActive: 8 });
    for (let count = 0; count < 5; count += 1) {
      const one = enter(pool, '/fine');
      await vi.waitFor(() => expect(one.text).toBe('fine'));
    }
    expect(new Set(service.requests.map(({ socket }) => socket)).size).toBe(1);
    expect(pool.state()).toMatchObject({ busyConnections: 0, idleConnections: 1 });
    await vi.waitFor(() => expect(pool.state().idleConnections).toBe(0), 10_000);
  });

  test('an exchange that is abandoned, closes its connection and opens no other', async () => {
    const pool = open({ maxActive: 8 });
    const one = enter(pool);
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

  test('closed, refuses who waits', async () => {
    const pool = open({ maxActive: 1 });
    const first = enter(pool);
    const second = enter(pool);
    const closing = pool.close();
    expect(second.refusal?.code).toBe('busy');
    first.abandon();
    await closing;
  });
});
