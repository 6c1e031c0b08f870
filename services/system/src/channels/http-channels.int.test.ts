import { createHmac } from 'node:crypto';
import { createServer } from 'node:net';
import { createOutgoingGuard, createServiceGuard } from '@birdhub/shared/outgoing';
import { type ReceivedRequest, type StubServer, startStubServer } from '@birdhub/testing/stub-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeWords, readForm, textPart } from '../testing/forms.js';
import { inEnglish } from '../testing/in-english.js';
import { createAppriseChannel } from './apprise.js';
import type { Attachment, ChannelKind, Message, Shipment } from './channel.js';
import { createPostRequest } from './channel-http.js';
import { createDiscordChannel } from './discord.js';
import { createNtfyChannel } from './ntfy.js';
import { createTelegramChannel } from './telegram.js';
import { createWebhookChannel } from './webhook.js';

const picture: Attachment = {
  name: 'bird.jpg',
  type: 'image/jpeg',
  content: Buffer.from([0xff, 0xd8, 0xff, 1]),
};
const clip: Attachment = { name: 'bird.mp4', type: 'video/mp4', content: Buffer.from('a film') };
const report: Attachment = { name: 'week.pdf', type: 'application/pdf', content: Buffer.from('%PDF') };
const nasty = 'Tit\r\nX-Evil: 1 <b>&"\' @everyone <@1> *_~`[a](http://evil) \u{1F426} ÄЖ';
const message: Message = {
  key: 'visit:7',
  title: 'Great Tit',
  body: 'Here since 11:59 · Birdhub',
  tag: 'birdhub-visit-7',
  url: 'https://birds.example/videos/7',
  visitId: 7,
  icon: null,
  image: null,
  noticeId: null,
};
const botToken = '123456:AA-secret_Token';
const partsOf = (request: ReceivedRequest | undefined) => (request ? readForm(request) : []);
const partOf = (request: ReceivedRequest | undefined, wanted: string) =>
  partsOf(request).find(({ name }) => name === wanted);
const kindNames = ['webhook', 'telegram', 'ntfy', 'discord', 'apprise'] as const;

describe('channels over HTTP', () => {
  let stub: StubServer;
  beforeEach(async () => {
    stub = await startStubServer(() => ({ status: 200, body: {} }));
  });
  afterEach(() => stub.stop());

  const guard = (reach: 'all' | 'public' = 'all', port = 0) =>
    createServiceGuard({
      ownAddresses: port ? [{ host: undefined, port }] : [],
      guard: createOutgoingGuard(reach),
    });

  function kindOf(kind: (typeof kindNames)[number], url = stub.url, guarded = guard()) {
    const post = createPostRequest(guarded);
    const kinds = {
      webhook: [createWebhookChannel(post), { url: `${url}/hook` }, { secret: 'key' }],
      telegram: [
        createTelegramChannel(post, url),
        { chat_id: '-100', silent: false, picture: true, clip: true },
        { bot_token: botToken },
      ],
      ntfy: [
        createNtfyChannel(post),
        { url, topic: 'birds', username: '', priority: 4, tags: ['bird', 'Ä'], picture: true },
        { token: 'tk_secret' },
      ],
      discord: [
        createDiscordChannel(post),
        { username: 'Birds', picture: true },
        { url: `${url}/api/webhooks/12/to-ken_secret` },
      ],
      apprise: [
        createAppriseChannel(post),
        { url, key: '', apprise_tag: '', picture: true },
        { urls: 'signal://secret\nntfy://other' },
      ],
    } as unknown as Record<typeof kind, [ChannelKind, Shipment['options'], Record<string, string>]>;
    return kinds[kind];
  }

  function send(
    kind: (typeof kindNames)[number],
    given: Partial<Shipment<Record<string, unknown>>> = {},
    url?: string,
    guarded?: ReturnType<typeof guard>,
  ) {
    const [channel, options, secrets] = kindOf(kind, url, guarded);
    const shipment = {
      message,
      target: '',
      ttlSeconds: 600,
      options: options as Record<string, unknown>,
      secrets,
      attachments: [],
    };
    return inEnglish(channel.send({ ...shipment, picture: undefined, clip: undefined, ...given }));
  }

  describe.each(kindNames)('%s', (kind) => {
    it('to a service that accepts, is sent once', async () => {
      expect(await send(kind)).toEqual({ state: 'sent', error: null });
      expect(stub.requests).toHaveLength(1);
      expect(stub.requests[0]?.method).toBe('POST');
    });

    it.each([
      [401, 'failed'],
      [404, 'failed'],
      [500, 'retry'],
      [503, 'retry'],
    ])('to a service that responds %i, is %s', async (status, state) => {
      stub.respond(() => ({ status, body: {} }));
      expect(await send(kind, { picture })).toMatchObject({
        state,
        error: expect.stringContaining(`status ${status}`),
      });
    });

    it('to a service with too many requests, is retried when the service allows it', async () => {
      stub.respond(() => ({ status: 429, headers: { 'retry-after': '7' }, body: {} }));
      expect(await send(kind)).toMatchObject({ state: 'retry', retryAfter: '7' });
    });

    it('to a redirect, is not sent to its target', async () => {
      stub.respond(() => ({ status: 302, headers: { location: `${stub.url}/other` } }));
      expect((await send(kind)).state).toBe('failed');
      expect(stub.requests).toHaveLength(1);
    });

    it('with a reply without an end, has its status and does not read to the end', async () => {
      stub.respond((_request, response) => {
        response.writeHead(200);
        const flood = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, 0x7b)));
        };
        response.on('drain', flood).on('error', () => undefined);
        flood();
      });
      expect(await send(kind)).toEqual({ state: 'sent', error: null });
    });

    it('with a connection reset after the request, may have arrived and is not retried', async () => {
      stub.respond((_request, response) => void response.socket?.resetAndDestroy());
      expect((await send(kind)).state).toBe('failed');
      expect(stub.requests).toHaveLength(1);
    });

    it('to a service that is down, is retried', async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await new Promise((done) => server.once('listening', done));
      const { port } = server.address() as { port: number };
      await new Promise((done) => server.close(done));
      const outcome = await send(kind, {}, `http://127.0.0.1:${port}`);
      expect(outcome).toEqual({ state: 'retry', error: 'It cannot be reached (ECONNREFUSED).' });
    });

    it('to an unknown host name, is retried', async () => {
      const outcome = await send(kind, {}, 'http://nowhere.invalid');
      expect(outcome).toMatchObject({ state: 'retry', error: expect.stringContaining('cannot be reached') });
    });

    it('to the hub itself or a forbidden private address, is refused', async () => {
      const own = await send(kind, {}, stub.url, guard('all', stub.port));
      expect(own).toEqual({
        state: 'failed',
        error: 'This address is not allowed: it belongs to a service of the hub itself.',
      });
      const inside = await send(kind, {}, stub.url, guard('public'));
      expect(inside).toMatchObject({
        state: 'failed',
        error: expect.stringContaining('neither in this network'),
      });
      expect(stub.requests).toEqual([]);
    });

    it('with an error, has no secrets in it', async () => {
      const errors: (string | null)[] = [];
      for (const status of [400, 403, 500]) {
        stub.respond(() => ({ status, body: '<html>no json</html>' }));
        errors.push((await send(kind, { picture })).error);
      }
      expect(errors.join()).not.toMatch(/secret/i);
    });

    it('with markup and line breaks, adds no header and mentions nobody', async () => {
      await send(kind, { message: { ...message, title: nasty, body: nasty } });
      await send(kind, { message: { ...message, title: nasty, body: nasty }, picture });
      expect(stub.requests.length).toBeGreaterThanOrEqual(2);
      for (const { headers } of stub.requests) expect(headers).not.toHaveProperty('x-evil');
    });
  });

  it.concurrent.each(kindNames)(
    '%s, to a service that never responds, may have arrived and is not retried',
    async (kind) => {
      const silent = await startStubServer(() => undefined);
      try {
        const outcome = await send(kind, {}, silent.url);
        expect(outcome).toMatchObject({
          state: 'failed',
          error: expect.stringContaining('no response within'),
        });
        expect(silent.requests).toHaveLength(1);
      } finally {
        await silent.stop();
      }
    },
  );

  it('webhook, is signed over the bytes of its body', async () => {
    await send('webhook', { message: { ...message, title: nasty } });
    const [request] = stub.requests;
    const expected = createHmac('sha256', 'key')
      .update(request?.body ?? '')
      .digest('hex');
    expect(request?.headers['x-birdhub-signature']).toBe(`sha256=${expected}`);
    expect(JSON.parse(String(request?.body)).title).toBe(nasty);
  });

  it('telegram, sends the recording, or if refused the picture, or else only the text', async () => {
    stub.respond(({ path }) => {
      const isRefused = /sendVideo|sendPhoto/.test(path);
      const body = { ok: !isRefused, description: 'Request Entity Too Large' };
      return { status: isRefused ? 413 : 200, body };
    });
    expect(await send('telegram', { picture, clip })).toEqual({ state: 'sent', error: null });
    expect(stub.requests.map(({ path }) => path)).toEqual(
      ['sendVideo', 'sendPhoto', 'sendMessage'].map((method) => `/bot${botToken}/${method}`),
    );
    const [video, photo, text] = stub.requests;
    expect(partOf(video, 'video')).toEqual({
      name: 'video',
      filename: 'bird.mp4',
      type: 'video/mp4',
      content: clip.content,
    });
    expect(partOf(photo, 'photo')?.content).toEqual(picture.content);
    expect(photo && textPart(photo, 'caption')).toMatch(/^Great Tit\r?\nHere since/);
    expect(JSON.parse(String(text?.body))).toEqual({
      chat_id: '-100',
      text: 'Great Tit\nHere since 11:59 · Birdhub\nhttps://birds.example/videos/7',
    });
  });

  it('telegram, waits as long as its reply requests, and keeps texts within the limits', async () => {
    stub.respond(() => ({
      status: 429,
      body: { ok: false, description: 'Too Many', parameters: { retry_after: 31 } },
    }));
    const long = { ...message, body: 'ä'.repeat(9_000) };
    expect(await send('telegram', { message: long, picture })).toEqual({
      state: 'retry',
      error: 'The service responded with status 429: Too Many',
      retryAfter: '31',
    });
    await send('telegram', { message: long });
    const [photo, text] = stub.requests;
    expect([...((photo && textPart(photo, 'caption')) ?? '')].length).toBeLessThanOrEqual(1_024);
    expect(JSON.parse(String(text?.body)).text.length).toBeLessThanOrEqual(4_096);
  });

  it('telegram, sends a report as a document', async () => {
    await send('telegram', { attachments: [report], picture });
    expect(stub.requests.map(({ path }) => path.split('/').at(-1))).toEqual(['sendDocument']);
    expect(partOf(stub.requests[0], 'document')?.filename).toBe('week.pdf');
  });

  it('ntfy, publishes as JSON with the token, and with a picture as a file with encoded headers', async () => {
    const spoken = { ...message, title: 'Zwerg\u00adammer 🐦', body: 'eins\nzwei' };
    await send('ntfy', { message: spoken });
    await send('ntfy', { message: spoken, picture });
    const [json, file] = stub.requests;
    expect([json?.method, json?.path, json?.headers.authorization]).toEqual([
      'POST',
      '/',
      'Bearer tk_secret',
    ]);
    expect(JSON.parse(String(json?.body))).toEqual({
      topic: 'birds',
      title: spoken.title,
      message: 'eins\nzwei',
      priority: 4,
      tags: ['bird', 'Ä'],
      click: message.url,
    });
    expect([file?.method, file?.path, file?.body]).toEqual(['PUT', '/birds', picture.content]);
    const header = (name: string) => decodeWords(String(file?.headers[name]));
    expect(['title', 'message', 'tags', 'click', 'filename', 'priority'].map(header)).toEqual([
      spoken.title,
      'eins\nzwei',
      'bird,Ä',
      message.url,
      'bird.jpg',
      '4',
    ]);
    for (const value of Object.values(file?.headers ?? {})) expect(String(value)).toMatch(/^[\x20-\x7e]*$/);
  });

  it('ntfy, logs in with a password, and sends only the text when the server accepts no files', async () => {
    stub.respond(({ method }) => ({
      status: method === 'PUT' ? 400 : 200,
      body: { code: 40014, error: 'attachments not allowed' },
    }));
    const [, options] = kindOf('ntfy');
    const secrets = { password: 'pä' };
    const outcome = await send('ntfy', {
      options: { ...(options as object), username: 'me' },
      secrets,
      picture,
    });
    expect(outcome.state).toBe('sent');
    expect(stub.requests.map(({ method }) => method)).toEqual(['PUT', 'POST']);
    const [, given = ''] = String(stub.requests[1]?.headers.authorization).split(' ');
    expect(Buffer.from(given, 'base64').toString()).toBe('me:pä');
  });

  it('discord, uploads the picture into an embed without markup, and mentions nobody', async () => {
    await send('discord', { message: { ...message, title: nasty }, picture, attachments: [report] });
    const [request] = stub.requests;
    expect(request?.url).toBe('/api/webhooks/12/to-ken_secret?wait=true');
    const content = JSON.parse((request && textPart(request, 'payload_json')) ?? '');
    expect(content).toMatchObject({ username: 'Birds', allowed_mentions: { parse: [] } });
    const [embed] = content.embeds;
    expect(embed).toMatchObject({ url: message.url, image: { url: 'attachment://bird.jpg' } });
    expect(embed.title).not.toContain('\n');
    expect(embed.title.replaceAll(/\\(.)/g, '$1')).toBe(nasty.replace('\r\n', ' '));
    expect(embed.title).not.toMatch(/(?<!\\)[*_~`<@[\]]/);
    const files = partsOf(request).filter(({ name }) => name.startsWith('files'));
    expect(files.map(({ name, filename }) => [name, filename])).toEqual([
      ['files[0]', 'bird.jpg'],
      ['files[1]', 'week.pdf'],
    ]);
  });

  it('discord, waits for the fractions of a second that its reply requests', async () => {
    stub.respond(() => ({
      status: 429,
      headers: { 'retry-after': '1' },
      body: { message: 'limited', retry_after: 0.65 },
    }));
    expect(await send('discord')).toEqual({
      state: 'retry',
      error: 'The service responded with status 429: limited',
      retryAfter: '0.65',
    });
  });

  it('apprise, is sent its services or the key of a stored configuration, and the picture as a file', async () => {
    await send('apprise');
    const [, options] = kindOf('apprise');
    const byKey = { ...(options as object), key: 'garden', apprise_tag: 'phone' };
    await send('apprise', { options: byKey, secrets: {}, picture });
    const [stateless, stored] = stub.requests;
    expect(stateless?.path).toBe('/notify/');
    expect(JSON.parse(String(stateless?.body))).toEqual({
      title: 'Great Tit',
      body: 'Here since 11:59 · Birdhub\nhttps://birds.example/videos/7',
      type: 'info',
      format: 'text',
      urls: 'signal://secret,ntfy://other',
    });
    expect(stored?.path).toBe('/notify/garden');
    expect(
      partsOf(stored)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['attachment', 'body', 'format', 'tag', 'title', 'type'].sort());
    expect(stored && textPart(stored, 'tag')).toBe('phone');
  });

  it.each([
    [204, 'Apprise has no configuration under this key'],
    [424, 'Apprise could not reach every service'],
  ])('apprise, when it responds %i, fails and is not retried', async (status, reason) => {
    stub.respond(() => ({ status }));
    expect(await send('apprise')).toEqual({ state: 'failed', error: `${reason}.` });
    expect(stub.requests).toHaveLength(1);
  });
});
