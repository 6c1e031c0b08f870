import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { posterFile } from '@birdhub/domain/media';
import { inTransaction } from '@birdhub/shared/db';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestNotifications, type TestNotifications } from '../testing/create-test-notifications.js';
import { enqueueDeliveries } from './deliveries.store.js';

const noon = Date.UTC(2026, 4, 1, 12);
const minute = 60_000;
const person = { role: 'admin', token: undefined, requestId: 'test' } as never;
const soon = { interval: 20 };

describe('channels', () => {
  let hub: TestNotifications;
  let number = 0;
  beforeEach(async () => {
    hub = await createTestNotifications(noon);
  });
  afterEach(() => hub.close());

  const webhook = (name: string, path: string) => ({
    name,
    options: { url: `${hub.stub.url}/${path}` },
    secrets: { secret: 'a-secret-key' },
  });

  /** Stores a message for channels, as alert rules do. */
  function tell(
    channelIds: readonly number[] | 'all' = 'all',
    expiresAt = noon + 15 * minute,
  ): Promise<number> {
    number += 1;
    const key = `test:${number}`;
    const message = {
      key,
      title: 'Tit',
      body: '',
      tag: key,
      url: '/',
      visitId: null,
      icon: null,
      image: null,
      noticeId: null,
    };
    return inTransaction(hub.database.pool, async (client) => {
      const { rows } = await client.query<{ id: number }>(
        `INSERT INTO notification (message_key, species_key, about, message, expires_at, created_at)
         VALUES ($1, 'tit', $2, $3, $4, $2) RETURNING id`,
        [key, new Date(noon), JSON.stringify(message), new Date(expiresAt)],
      );
      return enqueueDeliveries(client, {
        notificationId: rows[0]?.id ?? 0,
        channelIds,
        now: hub.clock.now(),
      });
    });
  }
  const states = async () => (await hub.deliveries()).map(({ state }) => state);
  const settled = (expected: string[]) =>
    vi.waitFor(async () => expect((await states()).sort()).toEqual([...expected].sort()), soon);

  it('with secrets, store them encrypted, show them nowhere, and keep them in a change without them', async () => {
    const { channels } = hub.open();
    const created = await channels.create('webhook', webhook('One', 'a'), person);
    expect(created).toMatchObject({ kind: 'webhook', enabled: true, secrets: ['secret'], state: 'unused' });
    const changed = await channels.update(
      created.id,
      { name: 'Two', options: { url: `${hub.stub.url}/b` } },
      person,
    );
    expect(changed).toMatchObject({ name: 'Two', secrets: ['secret'] });
    const { rows } = await hub.database.pool.query('SELECT * FROM notification_channel');
    expect(JSON.stringify([created, changed, await channels.show(), rows])).not.toContain('a-secret-key');
    expect(hub.logText()).not.toContain('a-secret-key');
  });

  it('with a changed address, require the secret again', async () => {
    const { channels } = hub.open();
    const { id } = await channels.create('webhook', webhook('One', 'a'), person);
    const options = { url: 'https://other.example/' };
    const failure = { code: 'invalid_request', details: [{ path: '/secrets/secret' }] };
    await expect(channels.update(id, { options }, person)).rejects.toMatchObject(failure);
    await expect(channels.test({ id, options })).rejects.toMatchObject(failure);
    const cleared = await channels.update(id, { options, secrets: { secret: null } }, person);
    expect(cleared.secrets).toEqual([]);
  });

  it.each([
    ['ntfy', { topic: 'a/b' }, {}, '/options/topic'],
    ['ntfy', { topic: 'a', username: '\udc00' }, {}, '/options/username'],
    ['ntfy', { topic: 'a', url: 'ftp://x' }, {}, '/options/url'],
    ['ntfy', { topic: 'a', url: 'https://me:pw@x.example' }, {}, '/options/url'],
    ['telegram', { chat_id: '1' }, {}, '/secrets/bot_token'],
    ['telegram', { chat_id: '1' }, { bot_token: 'a\r\nb' }, '/secrets/bot_token'],
    ['discord', {}, { url: 'https://example.org/' }, '/secrets/url'],
    ['email', { host: 'h', from: 'a@b', to: [] }, {}, '/options/to'],
    ['email', { host: 'h', from: 'a@b\r\nBcc: c@d', to: ['a@b'] }, {}, '/options/from'],
    ['mqtt', { topic: 'a/#' }, {}, '/options/topic'],
    ['apprise', { url: 'https://x.example' }, {}, '/secrets/urls'],
    ['webhook', { url: 'https://x.example', topic: 'no' }, {}, '/options/topic'],
    ['webhook', { url: 'https://x.example' }, { token: 'no' }, '/secrets/token'],
  ] as const)('of the kind %s with %j and %j, are refused at %s', async (kind, options, secrets, path) => {
    const { channels } = hub.open();
    await expect(channels.create(kind, { name: 'One', options, secrets }, person)).rejects.toMatchObject({
      code: 'invalid_request',
      details: expect.arrayContaining([expect.objectContaining({ path })]),
    });
    expect(await channels.list()).toHaveLength(1);
  });

  it('with the name of another, or a second one for browsers, are conflicts', async () => {
    const { channels } = hub.open();
    await channels.create('webhook', webhook('One', 'a'), person);
    const same = channels.create('webhook', webhook('One', 'b'), person);
    await expect(same).rejects.toMatchObject({ code: 'channel_name_taken' });
    await expect(channels.create('web_push', { name: 'More' }, person)).rejects.toMatchObject({
      code: 'channel_exists',
    });
  });

  it('named by a message and enabled, get it once each', async () => {
    const { channels } = hub.open();
    const one = await channels.create('webhook', webhook('One', 'one'), person);
    const two = await channels.create('webhook', webhook('Two', 'two'), person);
    const three = await channels.create('webhook', { ...webhook('Three', 'three'), enabled: false }, person);
    expect(await tell([one.id, three.id, 999])).toBe(1);
    expect(await tell()).toBe(2);
    channels.wake();
    await settled(['sent', 'sent', 'sent']);
    expect(hub.stub.requests.map(({ path }) => path).sort()).toEqual(['/one', '/one', '/two']);
    expect((await channels.show()).find(({ id }) => id === two.id)).toMatchObject({
      state: 'ok',
      waiting: 0,
    });
  });

  it('that do not respond, delay no other', async () => {
    const { channels } = hub.open();
    await channels.create('webhook', webhook('Silent', 'silent'), person);
    await channels.create('webhook', webhook('Quick', 'quick'), person);
    hub.stub.respond(({ path }) => (path === '/silent' ? undefined : { status: 204 }));
    for (let count = 0; count < 12; count += 1) await tell();
    channels.wake();
    await vi.waitFor(
      async () => expect((await states()).filter((state) => state === 'sent')).toHaveLength(12),
      soon,
    );
  });

  it('with two processes on one queue, send each message once', async () => {
    const [first, second] = [hub.open(), hub.open()];
    await first.channels.create('webhook', webhook('One', 'one'), person);
    for (let count = 0; count < 20; count += 1) await tell();
    first.channels.wake();
    second.channels.wake();
    await settled(Array.from({ length: 20 }, () => 'sent'));
    const ids = hub.stub.requests.map(({ headers }) => headers['x-birdhub-delivery']);
    expect(new Set(ids).size).toBe(20);
    expect(ids).toHaveLength(20);
  });

  it('that recover, do not send messages that are too old', async () => {
    const { channels } = hub.open();
    await channels.create('webhook', webhook('One', 'one'), person);
    hub.stub.respond(() => ({ status: 503 }));
    await tell('all', noon + minute);
    channels.wake();
    await vi.waitFor(
      async () => expect((await hub.deliveries())[0]?.error).toBe('The service responded with status 503.'),
      soon,
    );
    expect((await channels.show()).at(-1)).toMatchObject({
      state: 'failing',
      error: 'The service responded with status 503.',
      sentences: [{ code: 'status', values: { status: 503 } }],
      waiting: 1,
    });
    hub.stub.respond(() => ({ status: 200 }));
    hub.clock.advance(60 * minute);
    channels.wake();
    await settled(['failed']);
    expect(hub.stub.requests).toHaveLength(1);
  });

  it('of Telegram, send the picture and a link for a recording that is too large', async () => {
    await hub.set({ notifications: { base_url: 'https://hub.example' } });
    const { channels } = hub.open();
    const bot = { name: 'Bot', options: { chat_id: '2' }, secrets: { bot_token: '1:a' } };
    await channels.create('telegram', bot, person);
    await writeFile(join(hub.recordingsDir, 'big.mp4'), '');
    await truncate(join(hub.recordingsDir, 'big.mp4'), 21_000_000);
    const { videoId } = await hub.post({ videoPath: 'big.mp4' });
    // Its picture is created while the message waits.
    await settled(['pending']);
    const poster = posterFile(hub.dataDir, videoId);
    await mkdir(dirname(poster), { recursive: true });
    await writeFile(poster, 'a picture');
    // An attempt without a picture yet is retried seconds later.
    await vi.waitFor(async () => {
      hub.clock.advance(2_000);
      channels.wake();
      expect(await states()).toEqual(['sent']);
    }, soon);
    expect(hub.stub.requests.map(({ path }) => path)).toEqual(['/bot1:a/sendPhoto']);
    const form = hub.stub.requests[0]?.body.toString() ?? '';
    expect(form).toContain('a picture');
    expect(form).toContain(`https://hub.example/videos/${videoId}`);
  });

  it('that are deleted, lose their waiting messages', async () => {
    const { channels } = hub.open();
    const { id } = await channels.create('webhook', webhook('One', 'one'), person);
    hub.stub.respond(() => ({ status: 429, headers: { 'retry-after': '60' } }));
    await tell();
    channels.wake();
    await vi.waitFor(
      async () => expect((await hub.deliveries())[0]?.error).toBe('The service responded with status 429.'),
      soon,
    );
    await channels.delete(id, person);
    expect(await hub.deliveries()).toMatchObject([{ state: 'failed', error: 'The channel was deleted.' }]);
    await expect(channels.delete(id, person)).rejects.toMatchObject({ code: 'channel_not_found' });
  });

  it('with a full queue, refuse further messages', async () => {
    const { channels } = hub.open();
    const { id } = await channels.create('webhook', { ...webhook('One', 'one') }, person);
    hub.stub.respond(() => ({ status: 429, headers: { 'retry-after': '600' } }));
    await tell();
    await hub.database.pool.query(
      `INSERT INTO push_delivery (notification_id, channel, channel_id, target, next_attempt_at)
       SELECT notification_id, channel, $1, 'n' || n, $2 FROM push_delivery, generate_series(1, 1000) n`,
      [id, new Date(noon + 10 * minute)],
    );
    expect(await tell()).toBe(0);
    expect((await hub.deliveries()).at(-1)).toMatchObject({
      state: 'failed',
      error: 'Too many messages are waiting for this channel.',
    });
  });

  it('tested before they are stored, return what went wrong in plain words', async () => {
    const { channels } = hub.open();
    hub.stub.respond(() => ({ status: 403 }));
    const form = { kind: 'webhook', options: { url: `${hub.stub.url}/form` } } as const;
    expect(await channels.test(form)).toEqual({
      ok: false,
      message: 'It was not sent. The service responded with status 403.',
      sentences: [{ code: 'status', values: { status: 403 } }],
    });
    hub.stub.respond(() => ({ status: 200 }));
    expect(await channels.test(form)).toEqual({ ok: true, message: 'Sent.', sentences: [] });
    expect(await channels.list()).toHaveLength(1);
    expect(await channels.test({ id: 1 })).toMatchObject({ ok: false });
    await expect(channels.test({})).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
