import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningService } from '@birdhub/shared/app';
import { createNatsBus } from '@birdhub/shared/bus';
import {
  aRecording,
  createTestDatabase,
  createTestWriter,
  startTestNats,
  type TestDatabase,
  type TestNats,
} from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startSystem } from '../start.js';
import { createTestBrowser, type StubService, startStubService } from '../testing/stub-service.js';

describe('the system service', () => {
  let database: TestDatabase;
  let nats: TestNats;
  let stub: StubService;
  let service: RunningService;
  let dataDir: string;
  beforeAll(async () => {
    [database, nats, stub] = await Promise.all([createTestDatabase(), startTestNats(), startStubService()]);
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
    await Promise.all([nats.stop(), stub.close(), database.drop(), rm(dataDir, { recursive: true })]);
  });

  const send = (method: string, path: string, body?: object) =>
    fetch(`${service.url}/api/ui/${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });

  it('a test of the channels, returns the result of each', async () => {
    const none = await send('POST', 'notify/test');
    expect([none.status, await none.json()]).toEqual([
      200,
      { message: 'No channel is configured.', results: [] },
    ]);
    await send('PATCH', 'settings', { notifications: { telegram_bot_token: '1:a', telegram_chat_id: '2' } });
    await vi.waitFor(async () => {
      expect(await (await send('POST', 'notify/test')).json()).toEqual({
        message: 'Sent.',
        results: [{ channel: 'telegram', ok: true, error: null }],
      });
    });
    expect(stub.seen.at(-1)?.path).toBe('/bot1:a/sendMessage');
    const channels = (await (await send('GET', 'notification-channels')).json()) as {
      id: number;
      kind: string;
    }[];
    const bot = channels.find(({ kind }) => kind === 'telegram');
    expect((await send('DELETE', `notification-channels/${bot?.id}`)).status).toBeLessThan(300);
  });

  it('a visit event, is pushed to a subscribed browser, with links below the base path', async () => {
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
    const bus = createNatsBus({ url: nats.url, name: 'test', log: pino({ level: 'silent' }) });
    await bus.publish('hub.v1.visit.started', rows[0].payload, { id: 'visit' });
    await vi.waitFor(() => expect(stub.seen.map(({ path }) => path)).toContain('/push'), { timeout: 5_000 });
    await bus.close();
    expect(stub.seen.filter(({ path }) => path === '/push').map(browser.read)).toMatchObject([
      { title: 'Great Tit', url: `/birds/videos/${videoId}`, visit_id: visitIds[0] },
    ]);
  });
});
