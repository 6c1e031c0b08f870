import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SettingsReader } from '@birdhub/domain/settings';
import { createApp, type HubApp } from '@birdhub/shared/app';
import { createMetrics } from '@birdhub/shared/metrics';
import { countStatements, createTestDatabase, storeSettings, type TestDatabase } from '@birdhub/testing';
import { fixedClock } from '@birdhub/testing/clocks';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MqttState } from '../mqtt/mqtt-connection.js';
import { createStatusReader, reachDevice } from './status.js';
import { statusRoutes } from './status.routes.js';

const now = Date.UTC(2026, 4, 1, 12);
const unheard = 'http://127.0.0.1:1';

describe('GET /status', () => {
  let database: TestDatabase;
  let settings: SettingsReader;
  let app: HubApp;
  let mqtt: MqttState = 'not_configured';
  let isFull = false;

  beforeAll(async () => {
    database = await createTestDatabase();
    const { pool } = database;
    const log = pino({ level: 'silent' });
    settings = new SettingsReader({ pool, timezone: 'UTC', log });
    const status = createStatusReader({
      pool,
      clock: fixedClock(now),
      settings,
      mqtt: { state: () => mqtt },
      isDiskFull: () => isFull,
    });
    app = createApp({ log, metrics: createMetrics('system') });
    statusRoutes(app, { status });
  });
  beforeEach(async () => {
    mqtt = 'not_configured';
    await database.pool.query('TRUNCATE processor_heartbeat');
    await setSettings({});
  });
  afterAll(async () => {
    settings.close();
    await app.close();
    await database.drop();
  });

  async function setSettings(value: object): Promise<void> {
    await storeSettings(database.pool, value);
    settings.forget();
    await settings.current();
  }
  const get = async () => (await app.inject('/api/ui/status')).json();
  const beat = (ago: number, data: unknown) =>
    database.pool.query('INSERT INTO processor_heartbeat (data, updated_at) VALUES ($1, $2)', [
      JSON.stringify(data),
      new Date(now - ago),
    ]);

  it('of a full disk, reports it', async () => {
    isFull = true;
    expect(await get()).toMatchObject({ web: 'ok', storage: 'error' });
    isFull = false;
  });

  it('of a new hub, has exactly the known parts', async () => {
    expect(await get()).toEqual({
      web: 'ok',
      processor: 'unknown',
      mqtt: 'not_configured',
      mqtt_posts: { state: 'not_used', taken: 0, refused: 0, last_taken_at: null },
      sources: [],
      esphome: 'not_used',
      yolo: 'unknown',
      video: 'not_configured',
      storage: 'ok',
      processor_last_seen: null,
      processor_restart_pending: false,
      app_name: 'Birdhub',
      timezone: 'UTC',
      doubt_threshold: 0.5,
      units: 'metric',
      time_format: 'auto',
      sharing_enabled: true,
    });
  });

  it('of changed settings, has the name, the units, the clock and whether sharing is allowed', async () => {
    await setSettings({
      general: { app_name: 'Our garden', units: 'imperial', time_format: '12h' },
      sharing: { enabled: false },
    });
    expect(await get()).toMatchObject({
      app_name: 'Our garden',
      units: 'imperial',
      time_format: '12h',
      sharing_enabled: false,
    });
    await setSettings({ general: { app_name: '' } });
    expect(await get()).toMatchObject({ app_name: 'Birdhub', units: 'metric', sharing_enabled: true });
  });

  it('of a hub in the United States, has the units of that country', async () => {
    await setSettings({ general: { timezone: 'America/Chicago' } });
    expect(await get()).toMatchObject({ timezone: 'America/Chicago', units: 'imperial' });
  });

  it('with several heartbeats, uses the newest and no other row', async () => {
    await beat(400_000, { mqtt_connected: false });
    await beat(60_000, { mqtt_connected: true, last_yolo_ok_at: now / 1000 - 70, last_video_ok_at: 'never' });
    expect(await get()).toMatchObject({
      processor: 'ok',
      mqtt: 'ok',
      yolo: 'ok',
      video: 'not_configured',
      processor_last_seen: '2026-05-01T11:59:00.000Z',
    });
  });

  it('with a requested restart, is pending until it is acknowledged or has expired', async () => {
    const pending = async () => (await get()).processor_restart_pending;
    await database.pool.query(
      `INSERT INTO processor_command (type, expires_at) VALUES ('restart', now() + interval '1 minute')`,
    );
    expect(await pending()).toBe(true);
    await database.pool.query(`UPDATE processor_command SET expires_at = now()`);
    expect(await pending()).toBe(false);
    await database.pool.query(
      `UPDATE processor_command SET expires_at = now() + interval '1 minute', acked_at = now()`,
    );
    expect(await pending()).toBe(false);
  });

  it.each(['text', null, 7, [1], { last_yolo_ok_at: { a: 1 } }])(
    'with the heartbeat %j, counts it all the same',
    async (data) => {
      await beat(1_000, data);
      expect(await get()).toMatchObject({ processor: 'ok', yolo: 'unknown', mqtt: 'not_configured' });
    },
  );

  it('with a connection of the hub itself, reports it before that of the processor', async () => {
    await beat(1_000, { mqtt_connected: true });
    mqtt = 'error';
    expect((await get()).mqtt).toBe('error');
  });

  it('with posts by MQTT, has the last report of the process that takes them', async () => {
    const posts = async () => (await get()).mqtt_posts;
    const report = (ago: number) =>
      database.pool.query(
        'UPDATE mqtt_intake SET connected = true, taken = 7, refused = 2, last_taken_at = $1, reported_at = $2',
        [new Date(now - 60_000), new Date(now - ago)],
      );
    await report(5_000);
    const counts = { taken: 7, refused: 2, last_taken_at: '2026-05-01T11:59:00.000Z' };
    expect(await posts()).toEqual({ state: 'not_used', ...counts });
    await setSettings({ mqtt: { broker: 'nas', accept_posts: true } });
    expect(await posts()).toEqual({ state: 'ok', ...counts });
    await report(60_000);
    expect(await posts()).toEqual({ state: 'error', ...counts });
    await database.pool.query(
      'UPDATE mqtt_intake SET connected = false, taken = 0, refused = 0, last_taken_at = NULL',
    );
  });

  it('with a feeder by ESPHome, reports whether it can be reached', async () => {
    await setSettings({ feed: { source: 'esphome' } });
    expect((await get()).esphome).toBe('not_configured');
    await setSettings({ feed: { source: 'esphome', esphome_url: unheard } });
    expect((await get()).esphome).toBe('error');
  });

  it('with any number of rows, takes two statements', async () => {
    await database.pool.query(
      `INSERT INTO processor_heartbeat (data) SELECT '{}' FROM generate_series(1, 5000) n`,
    );
    expect(await countStatements(database.pool, get)).toBe(2);
  });
});

describe('reachDevice', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.close();
    server?.closeAllConnections();
  });

  async function serve(answer: RequestListener): Promise<string> {
    server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it.each([
    [200, true],
    [302, true],
    [401, true],
    [404, true],
    [500, false],
  ])('a device that answers %i, is reached: %j', async (status, expected) => {
    const host = await serve(
      (_request, response) => void response.writeHead(status, { location: '/' }).end(),
    );
    expect(await reachDevice(`http://${host}`)).toBe(expected);
  });

  it('user and password in the URL, are sent', async () => {
    let sent: string | undefined;
    const host = await serve((request, response) => {
      sent = request.headers.authorization;
      response.end();
    });
    expect(await reachDevice(`http://me:p%40ss@${host}/`)).toBe(true);
    expect(sent).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
  });

  it('a device that does not respond, is given up', async () => {
    const host = await serve(() => undefined);
    expect(await reachDevice(`http://${host}`)).toBe(false);
  });

  it.each(['http://127.0.0.1:1', 'http://', 'no address', 'http://me:100%@127.0.0.1:1'])(
    '%s, is not reached',
    async (address) => {
      expect(await reachDevice(address)).toBe(false);
    },
  );
});
