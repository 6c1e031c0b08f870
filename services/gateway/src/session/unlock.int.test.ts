import { needsRehash } from '@birdhub/shared/passwords';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ask } from '../testing/ask.js';
import type { TestGateway } from '../testing/gateway.js';
import { checkAccess, cookieIn, type GuardedHub, openGuardedHub, verify } from '../testing/guarded-hub.js';

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

  test('its routes, asked by anybody, say that everybody is the administrator', async () => {
    expect((await ask(below('requires-password'))).json).toEqual({
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
  ])('with the password %s, gives a session of the %s', async (password, role) => {
    const answer = await verify(gateway.url, password);
    expect([answer.status, answer.json]).toEqual([200, { ok: true, role }]);
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^hub_session=[\w-]{43}; Max-Age=2678400; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await checkAccess(gateway.url, cookieIn(answer))).toEqual({ unlocked: true, role });
  });

  test.each(['wrong', '', 'ADM1N', 'adm1n '])('with %j, is 401 that says so', async (password) => {
    const answer = await verify(gateway.url, password);
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
    await hub.set({ admin: 'adm1n', contributor: '' });
    expect((await verify(gateway.url, '')).status).toBe(401);
    expect((await ask(below('requires-password'))).json).toEqual({
      requires: true,
      has_contributor_tier: false,
    });
  });

  test('again, gives a new token and ends the session before', async () => {
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
    await hub.database.pool.query(
      `UPDATE setting SET value = '{"general":{"settings_password":"plain"}}', version = version + 1 WHERE key = 'hub'`,
    );
    await hub.passwords.refresh();
    const cookie = cookieIn(await verify(gateway.url, 'plain'));
    const { rows } = await hub.database.pool.query<{ stored: string }>(
      `SELECT value #>> '{general,settings_password}' AS stored FROM setting WHERE key = 'hub'`,
    );
    expect(needsRehash(rows[0]?.stored ?? '')).toBe(false);
    expect(await checkAccess(gateway.url, cookie)).toEqual({ unlocked: true, role: 'admin' });
    // What this gateway knows is the password as it was.
    expect((await verify(gateway.url, 'plain')).status).toBe(200);
  });

  test('while the passwords are not known, is 503 and never open', async () => {
    const passwords = { now: () => undefined, pending: () => undefined, refresh: async () => undefined };
    const starting = await hub.start({ passwords });
    const answer = await verify(starting.url, 'adm1n');
    expect([answer.status, answer.json['code']]).toEqual([503, 'starting']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask(`${starting.url}/api/ui/settings/requires-password`)).status).toBe(503);
    expect(await checkAccess(starting.url)).toEqual({ unlocked: false });
    expect((await ask(`${starting.url}/api/ui/health`)).status).toBe(200);
  });
});
