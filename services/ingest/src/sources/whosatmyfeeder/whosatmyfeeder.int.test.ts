import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServiceGuard } from '@birdhub/shared/outgoing';
import { systemClock } from '@birdhub/shared/time';
import {
  createWhosAtMyFeeder,
  type WhosAtMyFeeder as StandIn,
} from '@birdhub/testing/upstreams/whosatmyfeeder';
import Database from 'libsql';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toEnglish } from '../sentences.js';
import { createSourceHttp } from '../source-http.js';
import type { Json, KnownEvent, SourceConfig, Upstream, UpstreamEvent } from '../source-kind.js';
import { whosAtMyFeeder } from './whosatmyfeeder.js';

const { signal } = new AbortController();
const base = Date.parse('2026-05-01T08:00:00Z');
let folder: string;
let standIn: StandIn;
const closing: (() => unknown)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wamf-'));
  standIn = createWhosAtMyFeeder();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  standIn.remove();
  rmSync(folder, { recursive: true });
});

const idOf = (index: number) => `${base / 1000 + index * 60}.5-ab${index}`;
const add = (count: number) =>
  standIn.add(
    Array.from({ length: count }, (_, index) => ({
      detectionTime: '2026-05-01 10:00:00',
      frigateEvent: idOf(index),
    })),
  );

function open(given: Partial<SourceConfig> = {}): Upstream {
  const config: SourceConfig = {
    id: 1,
    name: 'feeder',
    url: undefined,
    username: undefined,
    password: undefined,
    path: standIn.databaseFile,
    options: { cameras: {}, timezone: 'Europe/Berlin', writeBack: false },
    ...given,
  };
  const guard = createServiceGuard({ ownAddresses: [] });
  const http = createSourceHttp({ url: config.url, guard });
  const upstream = whosAtMyFeeder.open(config, {
    http,
    guard,
    clock: systemClock,
    log: pino({ level: 'silent' }),
  });
  closing.push(() => upstream.close());
  return upstream;
}

async function readAll(
  upstream: Upstream,
  range: { since?: number; until?: number; cursor?: Json } = {},
  limit = 500,
) {
  const events: UpstreamEvent[] = [];
  let { cursor } = range;
  for (let pages = 0; pages < 200; pages += 1) {
    const page = await upstream.read({ since: base, limit, ...range, cursor }, signal);
    events.push(...page.events);
    cursor = page.cursor;
    if (page.isLast) return { events, cursor };
  }
  throw new Error('paging does not end');
}

const idsOf = (events: readonly UpstreamEvent[]) => events.map(({ upstreamId }) => upstreamId);
const known = (event: UpstreamEvent | undefined): KnownEvent => {
  if (!event) throw new Error('there is no event');
  return { ...event, reference: event.media?.reference ?? null };
};

describe('WhosAtMyFeeder', () => {
  it('rows in small pages, and later ones from the cursor, are complete and unique', async () => {
    add(50);
    const upstream = open();
    const first = await readAll(upstream, {}, 7);
    standIn.add([{ detectionTime: '2026-05-01 20:00:00', frigateEvent: idOf(600) }]);
    const next = await readAll(upstream, { cursor: first.cursor });
    expect(idsOf([...first.events, ...next.events])).toEqual([
      ...Array.from({ length: 50 }, (_, index) => idOf(index)),
      idOf(600),
    ]);
  });

  it('a time span, has its rows', async () => {
    add(50);
    const { events } = await readAll(open(), { since: base + 10 * 60_000, until: base + 12 * 60_000 });
    expect(idsOf(events)).toEqual([idOf(10), idOf(11)]);
  });

  it('a row read again, is the same, and a deleted one is undefined', async () => {
    add(1);
    const upstream = open();
    const [event] = (await readAll(upstream)).events;
    expect(await upstream.readAgain(known(event), signal)).toEqual({ event });
    expect(await upstream.readAgain({ ...known(event), upstreamId: 'gone' }, signal)).toBeUndefined();
  });

  describe('with a Frigate', () => {
    let server: Server;
    let respond: (path: string, cookie: string | undefined) => number;

    beforeEach(async () => {
      respond = () => 200;
      server = createServer((request, response) => {
        if (request.url === '/api/login')
          response.setHeader('set-cookie', 'frigate_token=abc; Path=/; HttpOnly');
        const status =
          request.url === '/api/login' ? 200 : respond(request.url ?? '', request.headers.cookie);
        response.writeHead(status).end('clip');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      closing.push(() => new Promise((resolve) => server.close(resolve)));
      add(1);
    });
    const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

    async function fetchWith(given: Partial<SourceConfig> = {}) {
      const upstream = open({ url: url(), ...given });
      const [event] = (await readAll(upstream)).events;
      return upstream.fetch(known(event), join(folder, 'clip.mp4'), signal);
    }

    it('a clip, is downloaded by its event', async () => {
      respond = (path) => (path === `/api/events/${idOf(0)}/clip.mp4` ? 200 : 500);
      expect(await fetchWith()).toEqual({ outcome: 'ready' });
      expect(readFileSync(join(folder, 'clip.mp4'), 'utf8')).toBe('clip');
    });

    it('a clip behind a login, is downloaded with its cookie', async () => {
      respond = (_path, cookie) => (cookie === 'frigate_token=abc' ? 200 : 401);
      expect(await fetchWith({ username: 'admin', password: 'secret' })).toEqual({ outcome: 'ready' });
      await expect(fetchWith()).rejects.toMatchObject({ stage: 'login' });
    });

    it.each([
      [404, 'never'],
      [400, 'never'],
      [502, 'later'],
    ])('a clip with status %s, is available %s', async (status, outcome) => {
      respond = () => status;
      expect(await fetchWith()).toMatchObject({ outcome });
    });
  });

  it('its test, passes without a Frigate, and names the missing column of an older version', async () => {
    add(1);
    const run = async (upstream: Upstream) => {
      const steps: unknown[] = [];
      for await (const step of upstream.test(signal))
        if ('stage' in step) steps.push([step.stage, step.ok, toEnglish(step.sentences)]);
      return steps;
    };
    expect((await run(open())).at(-1)).toEqual([
      'birds',
      true,
      `The newest bird: Parus major, ${new Date(base + 500).toISOString()}.`,
    ]);
    const older = join(folder, 'older.db');
    const database = new Database(older);
    database.exec(
      'CREATE TABLE detections (id INTEGER, detection_time, score, display_name, category_name, image BLOB)',
    );
    database.close();
    expect((await run(open({ path: older }))).at(-1)).toEqual([
      'version',
      false,
      'The table "detections" is missing columns: frigate_event, camera_name.',
    ]);
  });
});
