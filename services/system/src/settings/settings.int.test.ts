import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningService } from '@birdhub/shared/app';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { startSystem } from '../start.js';

describe('/api/ui/settings', () => {
  let database: TestDatabase;
  let service: RunningService;
  let dataDir: string;
  const start = () =>
    startSystem({
      DATABASE_URL: database.url,
      NATS_URL: inject('natsUrl'),
      DATA_DIR: dataDir,
      TZ: 'Asia/Tehran',
      LOG_LEVEL: 'silent',
    });
  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'birdhub-settings-'));
    service = await start();
  });
  beforeEach(async () => {
    await database.pool.query(`UPDATE setting SET value = '{}', version = 1 WHERE key = 'hub'`);
    await database.pool.query('TRUNCATE outbox, activity_log');
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
    await rm(dataDir, { recursive: true });
  });

  async function send(method: 'GET' | 'PATCH', body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${service.url}/api/ui/settings`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
  }
  const get = (headers?: Record<string, string>) => send('GET', undefined, headers);
  const patch = (body: unknown, headers?: Record<string, string>) => send('PATCH', body, headers);

  it('GET, of a new hub, has every group with its defaults and the zone of the host', async () => {
    const { status, body } = await get();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      general: {
        app_name: 'Birdhub',
        timezone: 'Asia/Tehran',
        settings_password: '',
        session_idle_minutes: 30,
      },
      video: { cameras: [] },
      retention: { days: 90, max_gb: 32, min_free_gb: 2, protect_favorites: true, keep_best_per_species: 3 },
      secrets: { ebird_api_key: '', latitude: '' },
    });
    expect(Object.keys(body)).toHaveLength(20);
  });

  it('GET, with a matching If-None-Match, is 304 until something changes', async () => {
    const tag = (await get()).headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"1\./);
    expect(await get({ 'if-none-match': tag })).toMatchObject({ status: 304, body: undefined });
    await patch({ mqtt: { port: 5 } });
    expect((await get({ 'if-none-match': tag })).status).toBe(200);
  });

  it('PATCH, returns all settings masked, with a consistency token and the entity tag of the next GET', async () => {
    const changed = await patch(
      { mqtt: { password: 'hunter2' }, processor: { 'a\nb': [1, null, { x: 'y' }], fps: 2.5 } },
      { 'x-hub-caller': 'admin', 'x-request-id': 'request-7' },
    );
    expect(changed.status).toBe(200);
    expect(changed.headers.get('x-hub-consistency-token')).toMatch(/^[0-9a-f]+:\d+$/);
    expect(changed.body).toMatchObject({
      mqtt: { password: '***', port: 1883 },
      processor: { 'a\nb': [1, null, { x: 'y' }], fps: 2.5 },
    });
    const shown = await get();
    expect([shown.body, shown.headers.get('etag')]).toEqual([changed.body, changed.headers.get('etag')]);
    const { rows } = await database.pool.query('SELECT data FROM activity_log');
    expect(rows).toEqual([
      { data: { role: 'admin', version: 2, keys: ['mqtt.password', 'processor.a\nb', 'processor.fps'] } },
    ]);
    // A job started by the service itself may have ended meanwhile.
    const events = await database.pool.query(
      "SELECT request_id, subject FROM outbox WHERE subject <> 'hub.v1.job.finished'",
    );
    expect(events.rows).toEqual([{ request_id: 'request-7', subject: 'hub.v1.settings.updated' }]);
  });

  it('PATCH, of an address without its secret, clears the secret, names it, and can be repeated', async () => {
    await patch({ mqtt: { broker: 'mqtt.example', password: 'hunter2' } });
    const changed = await patch({ mqtt: { broker: 'other.example', password: '***' } });
    expect(changed.body).toMatchObject({
      mqtt: { broker: 'other.example', password: '' },
      cleared_secrets: ['mqtt.password'],
    });
    const shown = await get();
    const { cleared_secrets: _, ...settings } = changed.body;
    expect([shown.body, shown.headers.get('etag')]).toEqual([settings, changed.headers.get('etag')]);
    const again = await patch(changed.body);
    expect([again.status, again.body]).toEqual([200, settings]);
    const { rows } = await database.pool.query('SELECT data FROM activity_log ORDER BY id DESC LIMIT 1');
    expect(rows[0].data.keys).toEqual(['mqtt.broker', 'mqtt.password']);
  });

  it('PATCH, of the zone or the gap, resolves when the visits are rebuilt', async () => {
    const rule = async () => (await database.pool.query('SELECT gap_ms, timezone FROM visit_rule')).rows[0];
    for (const [gap, timezone] of [
      [5, 'UTC'],
      [60, 'Asia/Kathmandu'],
      [60, 'Asia/Tehran'],
    ] as const) {
      await patch({ visits: { gap_seconds: gap }, general: { timezone } });
      expect(await rule()).toEqual({ gap_ms: gap * 1_000, timezone });
    }
  });

  it('PATCH, without a change, is 200 without a change notice', async () => {
    const { status, headers } = await patch({});
    expect([status, headers.get('x-hub-consistency-token')]).toEqual([200, null]);
  });

  it('PATCH, with If-Match, is done for the named version only', async () => {
    const tag = (await get()).headers.get('etag') ?? '';
    expect((await patch({ mqtt: { port: 5 } }, { 'if-match': tag })).status).toBe(200);
    expect(await patch({ mqtt: { port: 6 } }, { 'if-match': tag })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    expect((await get()).body.mqtt.port).toBe(5);
    expect((await patch({ mqtt: { port: 7 } }, { 'if-match': '*' })).status).toBe(200);
  });

  it.each<[string, unknown, number, object]>([
    ['a list', [], 400, { code: 'invalid_request' }],
    ['null', 'null', 400, { code: 'invalid_request' }],
    ['no JSON', '{', 400, { code: 'invalid_request' }],
    ['a wrong type', { mqtt: { port: '1883' } }, 400, { details: [{ path: '/mqtt/port' }] }],
    [
      'a password that nobody can give',
      { general: { settings_password: 'x'.repeat(1_025) } },
      400,
      { details: [{ path: '/general/settings_password' }] },
    ],
    ['more than 1 MiB', { own: 'x'.repeat(1_100_000) }, 413, { code: 'payload_too_large' }],
    ['more than is kept', { own: 'x'.repeat(300_000) }, 413, { code: 'payload_too_large' }],
  ])('PATCH, of %s, is refused', async (_, body, status, response) => {
    expect(await patch(body)).toMatchObject({ status, body: response });
  });

  it('PATCH, with another content type, is 415', async () => {
    expect((await patch('port=5', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
  });

  it('PATCH, with keys of prototypes, leaves them out', async () => {
    const { status, body } = await patch('{"__proto__": {"a": 1}, "own": {"__proto__": {"b": 2}, "c": 3}}');
    expect([status, body.own]).toEqual([200, { c: 3 }]);
    expect(Object.hasOwn(body, '__proto__')).toBe(false);
  });

  it('GET, after a restart, still reads secrets with the key in the data folder', async () => {
    await patch({ homeassistant: { token: 'hunter2' } });
    await service.close();
    service = await start();
    expect((await get()).body.homeassistant.token).toBe('***');
    expect((await readFile(join(dataDir, 'settings.key'), 'utf8')).trim()).toHaveLength(44);
  });
});
