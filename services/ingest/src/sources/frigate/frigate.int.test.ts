import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createServiceGuard } from '@birdhub/shared/outgoing';
import { type ManualClock, manualClock } from '@birdhub/testing/clocks';
import { findMosquitto, type Mosquitto, startMosquitto } from '@birdhub/testing/mosquitto';
import { type Frigate, type FrigateStart, startFrigate } from '@birdhub/testing/upstreams/frigate';
import { hostileReplies } from '@birdhub/testing/upstreams/hostile-replies';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toEnglish } from '../sentences.js';
import { createSourceHttp } from '../source-http.js';
import {
  type Json,
  type KnownEvent,
  type SourceConfig,
  type SourceOptions,
  type TestStage,
  type Upstream,
  type UpstreamDeps,
  UpstreamError,
  type UpstreamEvent,
} from '../source-kind.js';
import { frigate as kind } from './frigate.js';

const run = promisify(execFile);
const present = Date.UTC(2026, 4, 1, 12);
const minute = 60_000;
const hour = 60 * minute;
const signal = new AbortController().signal;

let clock: ManualClock;
let server: Frigate;
let upstream: Upstream;
let folder: string;

type FrigateBird = NonNullable<Parameters<Frigate['bird']>[0]>;
type Given = Partial<Omit<SourceConfig, 'options'>> & { readonly options?: Partial<SourceOptions> };

const aConfig = ({ options, ...given }: Given = {}): SourceConfig => ({
  id: 1,
  name: 'home',
  url: server?.url,
  username: undefined,
  password: undefined,
  path: undefined,
  ...given,
  options: { cameras: {}, timezone: 'UTC', writeBack: false, ...options },
});

function open(given: Given = {}, deps: object = {}, limits: object = {}): Upstream {
  const config = aConfig(given);
  const guard = createServiceGuard({ ownAddresses: [] });
  const http = createSourceHttp({ url: config.url, guard, ...limits });
  const all: UpstreamDeps = { http, guard, clock, log: pino({ level: 'silent' }), ...deps };
  return kind.open(config, all);
}

async function start(given: FrigateStart = {}, config: Given = {}): Promise<void> {
  server = await startFrigate({ now: () => clock.now(), ...given });
  upstream = open(config);
}

beforeEach(async () => {
  clock = manualClock(present);
  folder = await mkdtemp(join(tmpdir(), 'birdhub-frigate-'));
});
afterEach(async () => {
  await upstream?.close();
  await server?.stop();
  await rm(folder, { recursive: true });
});

/** Reads all pages, as the worker does; `until` for an import. */
async function read(cursor?: Json, given: { until?: number; limit?: number; of?: Upstream } = {}) {
  const { until, limit = 50, of = upstream } = given;
  const events: UpstreamEvent[] = [];
  const dropped: string[] = [];
  let at = cursor;
  for (;;) {
    const page = await of.read({ cursor: at, since: present - 30 * 24 * hour, until, limit }, signal);
    events.push(...page.events);
    dropped.push(...page.dropped.map(({ reason }) => toEnglish(reason)));
    at = JSON.parse(JSON.stringify(page.cursor)) as Json;
    if (page.isLast) return { events, dropped, cursor: at };
  }
}

const namesOf = (events: readonly UpstreamEvent[]) =>
  events.map(({ detections }) => detections.map(({ speciesName }) => speciesName));
const aStay = (minutesAgo: number, given: FrigateBird = {}): FrigateBird => ({
  start: present - minutesAgo * minute,
  end: present - minutesAgo * minute + 20_000,
  ...given,
});
const toKnown = ({ upstreamId, start: from, end, media }: UpstreamEvent): KnownEvent => ({
  upstreamId,
  start: from,
  end,
  reference: media?.reference ?? null,
});

async function readOne(): Promise<UpstreamEvent> {
  const [event] = (await read()).events;
  if (!event) throw new Error('nothing was read');
  return event;
}

describe.each(['0.16.1', '0.17.2', '0.18.0-beta1'])('Frigate %s', (version) => {
  it('two birds in one review segment, are one recording, and reviewed or unwanted segments do not matter', async () => {
    await start({ version });
    const first = server.bird(aStay(60, { name: 'Great Tit', review: 'segment-1' }));
    const second = server.bird(aStay(59.9, { review: 'segment-1' }));
    server.bird(aStay(30, { label: 'cat', review: 'segment-2' }));
    server.markReviewed('segment-1');
    const { events } = await read();
    expect(namesOf(events)).toEqual([['Great Tit', 'Bird']]);
    expect(events[0]).toMatchObject({ upstreamId: 'segment-1', camera: 'birdcam', isOpen: false });
    expect(events[0]?.processorVersion).toBe(`frigate ${version.replace('-beta1', '')}`);
    expect(events[0]?.detections.map(({ trackId }) => trackId)).toEqual([first.id, second.id]);
  });

  it('birds without review segments, are one recording each', async () => {
    await start({ version, reviewLabels: ['person'] });
    const birds = [60, 60, 59].map((ago) => server.bird(aStay(ago)));
    const { events } = await read(undefined, { limit: 1 });
    expect(events.map(({ upstreamId }) => upstreamId).sort()).toEqual(birds.map(({ id }) => id).sort());
  });

  it('a clip, is fetched with the padding', async () => {
    await start({ version });
    server.bird(aStay(60));
    const file = join(folder, 'clip.mp4');
    expect(await upstream.fetch(toKnown(await readOne()), file, signal)).toMatchObject({ outcome: 'ready' });
    expect(await secondsOf(file)).toBeCloseTo(30, 0);
  });
});

async function secondsOf(file: string): Promise<number> {
  const args = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', file];
  return Number((await run('ffprobe', args)).stdout);
}

describe('reading from Frigate', () => {
  it('again with its cursor, returns only new and changed events', async () => {
    await start();
    const bird = server.bird(aStay(60));
    server.bird(aStay(50));
    const { cursor, events } = await read();
    expect(events).toHaveLength(2);
    const second = await read(cursor);
    expect(second.events).toEqual([]);
    bird.nameIt('Great Tit');
    server.bird(aStay(20));
    const third = await read(second.cursor);
    expect(namesOf(third.events)).toEqual([['Great Tit'], ['Bird']]);
  });

  it('a page that was not stored, is returned again', async () => {
    await start();
    server.bird(aStay(60));
    const { cursor } = await read();
    server.bird(aStay(50));
    expect((await read(cursor)).events).toHaveLength(1);
    expect((await read(cursor)).events.length).toBeGreaterThanOrEqual(1);
  });

  it('after a restart of the hub, begins an hour before the newest', async () => {
    await start();
    for (const ago of [200, 100, 50]) server.bird(aStay(ago));
    const { cursor } = await read();
    const again = await read(cursor, { of: open() });
    expect(again.events.map(({ start: from }) => (present - from - 5_000) / minute)).toEqual([100, 50]);
  });

  it('a bird that appears late, before others that were read, is read', async () => {
    await start();
    server.bird(aStay(10));
    const { cursor } = await read();
    const late = server.bird(aStay(40, { review: 'late' }));
    expect((await read(cursor)).events).toMatchObject([{ upstreamId: late.review }]);
  });

  it('a bird that is still there, is open, and returned with its detections after it has gone', async () => {
    await start();
    const bird = server.bird({ start: present - minute });
    const { cursor, events } = await read();
    expect(events).toMatchObject([{ isOpen: true, detections: [] }]);
    const known = events.map(toKnown)[0];
    bird.end(present);
    expect((await read(cursor)).events).toMatchObject([{ isOpen: false, detections: [{ startOffset: 5 }] }]);
    expect(known && (await upstream.readAgain(known, signal))).toMatchObject({ event: { isOpen: false } });
    bird.nameIt('Great Tit', 0.2);
    const strict = open({ options: { minConfidence: 0.5 } });
    expect(known && (await strict.readAgain(known, signal))).toMatchObject({
      dropped: { reason: { code: 'low_confidence' } },
    });
  });

  it('a restart of Frigate, ends open events', async () => {
    await start();
    server.bird({ start: present - minute });
    const { cursor } = await read();
    await server.restart();
    expect((await read(cursor)).events).toMatchObject([{ isOpen: false }]);
  });

  it('an outage of Frigate, is an error, and reading continues afterwards', async () => {
    await start();
    const { cursor } = await read();
    await server.goDown();
    await expect(read(cursor)).rejects.toMatchObject({ name: 'UpstreamError', stage: 'address' });
    server.bird(aStay(5));
    await server.comeBack();
    expect((await read(cursor)).events).toHaveLength(1);
  });

  it('an import, has the events that began in its time span', async () => {
    await start();
    for (const ago of [500, 400, 300]) server.bird(aStay(ago));
    const { events } = await read(undefined, { until: present - 350 * minute, limit: 1 });
    expect(events).toHaveLength(2);
  });

  it('reading again, finds a later name, and returns undefined for a deleted event', async () => {
    await start();
    const bird = server.bird(aStay(60));
    const known = toKnown(await readOne());
    bird.nameIt('Great Tit', 0.91);
    expect(await upstream.readAgain(known, signal)).toMatchObject({
      event: { detections: [{ speciesName: 'Great Tit', confidence: 0.91 }] },
    });
    expect(await upstream.readAgain({ ...known, upstreamId: 'gone' }, signal)).toBeUndefined();
  });

  it('a single bird, is read again by its id', async () => {
    await start({ reviewLabels: ['person'] });
    const bird = server.bird(aStay(60));
    const known = toKnown(await readOne());
    bird.nameIt('Great Tit');
    expect(await upstream.readAgain(known, signal)).toMatchObject({
      event: { detections: [{ speciesName: 'Great Tit' }] },
    });
    bird.expire();
    expect(await upstream.readAgain(known, signal)).toBeUndefined();
  });

  it('a name that is not a species, becomes the generic one', async () => {
    await start();
    server.bird(aStay(60, { name: 'Bob', topScore: 0.7 }));
    const of = open({}, { isKnownSpecies: async (name: string) => name !== 'Bob' });
    const { events } = await read(undefined, { of });
    expect(events[0]?.detections).toMatchObject([
      { speciesName: 'Bird', confidence: 0.7, extra: { frigate: { sub_label: 'Bob' } } },
    ]);
  });

  it('scores below the minimum of the source, are left out with the reason', async () => {
    await start({ reviewLabels: [] }, { options: { minConfidence: 0.8 } });
    server.bird(aStay(60, { topScore: 0.7 }));
    const { events, dropped } = await read();
    expect(events).toEqual([]);
    expect(dropped).toEqual([expect.stringContaining('70%')]);
  });

  it.each(hostileReplies.map((reply) => [JSON.stringify(reply).slice(0, 60), reply] as const))(
    'a server that replies %s, leads to an error with a reason or to no events',
    async (_shown, reply) => {
      await start();
      server.bird(aStay(60));
      const of = open({}, {}, { timeoutMs: 500, idleTimeoutMs: 500 });
      for (const path of [/config/, /review/, /event_ids/]) {
        server.misbehave(reply, path);
        const page = await read(undefined, { of }).catch((error: unknown) => error);
        if (page instanceof Error) expect(page).toBeInstanceOf(UpstreamError);
        else expect((page as Awaited<ReturnType<typeof read>>).events.length).toBeLessThanOrEqual(1);
        server.misbehave();
      }
    },
  );
});

describe('a login to Frigate', () => {
  const login = { user: 'hub', password: 'great tits' };
  const credentials = { username: 'hub', password: 'great tits' };

  it('is made when required, and again when the session has ended', async () => {
    await start({ login }, credentials);
    server.bird(aStay(60));
    const { cursor, events } = await read();
    expect(events).toHaveLength(1);
    server.endSessions();
    server.bird(aStay(50));
    expect((await read(cursor)).events).toHaveLength(1);
    expect(server.requests.filter(({ path }) => path === '/api/login')).toHaveLength(2);
  });

  it('with a wrong password, is not repeated at once', async () => {
    await start({ login }, { ...credentials, password: 'wrong' });
    for (let turn = 0; turn < 3; turn += 1)
      await expect(read()).rejects.toThrow('Frigate rejected the user name or password.');
    expect(server.requests.filter(({ path }) => path === '/api/login')).toHaveLength(1);
    clock.advance(2 * minute);
    await expect(read()).rejects.toThrow('rejected the user name or password');
    expect(server.requests.filter(({ path }) => path === '/api/login')).toHaveLength(2);
  });

  it('without credentials, is an error that names the login', async () => {
    await start({ login });
    await expect(read()).rejects.toMatchObject({
      stage: 'login',
      message: expect.stringContaining('port 5000'),
    });
  });
});

describe('a clip of Frigate', () => {
  const fetchOne = async (event: UpstreamEvent, file = join(folder, 'clip.mp4')) =>
    upstream.fetch(toKnown(event), file, signal);

  it('of a bird that has just gone, is not requested yet', async () => {
    await start();
    server.bird({ start: present - 30_000, end: present - 4_000 });
    const outcome = await fetchOne(await readOne());
    expect(outcome).toMatchObject({ outcome: 'later', retryAfterMs: expect.any(Number) });
    expect(server.requests.some(({ path }) => path.endsWith('.mp4'))).toBe(false);
  });

  it('that is not yet on the disk, is retried, then fetched', async () => {
    await start();
    const bird = server.bird(aStay(1, { footage: 'later' }));
    const event = await readOne();
    const outcome = await fetchOne(event);
    expect(outcome).toMatchObject({ outcome: 'later' });
    clock.advance(20_000);
    const next = await fetchOne(event);
    expect(Number('retryAfterMs' in next && next.retryAfterMs)).toBeGreaterThan(
      Number('retryAfterMs' in outcome && outcome.retryAfterMs),
    );
    expect(await readdir(folder)).toEqual([]);
    bird.footage('ready');
    expect(await fetchOne(event)).toMatchObject({ outcome: 'ready' });
  });

  it('that was deleted, is replaced by a video of 3 s of the picture', async () => {
    await start();
    server.bird(aStay(120, { footage: 'gone' }));
    const file = join(folder, 'clip.mp4');
    expect(await fetchOne(await readOne(), file)).toEqual({ outcome: 'ready', keepsTimes: true });
    expect(await secondsOf(file)).toBeCloseTo(3, 0);
    expect(await readdir(folder)).toEqual(['clip.mp4']);
  });

  it('that was deleted with the picture, is never available', async () => {
    await start();
    server.bird(aStay(120, { footage: 'gone', hasSnapshot: false }));
    expect(await fetchOne(await readOne())).toMatchObject({ outcome: 'never' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('that was never recorded, is replaced by a video of the picture if ffmpeg is there', async () => {
    await start();
    server.bird(aStay(120, { hasClip: false }));
    const event = await readOne();
    expect(await fetchOne(event)).toMatchObject({ outcome: 'ready' });
    const without = open({}, { ffmpegPath: 'no-such-program' });
    const other = join(folder, 'other.mp4');
    expect(await without.fetch(toKnown(event), other, signal)).toMatchObject({ outcome: 'never' });
    expect(await readdir(folder)).toEqual(['clip.mp4']);
  });

  it('with an invalid picture, is never available', async () => {
    await start();
    server.bird(aStay(120, { hasClip: false }));
    const event = await readOne();
    server.misbehave({ kind: 'wrong-type' }, /snapshot/);
    expect(await fetchOne(event)).toMatchObject({ outcome: 'never' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('of a bird that stays for hours, has the first half hour and keeps the times', async () => {
    await start({ version: '0.18.0' });
    server.bird({ start: present - 10 * hour, end: present - hour });
    expect(await fetchOne(await readOne())).toEqual({ outcome: 'ready', keepsTimes: true });
    const [from = 0, to = 0] =
      (server.requests.at(-1)?.path ?? '').match(/\d{10}(?:\.\d+)?/g)?.map(Number) ?? [];
    expect(to - from).toBe(1_800);
  });

  it('from a server that fails, is retried later', async () => {
    await start();
    server.bird(aStay(120));
    const event = await readOne();
    server.misbehave({ kind: 'status', status: 502 }, /mp4/);
    expect(await fetchOne(event)).toMatchObject({ outcome: 'later' });
  });
});

describe('names written back to Frigate', () => {
  it('of the only bird, are stored', async () => {
    await start();
    const bird = server.bird(aStay(60));
    const event = await readOne();
    await upstream.writeName?.(toKnown(event), 'Great Tit', signal);
    expect(server.writtenNames).toEqual([{ id: bird.id, subLabel: 'Great Tit', subLabelScore: 1 }]);
    expect(await upstream.readAgain(toKnown(event), signal)).toMatchObject({
      event: { detections: [{ speciesName: 'Great Tit' }] },
    });
  });

  it('of one of several birds, are stored with its track', async () => {
    await start();
    server.bird(aStay(60, { review: 'both' }));
    const second = server.bird(aStay(59.9, { review: 'both' }));
    await upstream.writeName?.(toKnown(await readOne()), 'Great Tit', signal, second.id);
    expect(server.writtenNames).toMatchObject([{ id: second.id, subLabel: 'Great Tit' }]);
  });

  it('of several birds without a track, are refused as ambiguous', async () => {
    await start();
    server.bird(aStay(60, { review: 'both' }));
    server.bird(aStay(60, { review: 'both' }));
    await expect(upstream.writeName?.(toKnown(await readOne()), 'Great Tit', signal)).rejects.toThrow(
      'several birds',
    );
    expect(server.writtenNames).toEqual([]);
  });

  it('by a user with read access, are refused with the reason', async () => {
    const login = { user: 'guest', password: 'great tits', role: 'viewer' } as const;
    await start({ login }, { username: 'guest', password: 'great tits' });
    server.bird(aStay(60));
    const known = toKnown(await readOne());
    await expect(upstream.writeName?.(known, 'Great Tit', signal)).rejects.toMatchObject({
      stage: 'permission',
      message: expect.stringContaining('admin'),
    });
  });
});

describe('the test of a connection to Frigate', () => {
  async function test(given: Given = {}, limits: object = {}) {
    const stages: (TestStage & { readonly detail: string })[] = [];
    let samples: readonly UpstreamEvent[] = [];
    for await (const entry of open(given, {}, limits).test(signal)) {
      if ('sample' in entry) samples = entry.sample;
      else stages.push({ ...entry, detail: toEnglish(entry.sentences) });
    }
    return { stages, samples, last: stages.at(-1) };
  }

  it('with birds, passes all stages and shows the latest', async () => {
    await start();
    for (const ago of [90, 80, 70]) server.bird(aStay(ago, { name: 'Great Tit' }));
    const { stages, samples } = await test();
    expect(stages.map(({ stage, ok }) => [stage, ok])).toEqual(
      ['address', 'login', 'version', 'permission', 'birds', 'clip'].map((stage) => [stage, true]),
    );
    expect(stages.map(({ detail }) => detail)).toMatchObject([
      'Frigate is there.',
      'No login is needed.',
      'Frigate 0.17.2.',
      expect.stringContaining('each review item'),
      'Birds in the last 24 hours: 3.',
      expect.stringMatching(/^A clip of [\d.]+ MB was fetched\.$/),
    ]);
    expect(namesOf(samples)).toEqual([['Great Tit'], ['Great Tit'], ['Great Tit']]);
  });

  it('without birds in review items, names the setting', async () => {
    await start({ reviewLabels: ['person'] });
    const { stages } = await test();
    expect(stages[3]?.detail).toMatch(/Not every object \(bird\) is in a review item on birdcam .*labels/);
    expect(stages[5]).toMatchObject({ ok: true, detail: expect.stringContaining('no bird with a clip yet') });
  });

  it('with a login, names the user, and fails with a wrong login or with none', async () => {
    const login = { user: 'hub', password: 'great tits', role: 'viewer' } as const;
    await start({ login });
    const right = { username: 'hub', password: 'great tits' };
    expect((await test(right)).stages[1]).toMatchObject({ ok: true, detail: 'Logged in as hub.' });
    expect((await test({ ...right, password: 'wrong' })).last).toMatchObject({ stage: 'login', ok: false });
    expect((await test()).last).toMatchObject({ stage: 'login', ok: false });
    expect((await test({ ...right, options: { writeBack: true } })).last).toMatchObject({
      stage: 'permission',
      ok: false,
      detail: expect.stringContaining('role viewer'),
    });
  });

  it.each([
    ['a version that is too old', { version: '0.15.2' }, {}, 'version', 'Frigate 0.15.2 is too old'],
    ['a label that no camera tracks', {}, { options: { labels: ['fox'] } }, 'birds', 'objects → track'],
  ])('with %s, fails at that stage', async (_what, given, config, stage, detail) => {
    await start(given);
    expect((await test(config)).last).toMatchObject({
      stage,
      ok: false,
      detail: expect.stringContaining(detail),
    });
  });

  it('with deleted footage, fails at the clip', async () => {
    await start();
    server.bird(aStay(90, { footage: 'gone' }));
    expect((await test()).last).toMatchObject({ stage: 'clip', ok: false });
  });

  it('with another server, none or a silent one, fails at the address', async () => {
    await start();
    server.misbehave({ kind: 'wrong-type' });
    expect((await test()).last).toMatchObject({
      stage: 'address',
      ok: false,
      detail: expect.stringContaining('not Frigate'),
    });
    server.misbehave({ kind: 'silent' });
    expect((await test({}, { timeoutMs: 500 })).last).toMatchObject({ stage: 'address', ok: false });
    await server.goDown();
    expect((await test()).last).toMatchObject({
      stage: 'address',
      detail: expect.stringContaining('Nothing listens'),
    });
    await server.comeBack();
  });

  it('with a name for an unknown camera, reports it', async () => {
    await start();
    const { stages } = await test({ options: { cameras: { pond: 'Pond' } } });
    expect(stages[3]?.detail).toMatch(/no camera pond/);
  });
});

describe('checks of a Frigate source', () => {
  it.each([
    [{ url: undefined }, '/url'],
    [{ url: 'frigate' }, '/url'],
    [{ url: 'ftp://nas' }, '/url'],
    [{ url: 'http://me:secret@nas:5000' }, '/url'],
    [{ url: 'http://nas:5000?a=b' }, '/url'],
    [{ username: 'me' }, '/password'],
    [{ password: 'secret' }, '/username'],
    [{ options: { mqttUrl: 'http://nas' } }, '/options/mqtt_url'],
    [{ options: { mqttTopicPrefix: 'frigate/#' } }, '/options/mqtt_topic_prefix'],
    [{ options: { mqttTopicPrefix: 'frigate/' } }, '/options/mqtt_topic_prefix'],
    [{ options: { labels: ['bird', 'a,b'] } }, '/options/labels/1'],
    [{ options: { labels: Array.from({ length: 51 }, () => 'bird') } }, '/options/labels'],
  ] as const)('of %j, name the field %s', (given, path) => {
    expect(kind.check(aConfig({ url: 'http://nas:5000', ...given })).map((detail) => detail.path)).toEqual([
      path,
    ]);
  });

  it('with valid values, return no problems', () => {
    const options = {
      mqttUrl: 'mqtt://me:p@nas',
      mqttTopicPrefix: 'garden/frigate',
      labels: ['bird', 'audio/owl'],
    };
    expect(kind.check(aConfig({ url: 'https://nas:8971/frigate', options }))).toEqual([]);
  });
});

const programs = findMosquitto();

describe.skipIf(!programs)('Frigate at an MQTT broker', () => {
  let broker: Mosquitto;
  let stop: AbortController;
  let notified: number;

  beforeEach(async () => {
    if (!programs) return;
    broker = await startMosquitto(programs);
    const url = `mqtt://127.0.0.1:${broker.port}`;
    await start(
      { mqtt: { url, topicPrefix: 'garden/frigate' } },
      { options: { mqttUrl: url, mqttTopicPrefix: 'garden/frigate' } },
    );
    [stop, notified] = [new AbortController(), 0];
  });
  afterEach(async () => {
    stop.abort();
    await broker.stop();
  });

  const listen = () =>
    upstream.listen?.(() => {
      notified += 1;
    }, stop.signal) ?? Promise.reject(new Error('it does not listen'));
  /** Waits for the notifications of the subscription and of Frigate being available. */
  const whenListening = () => vi.waitFor(() => expect(notified).toBeGreaterThan(1));

  it('with messages, notifies of wanted birds only, until it is stopped', async () => {
    const listening = listen();
    await whenListening();
    const before = notified;
    server.bird({ label: 'cat', review: null });
    const bird = server.bird({});
    for (const topScore of [0.5, 0.6, 0.7]) bird.update({ topScore });
    bird.end();
    // Start and end of the bird and of its review segment; messages arrive in order.
    await vi.waitFor(() => expect(notified).toBeGreaterThanOrEqual(before + 4));
    expect(notified).toBe(before + 4);
    stop.abort();
    await expect(listening).resolves.toBeUndefined();
  });

  it('with a lost connection, is an error', async () => {
    const lost = expect(listen()).rejects.toMatchObject({ name: 'UpstreamError' });
    await whenListening();
    await broker.kill();
    await lost;
  });

  it('with a refused connection, is an error', async () => {
    await broker.kill();
    await expect(listen()).rejects.toThrow('The broker');
  });

  it('with a bird that is never listed by HTTP, reports it as left out after half a minute', async () => {
    const listening = listen();
    await whenListening();
    const before = notified;
    const ghost = server.bird({ isOnlyOnMqtt: true });
    ghost.end();
    const real = server.bird({});
    real.end();
    await server.published();
    await vi.waitFor(() => expect(notified).toBeGreaterThanOrEqual(before + 6));
    const first = await read();
    expect(first.dropped).toEqual([]);
    clock.advance(31_000);
    const second = await read(first.cursor);
    expect(second.dropped).toEqual(['Frigate saw it, but kept neither a clip nor a picture.']);
    expect((await read(second.cursor)).dropped).toEqual([]);
    stop.abort();
    await listening;
  });
});
