import { join } from 'node:path';
import { readArchive } from '@birdhub/cli/backup/archive';
import { backUp } from '@birdhub/cli/commands/backup';
import { readOptions } from '@birdhub/launcher/options';
import type { TestHub } from '@birdhub/testing/hub';
import { findMosquitto, type Mosquitto, startMosquitto } from '@birdhub/testing/mosquitto';
import { type BirdNetGo, startBirdNetGo } from '@birdhub/testing/upstreams/birdnet-go';
import { type BirdNetPi, startBirdNetPi } from '@birdhub/testing/upstreams/birdnet-pi';
import { type Frigate, startFrigate } from '@birdhub/testing/upstreams/frigate';
import { createWhosAtMyFeeder, type WhosAtMyFeeder } from '@birdhub/testing/upstreams/whosatmyfeeder';
import { startYaWamf, type YaWamf } from '@birdhub/testing/upstreams/ya-wamf';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HubSources } from './fixtures/hub-sources.js';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

/** Secrets that must not appear in clear in any response, log or backup. */
const secrets = {
  frigate: 'fr1gate-pa55word',
  go: 'b1rdnet-pa55word',
  wamf: 'w4mf-pa55word',
  broker: 'br0ker-pa55word',
};

const programs = findMosquitto();
/** Reading, fetching and removing wait for minutes on purpose. */
const waitOptions = 480_000;
/** Tests may run in memory below /dev, from where the hub takes no databases. */
const parent = '/var/tmp';
// Services are killed in the middle of tests.
const folder = useDataFolder({ killsProcesses: true });
const secondsAgo = (seconds: number) => Date.now() - seconds * 1000;
/** Two days ago: read only by an import. */
const longAgo = secondsAgo(2 * 86_400);
let hub: TestHub;
let sources: HubSources;
let broker: Mosquitto | undefined;
let frigate: Frigate;
let go: BirdNetGo;
let pi: BirdNetPi;
let yaWamf: YaWamf;
let wamf: WhosAtMyFeeder;

beforeAll(async () => {
  broker = programs && (await startMosquitto(programs));
  [hub, frigate, go, pi, yaWamf] = await Promise.all([
    startHubIn(folder, inOneProcess),
    startOwnFrigate(),
    startBirdNetGo({
      login: { password: secrets.go },
      isPrivate: true,
      basePath: '/birdnet',
      timezone: 'Europe/Berlin',
    }),
    startBirdNetPi({ timezone: 'Europe/Berlin', parent }),
    startYaWamf({ login: { username: 'owner', password: secrets.wamf } }),
  ]);
  wamf = createWhosAtMyFeeder({ parent });
  sources = new HubSources(hub);
});
afterAll(async () => {
  await Promise.all([frigate, go, pi, yaWamf].map((server) => server?.stop()));
  wamf?.remove();
  await broker?.stop();
});

function startOwnFrigate(): Promise<Frigate> {
  return startFrigate({
    login: { user: 'hub', password: secrets.frigate },
    cameras: ['birdcam'],
    ...(broker && { mqtt: { url: `mqtt://127.0.0.1:${broker.port}` } }),
  });
}

/** A source for the API, and how birds get into its upstream. */
interface SourceCase {
  readonly kind: string;
  readonly camera: string;
  body(): Record<string, unknown>;
  /** Adds a bird of six seconds at that time. */
  bird(species: 'Great Tit' | 'Blue Tit', at: number): Promise<void> | void;
}

const scientific = { 'Great Tit': 'Parus major', 'Blue Tit': 'Cyanistes caeruleus' };

const sourceCases: readonly SourceCase[] = [
  {
    kind: 'frigate',
    camera: 'feeder-cam',
    body: () => ({
      url: frigate.url,
      username: 'hub',
      password: secrets.frigate,
      options: {
        cameras: { birdcam: 'feeder-cam' },
        ...(broker && { mqtt_url: `mqtt://hub:${secrets.broker}@127.0.0.1:${broker.port}` }),
      },
    }),
    bird: (name, start) => void frigate.bird({ name, start, end: start + 6_000 }),
  },
  {
    kind: 'birdnet-go',
    camera: 'garden-mic',
    body: () => ({
      url: go.url,
      password: secrets.go,
      options: { cameras: { Garden: 'garden-mic' } },
    }),
    bird: (commonName, begin) =>
      void go.hear({ commonName, scientificName: scientific[commonName], begin, seconds: 6 }),
  },
  {
    kind: 'birdnet-pi',
    camera: 'pi-mic',
    body: () => ({
      url: pi.url,
      path: pi.databaseFile,
      options: { cameras: { 'birdnet-pi': 'pi-mic' }, timezone: 'Europe/Berlin' },
    }),
    async bird(commonName, at) {
      await pi.hear({ commonName, scientificName: scientific[commonName], at });
    },
  },
  {
    kind: 'ya-wamf',
    camera: 'wamf-cam',
    body: () => ({
      url: yaWamf.url,
      username: 'owner',
      password: secrets.wamf,
      options: { cameras: { birdcam: 'wamf-cam' } },
    }),
    bird: (commonName, at) => void yaWamf.see({ commonName, scientificName: scientific[commonName], at }),
  },
];

// Each kind has its own upstream and camera and waits most of the time, so all of them run at the same time.
describe.concurrent.each(sourceCases)('a source of $kind', ({ kind, camera, body, bird }) => {
  let id: number;

  it.sequential(
    'tested before it is added, passes every stage and stores nothing',
    async ({ expect }) => {
      await bird('Blue Tit', longAgo);
      const result = await sources.test({ kind, ...body() });
      expect(result.stages.filter(({ ok }) => !ok)).toEqual([]);
      expect(result.ok).toBe(true);
      expect((await sources.list()).filter((source) => source.kind === kind)).toEqual([]);
      expect(await sources.listBirds(camera, longAgo)).toEqual([]);
    },
    waitOptions,
  );

  it.sequential(
    'after it is added, brings birds, their files and visits',
    async ({ expect }) => {
      id = await sources.add({ kind, name: `my ${kind}`, ...body() });
      await sources.waitForState(id, 'live');
      const at = Date.now();
      await bird('Great Tit', at);
      const [shown] = await sources.waitForBirds(camera, at, [{ species: 'Great Tit', media: 'ready' }]);
      // BirdNET reports whole seconds, and its clip begins before the call.
      expect(Math.abs((shown?.start ?? 0) - at)).toBeLessThan(6_000);
      // A fetched file is moved to its place before its unfinished copy is deleted.
      await expect.poll(() => sources.listFiles(id)).toHaveLength(1);
      const source = await sources.get(id);
      expect(source).toMatchObject({ state: 'live', message: null, recordings: 1, dropped: [] });
      expect(source.last_event_at).not.toBeNull();
    },
    waitOptions,
  );

  it.sequential(
    'with its history imported twice, has it once',
    async ({ expect }) => {
      const since = new Date(longAgo - 86_400_000).toISOString();
      const { result } = await sources.import(id, { since });
      expect((result?.imported ?? 0) + (result?.already_known ?? 0)).toBe(2);
      await sources.waitForBirds(camera, longAgo, [{ species: 'Eurasian Blue Tit', media: 'ready' }]);
      expect(await sources.import(id, { since })).toMatchObject({
        result: { imported: 0, already_known: 2 },
      });
      expect(await sources.get(id)).toMatchObject({ recordings: 2 });
    },
    waitOptions,
  );

  it.sequential(
    'deleted with its data, leaves no recording, no visit and no file',
    async ({ expect }) => {
      await sources.remove(id, 'remove');
      for (const around of [longAgo, Date.now()]) await sources.waitForBirds(camera, around, []);
      await expect.poll(() => sources.listFiles(id), { timeout: 180_000 }).toEqual([]);
      expect((await sources.list()).filter((source) => source.kind === kind)).toEqual([]);
    },
    waitOptions,
  );
});

describe('the database of WhosAtMyFeeder', () => {
  it(
    'imported from its beginning, brings its birds',
    async () => {
      wamf.add(
        [1, 2, 3].map((hour) => ({
          detectionTime: new Date(longAgo + hour * 3_600_000)
            .toISOString()
            .replace('T', ' ')
            .replace('Z', ''),
          frigateEvent: `${longAgo / 1000 + hour * 3_600}-abcde${hour}`,
        })),
      );
      const options = { cameras: { birdcam: 'old-cam' }, timezone: 'UTC' };
      const body = { kind: 'whosatmyfeeder', name: 'old', path: wamf.databaseFile, options };
      expect(await sources.test(body)).toMatchObject({ ok: true });
      const id = await sources.add(body);
      const since = new Date(longAgo - 86_400_000).toISOString();
      expect(await sources.import(id, { since })).toMatchObject({ result: { imported: 3 } });
      const shown = await sources.listBirds('old-cam', longAgo);
      expect(shown.map(({ species }) => species)).toEqual(['Great Tit', 'Great Tit', 'Great Tit']);
      await sources.remove(id, 'remove');
    },
    waitOptions,
  );
});

describe('a source of thousands of birds', () => {
  const history = 3_000;
  const live = 600;
  const camera = 'busy-mic';
  let database: pg.Client;

  beforeAll(async () => {
    database = new pg.Client({ connectionString: hub.databaseUrl });
    await database.connect();
    return () => database.end();
  });

  /** Counts the recordings and detections of the camera that start between two instants. */
  async function count(since: number, until: number): Promise<{ recordings: number; detections: number }> {
    const { rows } = await database.query(
      `SELECT count(DISTINCT video.id)::int AS recordings, count(*)::int AS detections
       FROM video JOIN detection ON video_id = video.id
       WHERE camera_id = $1 AND video.start_time >= $2 AND video.start_time < $3`,
      [camera, new Date(since), new Date(until)],
    );
    return rows[0];
  }

  /** Kills the services when a part of the expected recordings is stored. */
  async function killDuring(since: number, until: number, total: number): Promise<void> {
    const { recordings } = await vi.waitFor(
      async () => {
        const counted = await count(since, until);
        expect(counted.recordings).toBeGreaterThan(0);
        return counted;
      },
      { timeout: 240_000, interval: 5 },
    );
    const killed = hub.kill('services');
    expect(recordings).toBeLessThan(total);
    await hub.waitUntilRestarted('services', killed);
  }

  it(
    'with the hub killed during import and live reading, brings each bird once',
    async () => {
      const options = { cameras: { 'birdnet-pi': camera }, timezone: 'Europe/Berlin' };
      const body = { kind: 'birdnet-pi', name: 'busy', path: pi.databaseFile, options };
      const id = await sources.add(body);
      await sources.waitForState(id, 'live');
      const heard = (index: number, at: number) => ({
        at,
        confidence: 0.5 + (index % 1_000) / 10_000,
        hasClip: false,
      });
      const since = longAgo - 6 * 3_600_000;
      pi.hearMany(Array.from({ length: history }, (_, index) => heard(index, since + index * 5_000)));
      const range = {
        since: new Date(since - 60_000).toISOString(),
        until: new Date(longAgo - 3_600_000).toISOString(),
      };
      const jobId = await sources.startImport(id, range);
      await killDuring(since - 60_000, longAgo, history);
      // Birds of earlier tests are recent, and a new source reads them too.
      const now = Date.now();
      pi.hearMany(
        Array.from({ length: live }, (_, index) => heard(index, now + Math.floor(index / 10) * 1_000)),
      );
      const end = now + 3_600_000;
      await killDuring(now - 10_000, end, live);
      const { result } = await sources.waitForImport(jobId);
      expect((result?.imported ?? 0) + (result?.already_known ?? 0)).toBe(history);
      const expected = [history, live].map((birds) => ({ recordings: birds, detections: birds }));
      const stored = () => Promise.all([count(since - 60_000, longAgo), count(now - 10_000, end)]);
      await expect.poll(stored, { timeout: 240_000, interval: 250 }).toEqual(expected);
      expect(await sources.get(id)).toMatchObject({ dropped: [] });
      await sources.remove(id, 'keep');
    },
    waitOptions,
  );
});

describe('a source over time', () => {
  let id: number;

  beforeAll(async () => {
    // Birds of earlier tests are recent, and a new source reads the latest minutes.
    await frigate.stop();
    frigate = await startOwnFrigate();
    const [{ kind, body } = { kind: '', body: () => ({}) }] = sourceCases;
    id = await sources.add({ kind, name: 'home', ...body() });
    await sources.waitForState(id, 'live');
  }, waitOptions);

  it(
    'with a name and a clip that arrive late upstream, updates the recording',
    async () => {
      const at = Date.now();
      const bird = frigate.bird({ start: at, end: at + 2_000, footage: 'later' });
      await sources.waitForBirds('feeder-cam', at, [{ species: 'Bird', media: 'pending' }]);
      bird.nameIt('Great Tit', 0.96);
      bird.footage('ready');
      await sources.waitForBirds('feeder-cam', at, [{ species: 'Great Tit', media: 'ready' }]);
    },
    waitOptions,
  );

  it(
    'with birds while services, upstream or broker are down, brings them later and once',
    async () => {
      const killed = hub.kill('services');
      const first = Date.now();
      frigate.bird({ name: 'Blue Tit', start: first, end: first + 5_000 });
      await hub.waitUntilRestarted('services', killed);
      await broker?.kill();
      await frigate.restart(async () => {
        frigate.bird({ name: 'European Robin', start: first + 10_000, end: first + 12_000 });
      });
      await broker?.start();
      frigate.bird({ name: 'Great Tit', start: first + 15_000, end: first + 18_000 });
      const birds = ['Great Tit', 'Eurasian Blue Tit', 'European Robin', 'Great Tit'];
      await expect
        .poll(
          async () => (await sources.listBirds('feeder-cam', first)).map(({ species }) => species).sort(),
          {
            timeout: 240_000,
          },
        )
        .toEqual(birds.sort());
      expect(await sources.get(id)).toMatchObject({ recordings: 4 });
    },
    waitOptions,
  );

  it(
    'when paused, reads nothing, and when enabled again, catches up',
    async () => {
      await sources.change(id, { enabled: false });
      await sources.waitForState(id, 'paused');
      const before = frigate.requests.length;
      const at = secondsAgo(20);
      frigate.bird({ name: 'Dunnock', start: at, end: at + 2_000, camera: 'birdcam' });
      await frigate.published();
      expect(frigate.requests.length).toBe(before);
      await sources.change(id, { enabled: true });
      await expect
        .poll(async () => (await sources.listBirds('feeder-cam', at)).map(({ species }) => species), {
          timeout: 180_000,
        })
        .toContain('Dunnock');
    },
    waitOptions,
  );

  it(
    'with a wrong password or an address of the hub, fails its connection test',
    async () => {
      const { body } = sourceCases[0] as SourceCase;
      const wrong = await sources.test({ kind: 'frigate', ...body(), password: 'wrong' });
      expect(wrong.stages.at(-1)).toMatchObject({ stage: 'login', ok: false });
      const own = hub
        .processes()
        .flatMap(({ port, readyUrls }) => [port, ...readyUrls.map((url) => Number(new URL(url).port))])
        .filter((port) => port !== undefined && port > 0);
      expect(own).toEqual(
        expect.arrayContaining([hub.processOf('nats').port, Number(new URL(hub.baseUrl).port)]),
      );
      for (const port of new Set(own)) {
        const refused = await sources.test({ kind: 'frigate', url: `http://localhost:${port}` });
        expect(refused.stages).toMatchObject([
          { stage: 'address', ok: false, sentences: [{ code: 'address_own' }] },
        ]);
      }
    },
    waitOptions,
  );

  it(
    'with credentials, keeps them out of responses, logs and backups',
    async () => {
      const { body } = sourceCases[1] as SourceCase;
      await sources.add({ kind: 'birdnet-go', name: 'sound', ...body() });
      const file = join(folder.path, 'hub.backup');
      const options = readOptions({ DATA_DIR: join(folder.path, 'data') }, '/');
      expect(await backUp(options, [file])).toBe(0);
      const texts = [
        JSON.stringify(await sources.list()),
        JSON.stringify(await sources.get(id)),
        hub.output(),
      ];
      for await (const { content } of readArchive(file)) texts.push(content.toString('latin1'));
      for (const secret of Object.values(secrets)) {
        for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
          expect(texts.filter((text) => text.includes(form)).map((text) => text.slice(0, 200))).toEqual([]);
        }
      }
    },
    waitOptions,
  );
});
