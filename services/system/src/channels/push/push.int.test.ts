import { createECDH, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningService } from '@birdhub/shared/app';
import { createTestDatabase, storeSettings, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { startSystem } from '../../start.js';

const goodKeys = () => {
  const browser = createECDH('prime256v1');
  return { p256dh: browser.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
};

describe('/api/ui/push', () => {
  let database: TestDatabase;
  let service: RunningService;
  let dataDir: string;
  const start = (allowPrivate: '0' | '1' = '1', more = {}) =>
    startSystem({
      DATABASE_URL: database.url,
      NATS_URL: inject('natsUrl'),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      PUSH_ALLOW_PRIVATE: allowPrivate,
      ...more,
    });
  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'birdhub-push-'));
    service = await start();
  });
  beforeEach(async () => {
    await database.pool.query('TRUNCATE push_subscription');
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
    await rm(dataDir, { recursive: true });
  });

  async function post(path: string, body: unknown, { url } = service, headers = {}) {
    const response = await fetch(`${url}/api/ui/push/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as { details: { path: string }[] } };
  }
  const publicKey = async ({ url } = service) =>
    ((await (await fetch(`${url}/api/ui/push/vapid-public`)).json()) as { vapid_public_key: string })
      .vapid_public_key;
  const stored = async () =>
    (await database.pool.query('SELECT endpoint, p256dh, auth FROM push_subscription ORDER BY id')).rows;
  const subscription = (endpoint = 'https://127.0.0.1/a') => ({
    endpoint,
    expirationTime: null,
    keys: goodKeys(),
  });

  it('vapid-public, from two new processes at once and after a restart, is one key, stored encrypted', async () => {
    await storeSettings(database.pool, {});
    const other = await start();
    const keys = await Promise.all([publicKey(), publicKey(other), publicKey(), publicKey(other)]);
    await other.close();
    const later = await start();
    keys.push(await publicKey(later));
    await later.close();
    expect(new Set(keys).size).toBe(1);
    expect(Buffer.from(keys[0] ?? '', 'base64url')).toHaveLength(65);
    const { rows } = await database.pool.query(`SELECT value FROM setting WHERE key = 'hub'`);
    const { vapid_private_key } = rows[0].value.web_push;
    expect(Buffer.from(vapid_private_key, 'base64url')).not.toHaveLength(32);
    expect(vapid_private_key).not.toBe('');
  });

  it('subscribe, repeated, is 201 and then 200, and keeps the latest keys', async () => {
    const first = subscription();
    expect((await post('subscribe', { subscription: first })).status).toBe(201);
    const again = subscription();
    expect((await post('subscribe', { subscription: again })).status).toBe(200);
    expect(await stored()).toEqual([{ endpoint: first.endpoint, ...again.keys }]);
  });

  it('unsubscribe, of a known or unknown subscription, is 200', async () => {
    await post('subscribe', { subscription: subscription() });
    const responses = [
      await post('unsubscribe', { endpoint: 'https://127.0.0.1/a' }),
      await post('unsubscribe', { endpoint: 'https://127.0.0.1/a' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await stored()).toEqual([]);
  });

  it('subscribe, sixty times at once, accepts fifty, and a known one is 200 even then', async () => {
    const all = Array.from({ length: 60 }, (_, at) => subscription(`https://127.0.0.1/${at}`));
    const unlocked = { 'x-hub-caller': 'contributor' };
    const responses = await Promise.all(
      all.map((one) => post('subscribe', { subscription: one }, service, unlocked)),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(50);
    const refused = responses.find(({ status }) => status !== 201);
    expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_subscriptions' } });
    const [known] = await stored();
    const { status } = await post('subscribe', { subscription: subscription(known.endpoint) });
    expect([status, (await stored()).length]).toEqual([200, 50]);
  });

  it('subscribe, without unlocking, accepts five of a client address or its network', async () => {
    const statusFrom = async (address: string, number: number) => {
      const body = { subscription: subscription(`https://127.0.0.1/${address}/${number}`) };
      return (await post('subscribe', body, service, { 'x-forwarded-for': address })).status;
    };
    for (let number = 0; number < 5; number += 1)
      expect(await statusFrom(`2001:db8::${number}`, number)).toBe(201);
    expect(await statusFrom('2001:db8::9', 5)).toBe(409);
    expect(await statusFrom('2001:db8:0:1::9', 6)).toBe(201);
  });

  it('subscriptions, are listed without endpoints and keys, and deleted by id', async () => {
    await post('subscribe', { subscription: subscription() }, service, { 'x-forwarded-for': '192.0.2.1' });
    const url = `${service.url}/api/ui/push/subscriptions`;
    const list = async () => (await (await fetch(url)).json()) as { id: number }[];
    const [shown] = await list();
    expect(shown).toEqual({
      id: expect.any(Number),
      host: '127.0.0.1',
      address: '192.0.2.1',
      failures: 0,
      created_at: expect.any(String),
      last_ok_at: null,
    });
    const remove = async () => (await fetch(`${url}/${shown?.id}`, { method: 'DELETE' })).status;
    expect([await remove(), await remove()]).toEqual([200, 200]);
    expect(await list()).toEqual([]);
  });

  const off = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');
  it.each([
    ['no URL', { endpoint: 'push' }, '/subscription/endpoint'],
    ['another scheme', { endpoint: 'ftp://push.example/a' }, '/subscription/endpoint'],
    ['credentials', { endpoint: 'https://a:b@push.example/a' }, '/subscription/endpoint'],
    ['a short point', { keys: { ...goodKeys(), p256dh: 'AAAA' } }, '/subscription/keys/p256dh'],
    ['a point off the curve', { keys: { ...goodKeys(), p256dh: off } }, '/subscription/keys/p256dh'],
    ['a short secret', { keys: { ...goodKeys(), auth: 'AAAA' } }, '/subscription/keys/auth'],
    [
      'a secret that is no base64url',
      { keys: { ...goodKeys(), auth: '!'.repeat(22) } },
      '/subscription/keys/auth',
    ],
    ['no keys', { keys: {} }, '/subscription/keys'],
  ])('subscribe, with %s, is refused and stores nothing', async (_, wrong, path) => {
    const response = await post('subscribe', { subscription: { ...subscription(), ...wrong } });
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(response.body.details[0]?.path).toContain(path);
    expect(await stored()).toEqual([]);
  });

  it('subscribe, with private addresses allowed for channels only, refuses these and plain http', async () => {
    const strict = await start('0', { CHANNELS_ALLOW_PRIVATE: '1' });
    const endpoints = [
      'http://push.example/a',
      'https://127.0.0.1/a',
      'https://[::1]/a',
      'https://localhost/a',
    ];
    for (const endpoint of endpoints) {
      const response = await post('subscribe', { subscription: subscription(endpoint) }, strict);
      expect(response).toMatchObject({
        status: 400,
        body: { details: [{ path: '/subscription/endpoint' }] },
      });
    }
    await strict.close();
    expect(await stored()).toEqual([]);
  });

  it('subscribe, with private addresses allowed, refuses those of the hub itself', async () => {
    const { origin } = new URL(inject('natsUrl').replace('nats:', 'http:'));
    const response = await post('subscribe', { subscription: subscription(origin) });
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await stored()).toEqual([]);
  });
});
