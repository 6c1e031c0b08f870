import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServiceGuard } from '@birdhub/shared/outgoing';
import { systemClock } from '@birdhub/shared/time';
import { type BirdNetGo, startBirdNetGo } from '@birdhub/testing/upstreams/birdnet-go';
import { type Frigate, startFrigate } from '@birdhub/testing/upstreams/frigate';
import { type HostileReply, hostileReplies, hostileTexts } from '@birdhub/testing/upstreams/hostile-replies';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenToBroker } from './mqtt-listener.js';
import { toEnglish } from './sentences.js';
import { createSourceHttp } from './source-http.js';
import {
  type SourceConfig,
  type SourceKindName,
  type TestStage,
  type Upstream,
  UpstreamError,
  type UpstreamEvent,
  type UpstreamPage,
} from './source-kind.js';
import { sourceKinds } from './source-kinds.js';

/** The limit of additional memory, including that of the stand-in in the same process. */
const maxMegabytes = 300;
const maxClipBytes = 2 * 2 ** 30;
const limit = 100;
const now = Date.now();
const since = now - 3_600_000;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'birdhub-hostile-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const options = { cameras: {}, timezone: 'UTC', writeBack: false };

function openSource(name: SourceKindName, url: string): Upstream {
  const kind = sourceKinds[name];
  if (!kind) throw new Error(`there is no kind ${name}`);
  const config: SourceConfig = {
    id: 1,
    name,
    url,
    username: undefined,
    password: undefined,
    path: undefined,
    options,
  };
  expect(kind.check(config)).toEqual([]);
  const guard = createServiceGuard({ ownAddresses: [] });
  const http = createSourceHttp({
    url,
    guard,
    timeoutMs: 1_500,
    idleTimeoutMs: 1_000,
    downloadTimeoutMs: 4_000,
  });
  return kind.open(config, { http, guard, clock: systemClock, log: pino({ level: 'silent' }) });
}

const signal = () => AbortSignal.timeout(20_000);

/** The error of the connection, or what was read. */
async function attempt<T>(work: Promise<T>): Promise<T | UpstreamError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UpstreamError) return error;
    throw error;
  }
}

/** Reads up to `maxPages` pages. */
async function readAll(
  upstream: Upstream,
  maxPages: number,
): Promise<{ pages: UpstreamPage[]; error?: UpstreamError }> {
  const pages: UpstreamPage[] = [];
  while (pages.length < maxPages && !pages.at(-1)?.isLast) {
    const page = await attempt(upstream.read({ cursor: pages.at(-1)?.cursor, since, limit }, signal()));
    if (page instanceof UpstreamError) return { pages, error: page };
    pages.push(page);
  }
  return { pages };
}

function expectSound({ upstreamId, start, end, detections }: UpstreamEvent): void {
  expect(upstreamId.length).toBeGreaterThan(0);
  expect(upstreamId.length).toBeLessThanOrEqual(512);
  expect(Number.isFinite(start) && Number.isFinite(end) && start <= end).toBe(true);
  for (const { speciesName, confidence } of detections) {
    expect(speciesName).not.toMatch(/[\p{Cc}\p{Cs}]/u);
    expect(speciesName.length).toBeLessThanOrEqual(200);
    expect(confidence >= 0 && confidence <= 1).toBe(true);
  }
}

const describeReply = (reply: HostileReply) => [JSON.stringify(reply).slice(0, 80), reply] as const;
const replies = hostileReplies.map(describeReply);

interface Played {
  readonly kind: SourceKindName;
  start(): Promise<Frigate | BirdNetGo>;
  /** Adds a valid bird. */
  bird(server: Frigate | BirdNetGo): void;
  readonly media: RegExp;
}

const played: readonly Played[] = [
  {
    kind: 'frigate',
    start: () => startFrigate(),
    bird: (server) =>
      (server as Frigate).bird({
        start: now - 600_000,
        end: now - 590_000,
        name: 'Great Tit',
        hasSnapshot: false,
      }),
    media: /clip\.mp4$/,
  },
  {
    kind: 'birdnet-go',
    start: () => startBirdNetGo(),
    bird: (server) => (server as BirdNetGo).hear({ begin: now - 600_000, clipSeconds: 2 }),
    media: /\/audio\//,
  },
];

describe.each(played.filter(({ kind }) => sourceKinds[kind]))(
  'a hostile $kind',
  ({ kind, start, bird, media }) => {
    let server: Frigate | BirdNetGo;

    beforeEach(async () => {
      server = await start();
      bird(server);
    });
    afterEach(() => server.stop());

    it.each(replies)(
      'that responds to everything with %s, is an error or returns a bounded page',
      async (_name, reply) => {
        const before = process.memoryUsage.rss();
        server.misbehave(reply);
        const upstream = openSource(kind, server.url);
        const stages: TestStage[] = [];
        for await (const step of upstream.test(signal())) if ('stage' in step) stages.push(step);
        expect(stages.at(-1)?.ok).toBe(false);
        const { pages, error } = await readAll(upstream, 3);
        const texts = [...stages.map(({ sentences }) => toEnglish(sentences)), error?.message ?? ''];
        for (const text of texts) expect(text.length).toBeLessThan(500);
        for (const page of pages) {
          expect(page.events.length + page.dropped.length).toBeLessThanOrEqual(limit);
          for (const event of page.events) expectSound(event);
        }
        expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(maxMegabytes);
        server.misbehave();
        const again = openSource(kind, server.url);
        expect((await readAll(again, 10)).pages.flatMap(({ events }) => events)).toHaveLength(1);
        await Promise.all([upstream.close(), again.close()]);
      },
    );

    it.each(replies)(
      'that responds to the request for a clip with %s, leaves no partial file',
      async (_name, reply) => {
        const before = process.memoryUsage.rss();
        const upstream = openSource(kind, server.url);
        const [event] = (await readAll(upstream, 10)).pages.flatMap(({ events }) => events);
        if (!event?.media) throw new Error('there is no event with a file');
        server.misbehave(reply, media);
        const known = { ...event, reference: event.media.reference };
        const file = join(folder, `clip${event.media.extension}`);
        const outcome = await attempt(upstream.fetch(known, file, signal()));
        const isThere = !(outcome instanceof UpstreamError) && outcome.outcome === 'ready';
        // Whether the file is a video is checked later, not by the source kind.
        if (isThere) expect(statSync(file).size).toBeLessThan(maxClipBytes);
        else expect(readdirSync(folder)).toEqual([]);
        expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(maxMegabytes);
        await upstream.close();
      },
    );

    it.each([
      'http://169.254.169.254/latest/meta-data',
      'http://127.0.0.1:1/',
      'http://[::1]:22/',
      'ftp://127.0.0.1/',
      'file:///etc/passwd',
      '//example.com/',
      'http://',
    ])('that redirects to %s, is not followed', async (location) => {
      server.misbehave({ kind: 'redirect', location });
      const upstream = openSource(kind, server.url);
      const { error } = await readAll(upstream, 1);
      expect(error?.message).toMatch(/redirects|address|reached|listens/i);
      await upstream.close();
    });
  },
);

describe.skipIf(!sourceKinds['frigate'])('texts and pages of a hostile Frigate', () => {
  let frigate: Frigate;
  afterEach(() => frigate.stop());

  it.each([['same'], ['endless']] as const)(
    'pages that are %s, end the reading or are bounded',
    async (paging) => {
      frigate = await startFrigate({ paging, reviewLabels: ['person'] });
      for (let index = 0; index < 150; index += 1)
        frigate.bird({ start: now - 600_000 + index, end: now - 599_000 });
      const upstream = openSource('frigate', frigate.url);
      const { pages, error } = await readAll(upstream, 40);
      for (const page of pages) expect(page.events.length).toBeLessThanOrEqual(limit * 2);
      const cursors = pages.map(({ cursor }) => JSON.stringify(cursor));
      // The reader notices a cursor that does not move.
      const hasEnded = error !== undefined || pages.at(-1)?.isLast || new Set(cursors).size < cursors.length;
      if (paging === 'same') expect(hasEnded).toBe(true);
      expect(frigate.requests.length).toBeLessThan(2_000);
    },
  );

  it.each(Object.entries(hostileTexts))('a name with %s, is stored harmlessly', async (_name, text) => {
    frigate = await startFrigate();
    frigate.bird({ start: now - 600_000, end: now - 590_000, name: text, camera: text, zones: [text] });
    const upstream = openSource('frigate', frigate.url);
    const { pages } = await readAll(upstream, 10);
    for (const event of pages.flatMap(({ events }) => events)) expectSound(event);
    expect(pages.flatMap(({ events, dropped }) => [...events, ...dropped])).toHaveLength(1);
  });

  it.each(Object.entries(hostileTexts))('an id with %s, leads to no other path', async (_name, text) => {
    frigate = await startFrigate();
    frigate.bird({ id: text, review: text, start: now - 600_000, end: now - 590_000, hasSnapshot: false });
    const upstream = openSource('frigate', frigate.url);
    const { pages } = await readAll(upstream, 10);
    for (const event of pages.flatMap(({ events }) => events)) {
      expectSound(event);
      const known = { ...event, reference: event.media?.reference ?? null };
      await attempt(upstream.fetch(known, join(folder, 'clip.mp4'), signal()));
      await attempt(upstream.readAgain(known, signal()));
    }
    expect(frigate.requests.filter(({ path }) => !path.startsWith('/api/'))).toEqual([]);
  });
});

describe('a hostile broker', () => {
  /** CONNACK of MQTT 5 without properties. */
  const accepted = Buffer.from([0x20, 3, 0, 0, 0]);
  /** The header of a message of 256 MB. */
  const huge = Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]);
  const filler = Buffer.alloc(65_536);
  let broker: Server;
  let sent: number;

  afterEach(() => new Promise((resolve) => broker.close(resolve)));

  async function listen(respond: (socket: Socket) => void): Promise<UpstreamError | undefined> {
    sent = 0;
    broker = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => respond(socket));
    });
    await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
    const { port } = broker.address() as AddressInfo;
    const address = { protocol: 'mqtt', host: '127.0.0.1', port, path: '/' } as const;
    const guard = createServiceGuard({ ownAddresses: [] });
    const topics = {
      address,
      guard,
      topics: ['a'],
      onMessage: () => undefined,
      onSubscribed: () => undefined,
    };
    const result = await attempt(listenToBroker(topics, signal()));
    return result instanceof UpstreamError ? result : undefined;
  }

  it('with an endless message, is disconnected after some megabytes', async () => {
    const error = await listen((socket) => {
      const pour = () => {
        while (!socket.destroyed && socket.write(filler)) sent += filler.length;
        sent += filler.length;
      };
      socket.write(Buffer.concat([accepted, huge]));
      socket.on('drain', pour);
      pour();
    });
    expect(error?.message).toMatch(/too large/);
    expect(sent).toBeLessThan(64 * 2 ** 20);
  });

  it.each([
    ['text', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['a packet of no kind', Buffer.from([0x00, 0x00])],
    ['a length that does not end', Buffer.from([0x20, 0xff, 0xff, 0xff, 0xff, 0xff])],
    [
      'an acceptance and then nothing of MQTT',
      Buffer.concat([accepted, Buffer.from([0xf0, 0xff, 0xff, 0xff, 0xff])]),
    ],
  ])('that sends %s, is an error of the connection', async (_name, bytes) => {
    const error = await listen((socket) => socket.end(bytes));
    expect(error?.stage).toBe('address');
    expect(error?.message.length).toBeLessThan(500);
  });
});
