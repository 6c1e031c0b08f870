import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestGateway } from '../testing/gateway.js';
import { type GuardedHub, openGuardedHub } from '../testing/guarded-hub.js';
import { sendRequest } from '../testing/http.js';

let hub: GuardedHub;
let gateways: TestGateway[];

const startOne = () => hub.start({ trustedProxies: '127.0.0.1' });

beforeAll(async () => {
  hub = await openGuardedHub();
  await hub.set({ admin: 'adm1n', contributor: 'c0ntributor' });
  gateways = [await startOne(), await startOne()];
});
afterAll(() => hub.close());
beforeEach(async () => {
  await hub.database.pool.query('DELETE FROM unlock_attempt');
});

function verify(password: string, from = '198.51.100.7', at = 0) {
  return sendRequest(`${gateways[at]?.url}/api/ui/settings/verify-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ password }),
  });
}

async function statuses(count: number, password: string, from?: string): Promise<number[]> {
  const asked = Array.from({ length: count }, (_, index) => verify(password, from, index % 2));
  return (await Promise.all(asked)).map(({ status }) => status).sort();
}

const age = (seconds: number) =>
  hub.database.pool.query(
    `UPDATE unlock_attempt SET attempted_at = attempted_at - $1 * interval '1 second'`,
    [seconds],
  );

describe('five failures within a minute', () => {
  test('at two gateways, the next attempt at either, is 429 even with the right password', async () => {
    for (let index = 0; index < 5; index += 1) {
      expect((await verify('wrong', undefined, index % 2)).status).toBe(401);
    }
    for (const at of [0, 1]) {
      const refused = await verify('adm1n', undefined, at);
      expect([refused.status, refused.json['code']]).toEqual([429, 'too_many_attempts']);
      const wait = Number(refused.headers['retry-after']);
      expect(Number.isInteger(wait) && wait > 50 && wait <= 60).toBe(true);
      expect(refused.headers).not.toHaveProperty('set-cookie');
    }
    expect((await verify('adm1n', '198.51.100.8')).status).toBe(200);
  });

  test('and 45 more, sent at once to two gateways, are five 401 and forty-five 429', async () => {
    const found = await statuses(50, 'wrong');
    expect(found).toEqual([...Array(5).fill(401), ...Array(45).fill(429)]);
  });

  test('and further attempts, keep the wait as it is until the oldest leaves the window', async () => {
    await verify('wrong');
    await age(40);
    for (let index = 0; index < 4; index += 1) await verify('wrong');
    const before = Number((await verify('wrong')).headers['retry-after']);
    for (let index = 0; index < 5; index += 1) await verify('wrong');
    const after = Number((await verify('wrong')).headers['retry-after']);
    expect(before).toBeLessThanOrEqual(20);
    expect(before).toBeGreaterThan(10);
    expect(after).toBeLessThanOrEqual(before);
    await age(20);
    expect((await verify('wrong')).status).toBe(401);
    expect((await verify('wrong')).status).toBe(429);
    await age(60);
    expect((await verify('adm1n')).status).toBe(200);
  });

  test('and a new gateway, still count', async () => {
    await statuses(5, 'wrong');
    gateways.push(await startOne());
    expect((await verify('adm1n', undefined, 2)).status).toBe(429);
  });

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', 429],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', 200],
    ['::ffff:203.0.113.5', '203.0.113.5', 429],
    ['198.51.100.9, 203.0.113.5', '203.0.113.5', 429],
  ])('from %s, with the right password from %s, lead to %i', async (first, second, status) => {
    await statuses(5, 'wrong', first);
    expect((await verify('adm1n', second)).status).toBe(status);
  });
});

describe('the count of failures', () => {
  test("after four failures and the administrator's password, starts at zero", async () => {
    await statuses(4, 'wrong');
    expect((await verify('adm1n')).status).toBe(200);
    expect(await statuses(5, 'wrong')).toEqual(Array(5).fill(401));
  });

  test("after four failures and the contributor's password, still has the failures", async () => {
    await statuses(4, 'wrong');
    for (let index = 0; index < 3; index += 1) expect((await verify('c0ntributor')).status).toBe(200);
    expect(await statuses(3, 'wrong')).toEqual([401, 429, 429]);
  });

  test.each(['adm1n', 'c0ntributor'])('with %s many times at once, stays at zero', async (password) => {
    expect(await statuses(12, password)).toEqual(Array(12).fill(200));
    expect(await statuses(5, 'wrong')).toEqual(Array(5).fill(401));
  });

  test('with invalid bodies, stays at zero', async () => {
    const body = '{}';
    for (let index = 0; index < 8; index += 1) {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.7' };
      const url = `${gateways[0]?.url}/api/ui/settings/verify-password`;
      expect((await sendRequest(url, { method: 'POST', headers, body })).status).toBe(400);
    }
    expect((await verify('adm1n')).status).toBe(200);
  });
});
