import { createHmac } from 'node:crypto';
import type { ReceivedRequest } from '@birdhub/testing/stub-server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestNotifications, type TestNotifications } from '../testing/create-test-notifications.js';

const noon = Date.UTC(2026, 4, 1, 12);
const token = '123456:AA-secret_Token';
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(50, 7)]);

const formOf = ({ body, headers }: ReceivedRequest) =>
  new Response(new Uint8Array(body), {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData();

describe('channels from settings', () => {
  let hub: TestNotifications;
  const useWebhook = (secret = 'key') => hub.set({ webhook: { url: `${hub.stub.url}/hook?a=1`, secret } });
  const useTelegram = () =>
    hub.set({
      notifications: { telegram_bot_token: token, telegram_chat_id: '-100', base_url: 'http://hub.example' },
    });
  const settle = (state: string, count = 1) =>
    vi.waitFor(
      async () => expect((await hub.deliveries()).filter((row) => row.state === state)).toHaveLength(count),
      { interval: 20 },
    );
  const start = async (given?: Parameters<typeof createTestNotifications>[1]) => {
    hub = await createTestNotifications(noon, given);
  };
  beforeEach(() => start());
  afterEach(() => hub.close());

  it('for a webhook, send the message signed and named', async () => {
    await useWebhook();
    hub.open();
    const { videoId, visitIds } = await hub.post();
    await settle('sent');
    const [{ url, headers, body }] = hub.stub.requests as [ReceivedRequest];
    expect([url, headers['x-birdhub-delivery']]).toEqual(['/hook?a=1', `visit:${visitIds[0]}`]);
    expect(headers['x-birdhub-signature']).toBe(
      `sha256=${createHmac('sha256', 'key').update(body).digest('hex')}`,
    );
    expect(JSON.parse(body.toString())).toMatchObject({
      id: `visit:${visitIds[0]}`,
      title: 'Great Tit',
      url: `/videos/${videoId}`,
      visit_id: visitIds[0],
    });
  });

  it('for push services that do not respond, delay no other channel', async () => {
    for (let number = 0; number < 20; number += 1) await hub.subscribe(`silent/${number}`);
    await useWebhook();
    hub.stub.respond(({ path }) => (path.includes('silent') ? undefined : { status: 204 }));
    hub.open();
    await hub.post();
    await settle('sent');
    expect((await hub.deliveries()).filter(({ state }) => state === 'sent')).toMatchObject([
      { channel: 'webhook' },
    ]);
  });

  it('for a webhook without a secret, send unsigned messages', async () => {
    await useWebhook('');
    hub.open();
    await hub.post();
    await settle('sent');
    expect(hub.stub.requests[0]?.headers).not.toHaveProperty('x-birdhub-signature');
  });

  it.each([302, 400])('for a webhook that responds %i, do not retry', async (status) => {
    await useWebhook();
    hub.stub.respond(() => ({ status, headers: { location: '/elsewhere' } }));
    hub.open();
    await hub.post();
    await settle('failed');
    expect(await hub.deliveries()).toEqual([
      {
        channel: 'webhook',
        state: 'failed',
        attempts: 1,
        error: `The service responded with status ${status}.`,
      },
    ]);
    expect(hub.stub.requests).toHaveLength(1);
  });

  it('with private addresses forbidden, reach none of them', async () => {
    await hub.close();
    await start({ allowsPrivate: false });
    await hub.subscribe('a');
    await useWebhook();
    hub.open();
    await hub.post();
    await settle('failed', 2);
    expect((await hub.deliveries()).map(({ error }) => error)).toEqual(
      Array.from(
        { length: 2 },
        () => 'This address is not allowed: it is neither in this network nor on the internet.',
      ),
    );
    expect(hub.stub.requests).toEqual([]);
  });

  it('for Telegram, send the text and the link', async () => {
    await useTelegram();
    hub.open();
    const { videoId } = await hub.post();
    await settle('sent');
    const [request] = hub.stub.requests as [ReceivedRequest];
    expect(request.path).toBe(`/bot${token}/sendMessage`);
    expect(JSON.parse(request.body.toString())).toEqual({
      chat_id: '-100',
      text: `Great Tit\nHere since 11:59 · Birdhub\nhttp://hub.example/videos/${videoId}`,
    });
  });

  it('for Telegram, send the picture of a notice, or only the text if it is refused', async () => {
    await useTelegram();
    hub.open();
    await hub.notifyDetection({}, jpeg);
    await settle('sent');
    const [request] = hub.stub.requests as [ReceivedRequest];
    expect(request.path).toBe(`/bot${token}/sendPhoto`);
    const photo = (await formOf(request)).get('photo') as File;
    expect(Buffer.from(await photo.arrayBuffer())).toEqual(jpeg);
    hub.stub.respond(({ path }) => ({ status: path.endsWith('sendPhoto') ? 400 : 200 }));
    await hub.notifyDetection({ species_name: 'Robin' }, jpeg);
    await settle('sent', 2);
    expect(hub.stub.requests.slice(1).map(({ path }) => path.split('/').at(-1))).toEqual([
      'sendPhoto',
      'sendMessage',
    ]);
  });

  it('for Telegram with retry_after, retry later, and its token is in no log and no error', async () => {
    await useTelegram();
    const body = JSON.stringify({
      ok: false,
      description: 'Too Many Requests',
      parameters: { retry_after: 30 },
    });
    hub.stub.respond(() => ({ status: 429, body }));
    const first = hub.open();
    await hub.post();
    // A delivery is also pending before its first attempt.
    await vi.waitFor(async () => expect((await hub.deliveries())[0]?.error).toBeTruthy());
    const { rows } = await hub.database.pool.query('SELECT state, next_attempt_at, error FROM push_delivery');
    const next_attempt_at = new Date(noon + 30_000);
    expect(rows).toEqual([
      {
        state: 'pending',
        next_attempt_at,
        error: 'The service responded with status 429: Too Many Requests',
      },
    ]);
    await first.close();
    hub.clock.advance(30_000);
    hub.open('http://127.0.0.1:1');
    await vi.waitFor(async () => expect((await hub.deliveries())[0]?.error).toContain('cannot be reached'));
    hub.clock.advance(60 * 60_000);
    expect(`${hub.logText()}${JSON.stringify(await hub.deliveries())}`).not.toContain('secret_Token');
  });

  it('tested while all rules suppress messages, are each sent one and return the result', async () => {
    await Promise.all([hub.subscribe('a'), hub.subscribe('gone')]);
    await useWebhook();
    await useTelegram();
    await hub.set({ general: { enable_notifications: false } });
    hub.stub.respond(({ path }) => {
      if (path === '/gone') return { status: 410 };
      return { status: path.startsWith('/bot') ? 401 : 200, body: '{"description":"Unauthorized"}' };
    });
    const notifications = hub.open();
    expect(await notifications.channels.testAll()).toEqual([
      {
        channel: 'web_push',
        ok: false,
        error: 'Not delivered: 1 of 2. The service responded with status 410.',
        sentences: [
          { code: 'some_of', values: { failed: 1, total: 2 } },
          { code: 'status', values: { status: 410 } },
        ],
      },
      { channel: 'webhook', ok: true, error: null, sentences: [] },
      {
        channel: 'telegram',
        ok: false,
        error: 'The service responded with status 401: Unauthorized',
        sentences: [{ code: 'status_reason', values: { status: 401, reason: 'Unauthorized' } }],
      },
    ]);
    expect((await notifications.channels.testAll())[0]).toEqual({
      channel: 'web_push',
      ok: true,
      error: null,
      sentences: [],
    });
    expect(await hub.deliveries()).toEqual([]);
  });

  it('for web push with invalid keys, return an error and delay no other', async () => {
    await hub.subscribe('a');
    await useWebhook();
    const keys = { vapid_public_key: `B${'a'.repeat(86)}`, vapid_private_key: 'no key' };
    await hub.set({ web_push: keys });
    expect(await hub.open().channels.testAll()).toMatchObject([
      { channel: 'web_push', ok: false, error: 'The keys for notifications in browsers cannot be used.' },
      { channel: 'webhook', ok: true, error: null },
    ]);
  });

  it('tested without any configured, return an empty list', async () => {
    expect(await hub.open().channels.testAll()).toEqual([]);
  });
});
