import type { TestHub } from '@birdhub/testing/hub';
import { beforeAll, describe, expect, it } from 'vitest';
import { inOneProcess, startHubIn, useDataFolder } from '../e2e/fixtures/temporary-hub.js';
import { exchange, type HttpResponse } from './fixtures/exchange.js';

const folder = useDataFolder();
let hub: TestHub;

beforeAll(async () => {
  hub = await startHubIn(folder, { ...inOneProcess, TRUSTED_PROXIES: '192.0.2.1/32' });
});

const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  exchange(hub.baseUrl, {
    method,
    path,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });

describe('a session', () => {
  const unlock = (password: string, headers: Record<string, string> = {}) =>
    send('POST', '/api/ui/settings/verify-password', { password }, headers);
  const cookieOf = ({ headers }: HttpResponse) => headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const readSettings = (headers: Record<string, string>, query = '') =>
    send('GET', `/api/ui/settings${query}`, undefined, headers);
  let cookie: string;

  beforeAll(async () => {
    const set = await send('PATCH', '/api/ui/settings', { general: { settings_password: 'first' } });
    expect(set.status).toBe(200);
    cookie = cookieOf(await unlock('first'));
    expect((await readSettings({ cookie })).status).toBe(200);
  });

  it('with a token that the browser brought along, gets another one when unlocked', async () => {
    const fixed = `hub_session=${'a'.repeat(43)}`;
    expect((await readSettings({ cookie: fixed })).status).toBe(403);
    const given = cookieOf(await unlock('first', { cookie: fixed }));
    expect(given).not.toBe(fixed);
    expect((await readSettings({ cookie: fixed })).status).toBe(403);
    expect((await readSettings({ cookie: given })).status).toBe(200);
  });

  it('with its token anywhere but in the cookie, stays closed', async () => {
    const token = cookie.slice('hub_session='.length);
    for (const name of ['hub_session', 'token', 'session', 'access_token']) {
      expect((await readSettings({}, `?${name}=${token}`)).status).toBe(403);
      expect((await readSettings({ [`x-${name.replace('_', '-')}`]: token })).status).toBe(403);
    }
    expect((await readSettings({ authorization: `Bearer ${token}` })).status).toBe(401);
  });

  it.each(['x-hub-caller', 'x-hub-internal', 'x-forwarded-user', 'x-original-url'])(
    'claimed by %s, stays closed',
    async (name) => {
      for (const value of ['admin', '{"role":"admin"}', '/api/ui/settings']) {
        expect((await readSettings({ [name]: value })).status).toBe(403);
      }
    },
  );

  it('among hundreds of cookies, is found or the request is refused', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `c${index}=${'x'.repeat(20)}`).join('; ');
    expect((await readSettings({ cookie: `${many}; ${cookie}` })).status).toBe(200);
    expect((await readSettings({ cookie: `hub_session=a; ${many}` })).status).toBe(403);
  });

  it('after a logout or another password, is closed', async () => {
    const other = cookieOf(await unlock('first'));
    expect((await send('POST', '/api/ui/settings/logout', undefined, { cookie: other })).status).toBe(200);
    expect((await readSettings({ cookie: other })).status).toBe(403);
    const change = { general: { settings_password: 'second' } };
    expect((await send('PATCH', '/api/ui/settings', change, { cookie })).status).toBe(200);
    expect((await readSettings({ cookie })).status).toBe(403);
    expect((await unlock('first')).status).toBe(401);
  });

  it('guessed with forged addresses, cookies and ids, is limited as one client', async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const address = `203.0.113.${attempt}`;
      const response = await unlock('guess', {
        'x-forwarded-for': `${address}, 127.0.0.1`,
        forwarded: `for=${address}`,
        'x-real-ip': address,
        'client-ip': address,
        cookie: `hub_session=${attempt}`,
        'x-request-id': `guess-${attempt}`,
        'user-agent': `browser ${attempt}`,
      });
      statuses.push(response.status);
    }
    expect(statuses.slice(-7)).toEqual(Array.from({ length: 7 }, () => 429));
    expect((await unlock('second')).status).toBe(429);
  });
});
