import { needsRehash } from '@birdhub/shared/passwords';
import { systemClock } from '@birdhub/shared/time';
import { storeSettings } from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TestGateway } from '../testing/gateway.js';
import {
  checkAccess,
  cookieIn,
  type GuardedHub,
  logout,
  openGuardedHub,
  verify,
} from '../testing/guarded-hub.js';
import { sendRequest } from '../testing/http.js';
import { sweepExpired } from './sessions.js';

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

const json = { 'content-type': 'application/json' };
const below = (path: string) => `${gateway.url}/api/ui/settings/${path}`;

describe('a hub without passwords', () => {
  beforeEach(() => hub.set({ admin: '', contributor: '' }));

  test('the session routes, for anybody, report the role admin', async () => {
    expect((await sendRequest(below('requires-password'))).json).toEqual({
      requires: false,
      has_contributor_tier: false,
    });
    expect(await checkAccess(gateway.url)).toEqual({ unlocked: true, role: 'admin' });
    const verified = await verify(gateway.url, 'anything');
    expect([verified.status, verified.json]).toEqual([200, { ok: true, role: 'admin' }]);
    expect(verified.headers).not.toHaveProperty('set-cookie');
  });
});

describe('unlocking', () => {
  test.each([
    ['adm1n', 'admin'],
    ['c0ntributor', 'contributor'],
  ])('with the password %s, opens a session of the role %s', async (password, role) => {
    const response = await verify(gateway.url, password);
    expect([response.status, response.json]).toEqual([200, { ok: true, role }]);
    expect(response.headers['set-cookie']).toEqual([
      expect.stringMatching(/^hub_session=[\w-]{43}; Max-Age=2678400; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(await checkAccess(gateway.url, cookieIn(response))).toEqual({ unlocked: true, role });
  });

  test.each(['wrong', '', 'ADM1N', 'adm1n '])('with %j, is 401 wrong_password', async (password) => {
    const response = await verify(gateway.url, password);
    expect(response.status).toBe(401);
    expect(response.json).toEqual({
      ok: false,
      error: 'Wrong password.',
      code: 'wrong_password',
      request_id: response.headers['x-request-id'],
    });
    expect(response.headers).not.toHaveProperty('set-cookie');
  });

  test('with an empty password, when no contributor password is set, is 401', async () => {
    await hub.set({ admin: 'adm1n', contributor: '' });
    expect((await verify(gateway.url, '')).status).toBe(401);
    expect((await sendRequest(below('requires-password'))).json).toEqual({
      requires: true,
      has_contributor_tier: false,
    });
  });

  test('with an open session, sets a new token and ends that session', async () => {
    const first = cookieIn(await verify(gateway.url, 'adm1n'));
    const second = cookieIn(await verify(gateway.url, 'c0ntributor', { cookie: `other=1; ${first}` }));
    expect(await checkAccess(gateway.url, first)).toEqual({ unlocked: false });
    expect(await checkAccess(gateway.url, second)).toEqual({ unlocked: true, role: 'contributor' });
    expect(await checkAccess(gateway.url, `${first}; ${second}`)).toEqual({
      unlocked: true,
      role: 'contributor',
    });
  });

  test.each([
    ['of a number', json, JSON.stringify({ password: 1 }), 400, '/password'],
    ['of 1025 characters', json, JSON.stringify({ password: 'x'.repeat(1_025) }), 400, '/password'],
    ['with an unknown key', json, JSON.stringify({ password: 'x', role: 'admin' }), 400, '/role'],
    ['without the password', json, '{}', 400, '/password'],
  ])('with a body %s, is 400 and names the field', async (_, headers, body, status, path) => {
    const response = await sendRequest(below('verify-password'), { method: 'POST', headers, body });
    expect([response.status, response.json['details']]).toMatchObject([status, [{ path }]]);
  });

  test.each([{}, { 'content-type': 'text/plain' }, { 'content-type': 'application/x-www-form-urlencoded' }])(
    'with the content type %j, is 415',
    async (headers) => {
      const options = { method: 'POST', headers: { ...headers, 'content-length': '20' } };
      const response = await sendRequest(below('verify-password'), {
        ...options,
        body: '{"password":"adm1n"}',
      });
      expect([response.status, response.json['code']]).toEqual([415, 'unsupported_media_type']);
    },
  );

  test('with a password written to the database in plain text, replaces it by its hash', async () => {
    await storeSettings(hub.database.pool, { general: { settings_password: 'plain' } });
    await hub.passwords.refresh();
    const cookie = cookieIn(await verify(gateway.url, 'plain'));
    const { rows } = await hub.database.pool.query<{ stored: string }>(
      `SELECT value #>> '{general,settings_password}' AS stored FROM setting WHERE key = 'hub'`,
    );
    expect(needsRehash(rows[0]?.stored ?? '')).toBe(false);
    expect(await checkAccess(gateway.url, cookie)).toEqual({ unlocked: true, role: 'admin' });
    // This gateway still has the old password.
    expect((await verify(gateway.url, 'plain')).status).toBe(200);
  });

  test('before the passwords are read, is 503', async () => {
    const passwords = { current: () => undefined, pending: () => undefined, refresh: async () => undefined };
    const starting = await hub.start({ passwords });
    const response = await verify(starting.url, 'adm1n');
    expect([response.status, response.json['code']]).toEqual([503, 'starting']);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect((await sendRequest(`${starting.url}/api/ui/settings/requires-password`)).status).toBe(503);
    expect(await checkAccess(starting.url)).toEqual({ unlocked: false });
    expect((await sendRequest(`${starting.url}/api/ui/health`)).status).toBe(200);
  });
});

describe('the cookie', () => {
  test('behind a trusted proxy with HTTPS and a prefix, is secure and limited to that path', async () => {
    const behind = await hub.start({ trustedProxies: '127.0.0.1', basePath: '/hub' });
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/birds' };
    const given = await verify(`${behind.url}/hub`, 'adm1n', headers);
    const attributes = 'Path=/birds/hub; HttpOnly; Secure; SameSite=Strict';
    expect(String(given.headers['set-cookie'])).toMatch(new RegExp(`Max-Age=2678400; ${attributes}$`));
    const taken = await logout(`${behind.url}/hub`, headers);
    expect(taken.headers['set-cookie']).toEqual([`hub_session=; Max-Age=0; ${attributes}`]);
  });

  test('for an untrusted peer that claims HTTPS, is not secure', async () => {
    const { headers } = await verify(gateway.url, 'adm1n', {
      'x-forwarded-proto': 'https',
      'x-forwarded-prefix': '/x',
    });
    expect(String(headers['set-cookie'])).toMatch(/Path=\/; HttpOnly; SameSite=Strict$/);
  });
});

describe('a session', () => {
  test('after logout, is ended on the server', async () => {
    const cookie = cookieIn(await verify(gateway.url, 'adm1n'));
    const other = cookieIn(await verify(gateway.url, 'adm1n'));
    const response = await logout(gateway.url, { cookie });
    expect([response.status, response.json]).toEqual([200, { ok: true }]);
    expect(await checkAccess(gateway.url, cookie)).toEqual({ unlocked: false });
    expect(await checkAccess(gateway.url, other)).toEqual({ unlocked: true, role: 'admin' });
    expect((await logout(gateway.url, { cookie })).status).toBe(200);
  });

  test('after the idle limit of the settings, is ended', async () => {
    await hub.set({ admin: 'adm1n', contributor: '' }, { session_idle_minutes: 5 });
    const cookie = cookieIn(await verify(gateway.url, 'adm1n'));
    await hub.database.pool.query(`UPDATE session SET used_at = now() - interval '4 minutes'`);
    expect(await checkAccess(gateway.url, cookie)).toMatchObject({ unlocked: true });
    await hub.database.pool.query(`UPDATE session SET used_at = now() - interval '6 minutes'`);
    expect(await checkAccess(gateway.url, cookie)).toEqual({ unlocked: false });
  });

  test('after the removal of its role’s password, is ended', async () => {
    const contributor = cookieIn(await verify(gateway.url, 'c0ntributor'));
    const admin = cookieIn(await verify(gateway.url, 'adm1n'));
    await hub.set({ admin: 'adm1n', contributor: '' });
    expect(await checkAccess(gateway.url, contributor)).toEqual({ unlocked: false });
    expect(await checkAccess(gateway.url, admin)).toEqual({ unlocked: true, role: 'admin' });
  });

  test('with a logout from another site, is 403 and stays open', async () => {
    const cookie = cookieIn(await verify(gateway.url, 'adm1n'));
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const response = await logout(gateway.url, { cookie, ...headers });
      expect([response.status, response.json['code']]).toEqual([403, 'csrf_rejected']);
    }
    expect(await checkAccess(gateway.url, cookie)).toMatchObject({ unlocked: true });
    expect(
      (await logout(gateway.url, { cookie, origin: gateway.url, 'sec-fetch-site': 'same-origin' })).status,
    ).toBe(200);
  });
});

test('sweepExpired, on its interval, removes only expired attempts and sessions', async () => {
  const { pool, prisma } = hub.database;
  await pool.query('DELETE FROM session');
  await pool.query(`INSERT INTO unlock_attempt (address, attempted_at)
    VALUES ('old', now() - interval '61 seconds'), ('new', now())`);
  await pool.query(`INSERT INTO session (token_hash, role, used_at)
    VALUES ('old', 'admin', now() - interval '6 minutes'), ('new', 'admin', now())`);
  const passwords = { current: () => ({ admin: 'x', contributor: '', idleMinutes: 5 }) };
  const sweeping = sweepExpired({
    prisma,
    passwords,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    everyMs: 20,
  });
  const left = async (sql: string) => (await pool.query<{ name: string }>(sql)).rows.map(({ name }) => name);
  await vi.waitFor(async () => {
    expect(await left('SELECT address AS name FROM unlock_attempt')).toEqual(['new']);
    expect(await left(`SELECT convert_from(token_hash, 'UTF8') AS name FROM session`)).toEqual(['new']);
  }, 5_000);
  await sweeping.stop();
});
