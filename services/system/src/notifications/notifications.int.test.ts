import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SettingsReader } from '@birdhub/domain/settings';
import type { RunningService } from '@birdhub/shared/app';
import { Bus } from '@birdhub/shared/bus';
import {
  aDetection,
  aRecording,
  createTestDatabase,
  createTestWriter,
  startTestNats,
  type TestDatabase,
  type TestNats,
} from '@birdhub/testing';
import { type StubServer, startStubServer } from '@birdhub/testing/stub-server';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimDelivery, enqueueDeliveries } from '../channels/deliveries.store.js';
import { startSystem } from '../start.js';
import {
  createTestNotifications,
  type TestNotifications,
  type TestProcess,
} from '../testing/create-test-notifications.js';
import { createTestBrowser } from '../testing/test-browser.js';
import { sendDueDigest } from './digest.js';
import { checkHub } from './hub-alerts.js';
import { fetchReport } from './report-client.js';

describe('the system service', () => {
  let database: TestDatabase;
  let nats: TestNats;
  let stub: StubServer;
  let service: RunningService;
  let dataDir: string;
  beforeAll(async () => {
    [database, nats, stub] = await Promise.all([
      createTestDatabase(),
      startTestNats(),
      startStubServer(() => ({ status: 201 })),
    ]);
    dataDir = await mkdtemp(join(tmpdir(), 'birdhub-notifications-'));
    service = await startSystem({
      DATABASE_URL: database.url,
      NATS_URL: nats.url,
      DATA_DIR: dataDir,
      BASE_PATH: '/birds',
      TELEGRAM_API_URL: `${stub.url}/`,
      LOG_LEVEL: 'silent',
      PUSH_ALLOW_PRIVATE: '1',
    });
  });
  afterAll(async () => {
    await service.close();
    await Promise.all([nats.stop(), stub.stop(), database.drop(), rm(dataDir, { recursive: true })]);
  });

  const send = (method: string, path: string, body?: object) =>
    fetch(`${service.url}/api/ui/${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });

  it('with a test of the channels, returns the result of each', async () => {
    const none = await send('POST', 'notify/test');
    expect([none.status, await none.json()]).toEqual([
      200,
      { message: 'No channel is configured.', results: [] },
    ]);
    await send('PATCH', 'settings', { notifications: { telegram_bot_token: '1:a', telegram_chat_id: '2' } });
    await vi.waitFor(async () => {
      expect(await (await send('POST', 'notify/test')).json()).toEqual({
        message: 'Sent.',
        results: [{ channel: 'telegram', ok: true, error: null, sentences: [] }],
      });
    });
    expect(stub.requests.at(-1)?.path).toBe('/bot1:a/sendMessage');
    const channels = (await (await send('GET', 'notification-channels')).json()) as {
      id: number;
      kind: string;
    }[];
    const bot = channels.find(({ kind }) => kind === 'telegram');
    expect((await send('DELETE', `notification-channels/${bot?.id}`)).status).toBeLessThan(300);
  });

  it('with a visit event, sends a push message to a browser, with links below the base path', async () => {
    const browser = createTestBrowser(`${stub.url}/push`);
    const { endpoint, p256dh, auth } = browser.subscription;
    const subscription = { endpoint, expirationTime: null, keys: { p256dh, auth } };
    expect((await send('POST', 'push/subscribe', { subscription })).status).toBe(201);
    await send('PATCH', 'settings', { general: { enable_notifications: true } });
    const { writer } = createTestWriter(database.pool);
    const start = Date.now() - 10_000;
    const { videoId, visitIds } = await writer.post(aRecording({ start }), 'test');
    const { rows } = await database.pool.query(
      `SELECT payload FROM outbox WHERE subject = 'hub.v1.visit.started'`,
    );
    const bus = new Bus({ url: nats.url, name: 'test', log: pino({ level: 'silent' }) });
    await bus.publish('hub.v1.visit.started', rows[0].payload, { id: 'visit' });
    await vi.waitFor(() => expect(stub.requests.map(({ path }) => path)).toContain('/push'));
    await bus.close();
    expect(stub.requests.filter(({ path }) => path === '/push').map(browser.read)).toMatchObject([
      { title: 'Great Tit', url: `/birds/videos/${videoId}`, visit_id: visitIds[0] },
    ]);
  });
});

describe('a detector that was silent when the hub started', () => {
  const noon = Date.UTC(2026, 4, 10, 12);
  const minute = 60_000;
  let hub: TestNotifications;
  beforeEach(async () => {
    hub = await createTestNotifications(noon);
    await hub.subscribe('a');
    await hub.setRules([{ when: 'detector_silent', silent_minutes: 30 }]);
    await hub.database.pool.query('INSERT INTO processor_heartbeat (data, updated_at) VALUES ($1, $2)', [
      {},
      new Date(noon - 9 * 60 * minute),
    ]);
  });
  afterEach(() => hub.close());

  it.each([
    ['a minute after the start, is not notified', minute, []],
    ['ten minutes after the start, is notified', 10 * minute, ['The detector is silent']],
  ])('%s', async (_, uptimeMs, titles) => {
    const { pool } = hub.database;
    const log = pino({ level: 'silent' });
    const { channels } = hub.open();
    const deps = {
      pool,
      settings: new SettingsReader({ pool, timezone: 'UTC', log }),
      channels: { list: () => channels.list(), wake: () => undefined, enqueue: enqueueDeliveries },
      clock: hub.clock,
      log,
      basePath: '',
    };
    await checkHub(deps, noon - uptimeMs);
    const { rows } = await pool.query(`SELECT message ->> 'title' AS title FROM notification`);
    expect(rows.map(({ title }) => title)).toEqual(titles);
  });
});

describe('a digest by e-mail', () => {
  /** A Monday, half an hour after the time of digests; clocks went forward the day before. */
  const monday = Date.parse('2026-03-30T05:30:00Z');
  const admin = { role: 'admin', token: undefined, requestId: 'test' } as const;
  const soon = { interval: 10 };
  let hub: TestNotifications;
  let reports: Server;
  let mailServer: SMTPServer;
  const mails: string[] = [];
  const asked: URLSearchParams[] = [];
  beforeEach(async () => {
    mails.length = 0;
    asked.length = 0;
    hub = await createTestNotifications(monday);
    reports = createServer((request, response) => {
      asked.push(new URL(request.url ?? '', 'http://reports').searchParams);
      response.end('%PDF-1.7 a report');
    }).listen(0, '127.0.0.1');
    mailServer = new SMTPServer({
      authOptional: true,
      onData(stream, _session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          mails.push(Buffer.concat(chunks).toString('utf8'));
          done();
        });
      },
    });
    await once(mailServer.listen(0, '127.0.0.1'), 'listening');
    await hub.set({
      general: { timezone: 'Europe/Berlin', language: 'de' },
      digest: { frequency: 'weekly', time: '07:00', weekday: 1 },
    });
    await setChangedAt(monday - 86_400_000);
  });
  afterEach(async () => {
    await hub.close();
    reports.close();
    await new Promise<void>((done) => mailServer.close(() => done()));
  });

  const setChangedAt = (at: number) =>
    hub.database.pool.query(`UPDATE activity_log SET updated_at = $1 WHERE type = 'settings_change'`, [
      new Date(at),
    ]);
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  const addChannel = ({ channels }: TestProcess) => {
    const port = portOf(mailServer.server);
    const options = {
      host: '127.0.0.1',
      port,
      security: 'none',
      from: 'hub@a.example',
      to: ['me@a.example'],
    };
    return channels.create('email', { name: 'Mail', options }, admin);
  };
  /** Does the work that a process does once a minute. */
  const look = ({ channels }: TestProcess) => {
    const { pool } = hub.database;
    const log = pino({ level: 'silent' });
    const reportsUrl = `http://127.0.0.1:${portOf(reports)}`;
    return sendDueDigest({
      pool,
      settings: new SettingsReader({ pool, timezone: 'UTC', log }),
      channels: { list: () => channels.list(), wake: () => channels.wake(), enqueue: enqueueDeliveries },
      clock: hub.clock,
      log,
      basePath: '',
      makeReport: (from, to, language) =>
        fetchReport({ reportsUrl, internalSecret: undefined }, { from, to, language }),
    });
  };
  const deliveries = async () => (await hub.deliveries()).map(({ channel, state }) => [channel, state]);

  it('of a week, by two processes and after a restart, is one mail with the report of these local days', async () => {
    const see = (speciesName: string, start: string) =>
      hub.post({ start: Date.parse(start), detections: [aDetection({ speciesName })] });
    await see('Great Tit', '2026-03-17T10:00:00Z');
    await see('Great Tit', '2026-03-24T10:00:00Z');
    await see('Robin', '2026-03-29T21:30:00Z');
    await see('Wren', '2026-03-30T00:30:00Z');
    await hub.database.pool.query(
      `INSERT INTO processor_uptime (started_at, ended_at) VALUES
       ('2026-03-01T00:00:00Z', '2026-03-27T22:30:00Z'), ('2026-03-29T21:45:00Z', '2026-03-30T05:00:00Z')`,
    );
    const processes = [hub.open(), hub.open()] as const;
    await addChannel(processes[0]);
    await Promise.all(processes.map(look));
    await vi.waitFor(() => expect(mails).toHaveLength(1), soon);
    await Promise.all(processes.map((process) => process.close()));
    const restarted = hub.open();
    hub.clock.advance(10 * 60_000);
    await look(restarted);
    // When clocks go back, the time of the digest occurs again.
    hub.clock.advance(-20 * 60_000);
    await look(restarted);
    await restarted.close();
    expect(mails).toHaveLength(1);
    expect(await deliveries()).toEqual([['email', 'sent']]);
    const mail = mails[0] ?? '';
    expect(/^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(mail)?.[1]).toContain('M=C3=A4rz');
    expect(mail).toContain('2 Besuche von 2 Arten, 100 % mehr als in der Woche davor.');
    expect(mail).toContain('1 Tag ohne Detektor.');
    expect(mail).toContain('birds-2026-03-29.pdf');
    expect(mail).toContain(Buffer.from('%PDF-1.7 a report').toString('base64'));
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({
      start_time: '2026-03-22T23:00:00.000Z',
      end_time: '2026-03-29T22:00:00.000Z',
      language: 'de',
    });
    const { rows } = await hub.database.pool.query('SELECT message_key AS key FROM notification');
    expect(rows).toEqual([{ key: 'digest:weekly:2026-03-29' }]);
  });

  it('of a week with birds of the demo, leaves them out, and has no report', async () => {
    const recording = (speciesName: string, start: string) => ({
      start: Date.parse(start),
      detections: [aDetection({ speciesName })],
    });
    await hub.postDemo(recording('Wren', '2026-03-17T10:00:00Z'));
    await hub.postDemo(recording('Robin', '2026-03-24T10:00:00Z'));
    await hub.postDemo(recording('Great Tit', '2026-03-24T10:00:00Z'));
    const own = await hub.post(recording('Wren', '2026-03-24T12:00:00Z'));
    const demo = await hub.postDemo(recording('Wren', '2026-03-24T12:00:30Z'));
    await hub.database.pool.query(`UPDATE video SET media = 'ready'`);
    await hub.database.pool.query('UPDATE detection SET reviewed = true WHERE video_id = $1', [demo.videoId]);
    const process = hub.open();
    await addChannel(process);
    await look(process);
    const { rows } = await hub.database.pool.query(
      `SELECT message ->> 'body' AS body, (message ->> 'videoId')::int AS "videoId" FROM notification`,
    );
    expect(rows).toEqual([{ body: expect.any(String), videoId: own.videoId }]);
    expect(rows[0].body.split('\n')).toEqual([
      '1 Besuch von 1 Art.',
      'Zaunkönig 1',
      expect.stringContaining('Zaunkönig'),
      expect.stringContaining('Zaunkönig'),
    ]);
    expect(asked).toEqual([]);
  });

  it.each([
    ['that was turned on', { digest: { frequency: 'off' } }, { digest: { frequency: 'weekly' } }],
    [
      'with the notifications turned on',
      { general: { enable_notifications: false } },
      { general: { enable_notifications: true } },
    ],
  ])('%s after its time, is first sent at the next', async (_, off, on) => {
    await hub.set(off);
    await hub.set(on);
    await setChangedAt(monday - 60_000);
    const process = hub.open();
    await addChannel(process);
    await look(process);
    expect(await deliveries()).toEqual([]);
    hub.clock.advance(7 * 86_400_000);
    await look(process);
    expect(await deliveries()).toHaveLength(1);
  });

  it('with another setting changed after its time, is sent', async () => {
    await hub.set({ general: { app_name: 'Cottage' } });
    await hub.database.pool.query(
      `UPDATE activity_log SET updated_at = $1 WHERE data -> 'keys' ? 'general.app_name'`,
      [new Date(monday - 60_000)],
    );
    const process = hub.open();
    await addChannel(process);
    await look(process);
    expect(await deliveries()).toHaveLength(1);
  });

  it('with the notifications turned off, is not sent', async () => {
    await hub.set({ general: { enable_notifications: false } });
    await setChangedAt(monday - 86_400_000);
    const process = hub.open();
    await addChannel(process);
    await look(process);
    expect(await deliveries()).toEqual([]);
  });

  it('of a hub whose browsers are not subscribed, is composed once, without the report', async () => {
    const process = hub.open();
    await look(process);
    await hub.subscribe('a');
    hub.clock.advance(60_000);
    await look(process);
    expect(await deliveries()).toEqual([]);
    expect(asked).toEqual([]);
    const { rows } = await hub.database.pool.query('SELECT message_key AS key FROM notification');
    expect(rows).toEqual([{ key: 'digest:weekly:2026-03-29' }]);
    await process.close();
  });

  it('whose process was killed between claim and send, is neither sent nor created again', async () => {
    const killed = hub.open();
    const { id } = await addChannel(killed);
    // It stops taking deliveries, as if the process had ended right after the claim.
    await killed.close();
    await look(killed);
    expect(await claimDelivery(hub.database.pool, id, hub.clock.now())).toBeDefined();
    hub.clock.advance(5 * 60_000);
    const next = hub.open();
    await look(next);
    next.channels.wake();
    await vi.waitFor(async () => expect(await deliveries()).toEqual([['email', 'failed']]), soon);
    await next.close();
    expect(mails).toEqual([]);
    expect((await hub.deliveries())[0]?.error).toBe(
      'The hub stopped while the message was being sent. It may have arrived.',
    );
  });
});
