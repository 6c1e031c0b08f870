import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestGateway } from '../testing/gateway.js';
import {
  checkAccess,
  cookieIn,
  type GuardedHub,
  logout,
  openGuardedHub,
  verify,
} from '../testing/guarded-hub.js';

let hub: GuardedHub;
let gateway: TestGateway;

beforeAll(async () => {
  hub = await openGuardedHub();
  gateway = await hub.start();
});
afterAll(() => hub.close());
beforeEach(async () => {
  await hub.database.pool.query('DELETE FROM session');
  await hub.database.pool.query('DELETE FROM unlock_attempt');
  await hub.set({ admin: 'adm1n', contributor: 'c0ntributor' });
});

describe('the cookie', () => {
  test('behind a trusted proxy with HTTPS and a prefix, is secure and of that path', async () => {
    const behind = await hub.start({ trustedProxies: '127.0.0.1', basePath: '/hub' });
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/birds' };
    const given = await verify(`${behind.url}/hub`, 'adm1n', headers);
    const attributes = 'Path=/birds/hub; HttpOnly; Secure; SameSite=Strict';
    expect(String(given.headers['set-cookie'])).toMatch(new RegExp(`Max-Age=2678400; ${attributes}$`));
    const taken = await logout(`${behind.url}/hub`, headers);
    expect(taken.headers['set-cookie']).toEqual([`hub_session=; Max-Age=0; ${attributes}`]);
  });

  test('for a peer that only claims HTTPS, is not secure', async () => {
    const { headers } = await verify(gateway.url, 'adm1n', {
      'x-forwarded-proto': 'https',
      'x-forwarded-prefix': '/x',
    });
    expect(String(headers['set-cookie'])).toMatch(/Path=\/; HttpOnly; SameSite=Strict$/);
  });
});

describe('the end of a session', () => {
  test('by logging out, is one on the server', async () => {
    const cookie = cookieIn(await verify(gateway.url, 'adm1n'));
    const other = cookieIn(await verify(gateway.url, 'adm1n'));
    const answer = await logout(gateway.url, { cookie });
    expect([answer.status, answer.json]).toEqual([200, { ok: true }]);
    expect(await checkAccess(gateway.url, cookie)).toEqual({ unlocked: false });
    expect(await checkAccess(gateway.url, other)).toEqual({ unlocked: true, role: 'admin' });
    expect((await logout(gateway.url, { cookie })).status).toBe(200);
  });

  test('by the idle limit of the settings, is one', async () => {
    await hub.set({ admin: 'adm1n', contributor: '' }, { session_idle_minutes: 5 });
    const cookie = cookieIn(await verify(gateway.url, 'adm1n'));
    await hub.database.pool.query(`UPDATE session SET used_at = now() - interval '4 minutes'`);
    expect(await checkAccess(gateway.url, cookie)).toMatchObject({ unlocked: true });
    await hub.database.pool.query(`UPDATE session SET used_at = now() - interval '6 minutes'`);
    expect(await checkAccess(gateway.url, cookie)).toEqual({ unlocked: false });
  });

  test('by the password of its role being gone, is one', async () => {
    const contributor = cookieIn(await verify(gateway.url, 'c0ntributor'));
    const admin = cookieIn(await verify(gateway.url, 'adm1n'));
    await hub.set({ admin: 'adm1n', contributor: '' });
    expect(await checkAccess(gateway.url, contributor)).toEqual({ unlocked: false });
    expect(await checkAccess(gateway.url, admin)).toEqual({ unlocked: true, role: 'admin' });
  });

  test('by a page of another site, is none', async () => {
    const cookie = cookieIn(await verify(gateway.url, 'adm1n'));
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await logout(gateway.url, { cookie, ...headers });
      expect([answer.status, answer.json['code']]).toEqual([403, 'csrf_rejected']);
    }
    expect(await checkAccess(gateway.url, cookie)).toMatchObject({ unlocked: true });
    expect(
      (await logout(gateway.url, { cookie, origin: gateway.url, 'sec-fetch-site': 'same-origin' })).status,
    ).toBe(200);
  });
});
