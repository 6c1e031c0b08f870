import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServiceGuard } from '@birdhub/shared/outgoing';
import { systemClock } from '@birdhub/shared/time';
import { findMosquitto, startMosquitto } from '@birdhub/testing/mosquitto';
import {
  type BirdNetGoStart,
  type BirdNetGo as StandIn,
  startBirdNetGo,
} from '@birdhub/testing/upstreams/birdnet-go';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { say, toEnglish } from '../sentences.js';
import { createSourceHttp } from '../source-http.js';
import type {
  Json,
  KnownEvent,
  SourceConfig,
  SourceOptions,
  Upstream,
  UpstreamEvent,
} from '../source-kind.js';
import { birdnetGo } from './birdnet-go.js';

const programs = findMosquitto();
const { signal } = new AbortController();
const closing: (() => unknown)[] = [];
let folder: string;
let station: StandIn;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'birdnet-go-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true });
});

async function start(given: BirdNetGoStart = {}): Promise<void> {
  station = await startBirdNetGo({ timezone: 'Europe/Berlin', ...given });
  closing.push(() => station.stop());
}

type Given = Partial<Omit<SourceConfig, 'options'>> & { readonly options?: Partial<SourceOptions> };

function open({ options, ...given }: Given = {}, clock = systemClock): Upstream {
  const config: SourceConfig = {
    id: 1,
    name: 'garden',
    url: station.url,
    username: undefined,
    password: undefined,
    path: undefined,
    ...given,
    options: { cameras: {}, timezone: 'Europe/Berlin', writeBack: false, ...options },
  };
  const guard = createServiceGuard({ ownAddresses: [] });
  const http = createSourceHttp({ url: config.url, guard });
  const upstream = birdnetGo.open(config, {
    http,
    guard,
    clock,
    log: pino({ level: 'silent' }),
  });
  closing.push(() => upstream.close());
  return upstream;
}

const hourMs = 3_600_000;
const recently = () => Math.floor(Date.now() / 1000) * 1000 - 5 * 24 * hourMs;

async function readAll(
  upstream: Upstream,
  given: { cursor?: Json; limit?: number; since?: number; until?: number } = {},
) {
  const { limit = 500, since = recently() - 24 * hourMs, until } = given;
  const events: UpstreamEvent[] = [];
  const dropped: string[] = [];
  let cursor: Json | undefined = given.cursor;
  for (let pages = 0; pages < 300; pages += 1) {
    const page = await upstream.read({ cursor, since, limit, until }, signal);
    events.push(...page.events);
    dropped.push(...page.dropped.map(({ reason }) => toEnglish(reason)));
    cursor = page.cursor;
    if (page.isLast) return { events, dropped, cursor };
  }
  throw new Error('paging does not end');
}

const idsOf = (events: readonly UpstreamEvent[]) => events.map(({ upstreamId }) => Number(upstreamId));
const known = (event: UpstreamEvent | undefined): KnownEvent => {
  if (!event) throw new Error('there is no event');
  return { ...event, reference: event.media?.reference ?? null };
};

describe('reading', () => {
  it('detections of several days, many in one second, read in small pages, are complete and unique', async () => {
    await start();
    for (let index = 0; index < 260; index += 1)
      station.hear({ begin: recently() + Math.floor(index / 7) * hourMs });
    const { events } = await readAll(open(), { limit: 20 });
    expect(idsOf(events)).toEqual(station.list().map(({ id }) => id));
  });

  it('detections added between polls, even with a past time or in an equal query, are read', async () => {
    await start();
    const first = Math.floor(Date.now() / 1000) * 1000 - 3 * hourMs;
    for (let index = 0; index < 150; index += 1) station.hear({ begin: first + index * 60_000 });
    const upstream = open();
    let { cursor } = await readAll(upstream);
    for (const begin of [170, 170, 0.5, 149.5].map((minutes) => first + minutes * 60_000)) {
      const { id } = station.hear({ begin });
      const next = await readAll(upstream, { cursor });
      cursor = next.cursor;
      expect(idsOf(next.events)).toContain(id);
    }
  });

  it('an import of one day, returns the birds of that day in the zone of the source', async () => {
    await start();
    const midnight = Date.parse('2026-05-01T22:00:00Z');
    for (const after of [-1_000, 0, 23 * hourMs, 24 * hourMs]) station.hear({ begin: midnight + after });
    const { events } = await readAll(open(), { since: midnight, until: midnight + 24 * hourMs });
    expect(idsOf(events)).toEqual([2, 3]);
  });

  it('bats, unlikely birds and false positives, are dropped with a reason', async () => {
    await start();
    for (const given of [
      { modelType: 'bat' },
      { unlikely: true },
      { verified: 'false_positive' },
      {},
    ] as const)
      station.hear({ begin: recently(), ...given });
    const { events, dropped } = await readAll(open());
    expect([idsOf(events), dropped.length]).toEqual([[4], 3]);
  });

  it('a source below a base path, is read', async () => {
    await start({ basePath: '/birdnet' });
    station.hear({ begin: recently() });
    expect((await readAll(open())).events).toHaveLength(1);
  });

  it('an old version that ignores the requested days, is an error that asks for an update', async () => {
    await start({ isOld: true });
    for (const days of [0, 1, 2]) station.hear({ begin: recently() + days * 24 * hourMs });
    await expect(readAll(open())).rejects.toMatchObject({
      stage: 'version',
      sentences: [say('birdnet_go_old')],
    });
  });

  it('a list that always returns its first page, ends', async () => {
    await start({ paging: 'same' });
    station.hear({ begin: recently() });
    expect((await readAll(open())).events).toHaveLength(1);
  });
});

describe('a login', () => {
  const login = { username: 'birder', password: 'correct horse' };

  it('in private mode, is made, and made again after the session has ended', async () => {
    await start({ login, isPrivate: true });
    station.hear({ begin: recently() });
    const upstream = open(login);
    const first = await readAll(upstream);
    station.endSessions();
    const second = await readAll(upstream);
    expect([first, second].map(({ events }) => events[0]?.camera)).toEqual(['Garden', 'Garden']);
  });

  it('with only a password, is that of the user whom the login page of BirdNET-Go sends', async () => {
    const { password } = login;
    await start({ login: { password }, isPrivate: true });
    station.hear({ begin: recently() });
    expect((await readAll(open({ password }))).events[0]?.camera).toBe('Garden');
  });

  it('that is missing, leaves microphones unnamed, and is required in private mode', async () => {
    await start({ login });
    station.hear({ begin: recently() });
    expect((await readAll(open())).events[0]?.camera).toBe('BirdNET-Go');
    await start({ login, isPrivate: true });
    await expect(readAll(open())).rejects.toMatchObject({ stage: 'login' });
  });

  it('with a wrong password, is tried once', async () => {
    await start({ login, isPrivate: true });
    const upstream = open({ ...login, password: 'wrong' });
    for (let attempt = 0; attempt < 3; attempt += 1)
      await expect(readAll(upstream)).rejects.toMatchObject({
        stage: 'login',
        message: 'BirdNET-Go rejected the user name or password.',
      });
    expect(station.requests.filter(({ path }) => path.endsWith('/auth/login'))).toHaveLength(1);
  });
});

describe('the format of clips without a name', () => {
  it('while the clip is being written, is not guessed: the bird is read when the clip is ready', async () => {
    await start();
    station.hear({ begin: recently(), clip: 'none' });
    const upstream = open();
    station.misbehave({ kind: 'status', status: 503 }, /audio/);
    await expect(readAll(upstream)).rejects.toMatchObject({ sentences: [say('clip_format_awaited')] });
    station.misbehave();
    expect((await readAll(upstream)).events).toHaveLength(1);
  });

  it('a clip still being written after ten minutes, is assumed to be WAV, so that the bird is read', async () => {
    await start();
    station.hear({ begin: recently(), clip: 'none' });
    let now = Date.now();
    const upstream = open({}, { now: () => now });
    station.misbehave({ kind: 'status', status: 503 }, /audio/);
    await expect(readAll(upstream)).rejects.toMatchObject({ sentences: [say('clip_format_awaited')] });
    now += 600_000;
    expect((await readAll(upstream)).events).toHaveLength(1);
  });

  it('a clip being written after one that was not, is waited for again', async () => {
    await start();
    station.hear({ begin: recently(), clip: 'none' });
    let now = Date.now();
    const upstream = open({}, { now: () => now });
    const awaited = { sentences: [say('clip_format_awaited')] };
    station.misbehave({ kind: 'status', status: 503 }, /audio/);
    await expect(readAll(upstream)).rejects.toMatchObject(awaited);
    station.misbehave();
    await readAll(upstream);
    now += 600_000;
    station.misbehave({ kind: 'status', status: 503 }, /audio/);
    await expect(readAll(upstream)).rejects.toMatchObject(awaited);
  });
});

describe('reading again', () => {
  it('a verified detection, has its verdict, and a deleted one is undefined', async () => {
    await start();
    const birds = [0, 1, 2].map((after) => station.hear({ begin: recently() + after * 1000 }));
    const upstream = open();
    const { events } = await readAll(upstream);
    birds[0]?.verify('correct');
    birds[1]?.verify('false_positive');
    birds[2]?.expire();
    const again = await Promise.all(events.map((event) => upstream.readAgain(known(event), signal)));
    expect(again).toMatchObject([
      { event: { detections: [{ speciesName: 'Parus major_Great Tit', reviewed: true }] } },
      { event: { detections: [{ speciesName: 'Unknown', reviewed: true }] } },
      undefined,
    ]);
  });
});

describe('clips', () => {
  it('are fetched later, now or never, depending on the reply of BirdNET-Go', async () => {
    await start({ extension: 'flac' });
    const bird = station.hear({ begin: recently(), clip: 'later', seconds: 2 });
    const upstream = open();
    const event = known((await readAll(upstream)).events[0]);
    const file = join(folder, 'clip.flac');
    expect(await upstream.fetch(event, file, signal)).toEqual({
      outcome: 'later',
      reason: say('clip_being_written'),
      retryAfterMs: 2_000,
    });
    bird.clip('ready');
    expect(await upstream.fetch(event, file, signal)).toEqual({ outcome: 'ready' });
    expect(readFileSync(file).subarray(0, 4).toString()).toBe('fLaC');
    bird.clip('gone');
    expect(await upstream.fetch(event, join(folder, 'x'), signal)).toEqual({
      outcome: 'never',
      reason: say('clip_none', { program: 'BirdNET-Go' }),
    });
  });
});

describe('listening', () => {
  async function listen(upstream: Upstream) {
    const ending = new AbortController();
    const notified = { count: 0 };
    const ended = (upstream.listen?.(() => (notified.count += 1), ending.signal) ?? Promise.resolve()).then(
      () => 'ended',
      () => 'failed',
    );
    closing.push(async () => {
      ending.abort();
      await ended;
    });
    return { notified, ended };
  }

  it('to the stream, notifies when it opens and of each bird, and ends when BirdNET-Go closes it', async () => {
    await start();
    const { notified, ended } = await listen(open());
    await expect.poll(() => notified.count).toBe(1);
    station.hear({ begin: Date.now() });
    await expect.poll(() => notified.count).toBe(2);
    station.closeStreams();
    expect(await ended).toBe('ended');
  });

  it.skipIf(!programs)('to a broker, notifies when subscribed and of each bird', async () => {
    if (!programs) return;
    const mosquitto = await startMosquitto(programs);
    closing.push(() => mosquitto.stop());
    const mqtt = { url: `mqtt://127.0.0.1:${mosquitto.port}` };
    await start({ mqtt });
    const { notified } = await listen(open({ options: { mqttUrl: mqtt.url } }));
    await expect.poll(() => notified.count).toBe(1);
    station.hear({ begin: Date.now() });
    await expect.poll(() => notified.count).toBe(2);
  });
});

describe('the test of a connection', () => {
  async function test(given: Given = {}) {
    const steps: unknown[] = [];
    for await (const step of open(given).test(signal))
      steps.push('stage' in step ? [step.stage, step.ok, toEnglish(step.sentences)] : step.sample.length);
    return steps;
  }

  it('with birds, passes every stage', async () => {
    await start();
    station.hear({ begin: Date.parse('2026-05-01T04:12:00Z'), seconds: 1 });
    expect(await test()).toEqual([
      ['address', true, 'It responds.'],
      ['login', true, 'No login was given.'],
      ['version', true, 'It is birdnet-go nightly-20260801.'],
      ['permission', true, 'Its birds can be read.'],
      ['birds', true, 'The newest bird: Great Tit, 2026-05-01T04:12:00.000Z.'],
      1,
      ['clip', true, 'A clip was fetched.'],
    ]);
  });

  it.each<[string, { url?: string; username?: string; password?: string }, string, RegExp]>([
    ['an address where nothing listens', { url: 'http://127.0.0.1:9' }, 'address', /Nothing listens/],
    ['a path that is none of BirdNET-Go', { url: 'ui' }, 'version', /with the base path/],
    ['a wrong password', { username: 'x', password: 'y' }, 'login', /rejected the user name/],
  ])('with %s, fails at the stage %s', async (_case, given, stage, message) => {
    await start({ login: { username: 'birder', password: 'secret' } });
    const url = given.url === 'ui' ? `${station.url}/ui` : (given.url ?? station.url);
    expect((await test({ ...given, url })).at(-1)).toEqual([stage, false, expect.stringMatching(message)]);
  });

  it('with an old version that ignores the requested days, fails at the version', async () => {
    await start({ isOld: true });
    station.hear({ begin: Date.now() });
    expect((await test()).at(-1)).toEqual(['version', false, toEnglish([say('birdnet_go_old')])]);
  });

  it('without birds, passes, and with bats only, fails with the reason', async () => {
    await start();
    expect((await test()).at(-1)).toEqual([
      'birds',
      true,
      'There are no birds yet: they appear here as soon as BirdNET-Go hears one.',
    ]);
    station.hear({ modelType: 'bat', begin: recently() });
    expect((await test()).at(-1)).toMatchObject([
      'birds',
      false,
      expect.stringContaining('Bats are left out'),
    ]);
  });

  it('without clips, fails at the clip and names the consequence', async () => {
    await start();
    station.hear({ begin: recently(), clip: 'none' });
    expect((await test()).at(-1)).toEqual([
      'clip',
      false,
      'BirdNET-Go has no clip of it. Does BirdNET-Go export audio clips? Birds are imported without sound.',
    ]);
  });
});
