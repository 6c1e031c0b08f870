import { needsRehash } from '@birdhub/shared/passwords';
import { createTestDatabase, type TestDatabase } from '@birdhub/shared/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ask } from '../testing/ask.js';
import { startTestGateway, type TestGateway } from '../testing/gateway.js';
import { openPasswords, storePasswords } from '../testing/passwords.js';

let database: TestDatabase;
let followed: Awaited<ReturnType<typeof openPasswords>>;
let gateway: TestGateway;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  followed = await openPasswords(database);
  gateway = await start();
});
afterAll(async () => {
  await gateway.close();
  await followed.close();
  await database.drop();
});
beforeEach(async () => {
  await database.pool.query('DELETE FROM session');
  await database.pool.query('DELETE FROM unlock_attempt');
  await set('adm1n', 'c0ntributor');
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const start = (options: Partial<Parameters<typeof startTestGateway>[0]> = {}) =>
  startTestGateway({ services: {}, pool: database.pool, passwords: followed.passwords, ...options });

async function set(admin: string, contributor: string, others = {}): Promise<void> {
  await storePasswords(database, { admin, contributor }, others);
  await followed.passwords.refresh();
}

const below = (path: string, base = gateway.url) => `${base}/api/ui/settings/${path}`;
const json = { 'content-type': 'application/json' };

function verify(password: unknown, headers = {}, base = gateway.url) {
  const body = JSON.stringify({ password });
  return ask(below('verify-password', base), { method: 'POST', headers: { ...json, ...headers }, body });
}

const cookieIn = ({ headers }: { headers: Record<string, unknown> }) =>
  String(headers['set-cookie']).split(';')[0] ?? '';
const check = async (cookie?: string) =>
  (await ask(below('check-access'), { headers: cookie ? { cookie } : {} })).json;
const logout = (cookie: string, headers = {}) =>
  ask(below('logout'), { method: 'POST', headers: { cookie, ...headers } });

describe('a hub without passwords', () => {
  beforeEach(() => set('', ''));

  test('its routes, asked by anybody, say that everybody is the administrator', async () => {
    expect((await ask(below('requires-password'))).json).toEqual({
      requires: false,
      has_contributor_tier: false,
    });
    expect(await check()).toEqual({ unlocked: true, role: 'admin' });
    const verified = await verify('anything');
    expect([verified.status, verified.json]).toEqual([200, { ok: true, role: 'admin' }]);
    expect(verified.headers).not.toHaveProperty('set-cookie');
  });
});

describe('unlocking', () => {
  test.each([
    ['adm1n', 'admin'],
    ['c0ntributor', 'contributor'],
  ])('with the password %s, gives a session of the %s', async (password, role) => {
    const answer = await verify(password);
    expect([answer.status, answer.json]).toEqual([200, { ok: true, role }]);
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^hub_session=[\w-]{43}; Max-Age=2678400; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await check(cookieIn(answer))).toEqual({ unlocked: true, role });
  });

  test.each(['wrong', '', 'ADM1N', 'adm1n '])('with %j, is 401 that says so', async (password) => {
    const answer = await verify(password);
    expect(answer.status).toBe(401);
    expect(answer.json).toEqual({
      ok: false,
      error: 'Wrong password.',
      code: 'wrong_password',
      request_id: answer.headers['x-request-id'],
    });
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  test('with an empty password, where no contributors are, opens nothing', async () => {
    await set('adm1n', '');
    expect((await verify('')).status).toBe(401);
    expect((await ask(below('requires-password'))).json).toEqual({
      requires: true,
      has_contributor_tier: false,
    });
  });

  test('again, gives a new token and ends the session before', async () => {
    const first = cookieIn(await verify('adm1n'));
    const second = cookieIn(await verify('c0ntributor', { cookie: `other=1; ${first}` }));
    expect(await check(first)).toEqual({ unlocked: false });
    expect(await check(second)).toEqual({ unlocked: true, role: 'contributor' });
    expect(await check(`${first}; ${second}`)).toEqual({ unlocked: true, role: 'contributor' });
  });

  test.each([
    ['of a number', json, JSON.stringify({ password: 1 }), 400, '/password'],
    ['of 1025 characters', json, JSON.stringify({ password: 'x'.repeat(1_025) }), 400, '/password'],
    ['with an unknown key', json, JSON.stringify({ password: 'x', role: 'admin' }), 400, '/role'],
    ['without the password', json, '{}', 400, '/password'],
  ])('with a body %s, is 400 and names it', async (_, headers, body, status, path) => {
    const answer = await ask(below('verify-password'), { method: 'POST', headers, body });
    expect([answer.status, answer.json['details']]).toMatchObject([status, [{ path }]]);
  });

  test.each([{}, { 'content-type': 'text/plain' }, { 'content-type': 'application/x-www-form-urlencoded' }])(
    'with a body that says %j, is 415',
    async (headers) => {
      const options = { method: 'POST', headers: { ...headers, 'content-length': '20' } };
      const answer = await ask(below('verify-password'), { ...options, body: '{"password":"adm1n"}' });
      expect([answer.status, answer.json['code']]).toEqual([415, 'unsupported_media_type']);
    },
  );

  test('by a password written into the database by hand, stores its hash in place of it', async () => {
    await database.pool.query(
      `UPDATE setting SET value = '{"general":{"settings_password":"plain"}}', version = version + 1 WHERE key = 'hub'`,
    );
    await followed.passwords.refresh();
    const cookie = cookieIn(await verify('plain'));
    const { rows } = await database.pool.query<{ stored: string }>(
      `SELECT value #>> '{general,settings_password}' AS stored FROM setting WHERE key = 'hub'`,
    );
    expect(needsRehash(rows[0]?.stored ?? '')).toBe(false);
    expect(await check(cookie)).toEqual({ unlocked: true, role: 'admin' });
    // What this gateway knows is the password as it was.
    expect((await verify('plain')).status).toBe(200);
  });

  test('while the passwords are not known, is 503 and never open', async () => {
    const passwords = { now: () => undefined, pending: () => undefined, refresh: async () => undefined };
    const starting = await start({ passwords });
    closers.push(starting.close);
    const answer = await verify('adm1n', {}, starting.url);
    expect([answer.status, answer.json['code']]).toEqual([503, 'starting']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask(below('requires-password', starting.url))).status).toBe(503);
    const checked = await ask(below('check-access', starting.url));
    expect([checked.status, checked.json]).toEqual([200, { unlocked: false }]);
    expect((await ask(`${starting.url}/api/ui/health`)).status).toBe(200);
  });
});

describe('the cookie', () => {
  test('behind a trusted proxy with HTTPS and a prefix, is secure and of that path', async () => {
    const behind = await start({ trustedProxies: '127.0.0.1', basePath: '/hub' });
    closers.push(behind.close);
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/birds' };
    const given = await verify('adm1n', headers, `${behind.url}/hub`);
    const attributes = 'Path=/birds/hub; HttpOnly; Secure; SameSite=Strict';
    expect(String(given.headers['set-cookie'])).toMatch(new RegExp(`Max-Age=2678400; ${attributes}$`));
    const taken = await ask(below('logout', `${behind.url}/hub`), { method: 'POST', headers });
    expect(taken.headers['set-cookie']).toEqual([`hub_session=; Max-Age=0; ${attributes}`]);
  });

  test('for a peer that only claims HTTPS, is not secure', async () => {
    const { headers } = await verify('adm1n', { 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/x' });
    expect(String(headers['set-cookie'])).toMatch(/Path=\/; HttpOnly; SameSite=Strict$/);
  });
});

describe('the end of a session', () => {
  test('by logging out, is one on the server', async () => {
    const cookie = cookieIn(await verify('adm1n'));
    const other = cookieIn(await verify('adm1n'));
    const answer = await logout(cookie);
    expect([answer.status, answer.json]).toEqual([200, { ok: true }]);
    expect(await check(cookie)).toEqual({ unlocked: false });
    expect(await check(other)).toEqual({ unlocked: true, role: 'admin' });
    expect((await logout(cookie)).status).toBe(200);
  });

  test('by the idle limit of the settings, is one', async () => {
    await set('adm1n', '', { session_idle_minutes: 5 });
    const cookie = cookieIn(await verify('adm1n'));
    await database.pool.query(`UPDATE session SET used_at = now() - interval '4 minutes'`);
    expect(await check(cookie)).toMatchObject({ unlocked: true });
    await database.pool.query(`UPDATE session SET used_at = now() - interval '6 minutes'`);
    expect(await check(cookie)).toEqual({ unlocked: false });
  });

  test('by the password of its role being gone, is one', async () => {
    const contributor = cookieIn(await verify('c0ntributor'));
    const admin = cookieIn(await verify('adm1n'));
    await set('adm1n', '');
    expect(await check(contributor)).toEqual({ unlocked: false });
    expect(await check(admin)).toEqual({ unlocked: true, role: 'admin' });
  });

  test('by a page of another site, is none', async () => {
    const cookie = cookieIn(await verify('adm1n'));
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await logout(cookie, headers);
      expect([answer.status, answer.json['code']]).toEqual([403, 'csrf_rejected']);
    }
    expect(await check(cookie)).toMatchObject({ unlocked: true });
    expect((await logout(cookie, { origin: gateway.url, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });
});
