import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TestHub } from '@birdhub/testing/hub';
import { type BirdNetGo, startBirdNetGo } from '@birdhub/testing/upstreams/birdnet-go';
import { type Frigate, startFrigate } from '@birdhub/testing/upstreams/frigate';
import { type HostileReply, hostileReplies, hostileTexts } from '@birdhub/testing/upstreams/hostile-replies';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HubSources } from '../e2e/fixtures/hub-sources.js';
import { residentMb } from '../e2e/fixtures/resident-memory.js';
import { startHubIn, useDataFolder } from '../e2e/fixtures/temporary-hub.js';

// Upstreams that fail are no errors of the hub.
const folder = useDataFolder();
const soon = { timeout: 180_000, interval: 1_000 };
const answerTimeoutMs = 5_000;
/** For all sources of this file at once. */
const maxMemoryMb = 400;
const maxFileBytes = 20 * 2 ** 20;
const maxMessageLength = 500;
const servers: (Frigate | BirdNetGo)[] = [];
let hub: TestHub;
let sources: HubSources;
let ingestPid: number;
let restingMb: number;

beforeAll(async () => {
  hub = await startHubIn(folder, { MAX_UPLOAD_MB: '10' });
  sources = new HubSources(hub);
  ingestPid = hub.processOf('ingest').process?.pid ?? 0;
  await expectResponsive();
  restingMb = residentMb(ingestPid);
});
afterAll(() => Promise.all(servers.map((server) => server.stop())));

/** Every service answers in time. */
async function expectResponsive(): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({
    camera_id: 'pond',
    species_name: 'Mallard',
    confidence: 0.9,
    time: new Date().toISOString(),
  });
  const headers = { 'content-type': 'application/json' };
  const post = { method: 'POST', body, headers };
  for (const [path, init, status] of [
    [`ui/timeline?start_time=${now - 3_600}&end_time=${now}`, {}, 200],
    ['ui/settings', {}, 200],
    ['ui/sources', {}, 200],
    ['processor/sightings', post, 201],
  ] as const) {
    const response = await fetch(`${hub.baseUrl}/api/${path}`, {
      ...init,
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    await response.arrayBuffer();
    expect([path, response.status]).toEqual([path, status]);
  }
}

/** The hub is as well as before: the same process, with little memory and few files, all of them where they belong. */
async function expectUnharmed(): Promise<void> {
  await expectResponsive();
  expect(hub.processOf('ingest').process?.pid).toBe(ingestPid);
  expect(residentMb(ingestPid) - restingMb).toBeLessThan(maxMemoryMb);
  const entries = readdirSync(hub.recordingsDir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files) {
    expect(lstatSync(file).isFile()).toBe(true);
    expect(relative(hub.recordingsDir, file)).toMatch(/^(sources|sightings|\.)/);
  }
  expect(files.reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0)).toBeLessThan(
    maxFileBytes,
  );
}

const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000;

async function startServer(kind: string): Promise<Frigate | BirdNetGo> {
  const server = kind === 'frigate' ? await startFrigate() : await startBirdNetGo();
  servers.push(server);
  return server;
}

/** A bird that came since the source was added. */
function bring(server: Frigate | BirdNetGo): void {
  const at = minutesAgo(0.5);
  if ('bird' in server) server.bird({ start: at, end: at + 5_000, name: 'Great Tit' });
  else server.hear({ begin: at, seconds: 5 });
}

async function add(kind: string, name: string, url: string, camera: string): Promise<number> {
  const options = { cameras: { birdcam: camera, Garden: camera } };
  return sources.add({ kind, name: name.slice(0, 64), url, options });
}

const label = (reply: HostileReply) => JSON.stringify(reply).slice(1, 40);

describe.each(['frigate', 'birdnet-go'])('sources of %s that misbehave in every way at once', (kind) => {
  it('are in error with a reason, harm nothing, and recover when they behave', async () => {
    const hostile = await Promise.all(
      hostileReplies.map(async (reply, index) => {
        const server = await startServer(kind);
        server.misbehave(reply);
        const id = await add(kind, `${index} ${label(reply)}`, server.url, `${kind}-${index}`);
        bring(server);
        return { server, id, reply, camera: `${kind}-${index}` };
      }),
    );
    for (const { id, reply } of hostile) {
      const source = await vi.waitFor(async () => {
        const found = await sources.get(id);
        expect([found.state, label(reply)]).toEqual(['error', label(reply)]);
        return found;
      }, soon);
      expect(source.message).toBeTruthy();
      expect(source.message?.length).toBeLessThan(maxMessageLength);
      await expectResponsive();
    }
    await expectUnharmed();
    for (const { server } of hostile) server.misbehave();
    for (const { id, camera } of hostile) {
      // Reading is repeated at longer and longer intervals; a change of the source begins anew.
      await sources.change(id, { enabled: false });
      await sources.change(id, { enabled: true });
      await sources.whenShown(camera, Date.now(), [{ species: 'Great Tit', media: 'ready' }]);
    }
    await Promise.all(hostile.map(({ id }) => sources.remove(id, 'remove')));
    await expectUnharmed();
  }, 600_000);

  it('with their files alone, leave recordings without files and nothing on the disk', async () => {
    const hostile = await Promise.all(
      hostileReplies.map(async (reply, index) => {
        const server = await startServer(kind);
        const path = kind === 'frigate' ? /clip\.mp4$|snapshot/ : /\/audio\//;
        server.misbehave(reply, path);
        const camera = `${kind}-file-${index}`;
        const id = await add(kind, `file ${index} ${label(reply)}`, server.url, camera);
        bring(server);
        return { server, id, camera };
      }),
    );
    for (const { camera } of hostile) {
      await vi.waitFor(async () => {
        const birds = await sources.listBirds(camera, Date.now());
        expect(birds.map(({ species }) => species)).toEqual(['Great Tit']);
        expect(birds[0]?.media).not.toBe('ready');
      }, soon);
    }
    await expectUnharmed();
    for (const { id } of hostile)
      expect(sources.listFiles(id).filter((file) => !/\/\./.test(file))).toEqual([]);
    await Promise.all(hostile.map(({ id }) => sources.remove(id, 'remove')));
  }, 600_000);
});

describe('what hostile sources say', () => {
  it('names, cameras and ids of every kind, are stored harmlessly or dropped with a reason', async () => {
    const server = (await startServer('frigate')) as Frigate;
    const id = await sources.add({ kind: 'frigate', name: 'texts', url: server.url });
    await sources.whenIn(id, 'live');
    const texts = Object.values(hostileTexts);
    for (const [index, text] of texts.entries()) {
      const start = minutesAgo(30) + index * 120_000;
      const times = { start, end: start + 3_000, hasSnapshot: false };
      server.bird({ ...times, name: text, zones: [text] });
      server.bird({ ...times, start: start + 30_000, end: start + 31_000, id: text, review: text });
      server.bird({ ...times, start: start + 60_000, end: start + 61_000, camera: text });
    }
    await vi.waitFor(async () => {
      const { recordings, dropped } = await sources.get(id);
      expect(recordings + dropped.length).toBeGreaterThanOrEqual(texts.length * 2);
    }, soon);
    for (const { reason } of (await sources.get(id)).dropped)
      expect(reason.length).toBeLessThan(maxMessageLength);
    expect(server.requests.filter(({ path }) => !path.startsWith('/api/'))).toEqual([]);
    await expectUnharmed();
    await sources.remove(id, 'remove');
  });

  it.each(['endless', 'same'] as const)(
    'pages that are %s, fill neither memory nor time, and the source can be deleted',
    async (paging) => {
      const [events, detections] = await Promise.all([
        startFrigate({ paging, reviewLabels: ['person'] }),
        startBirdNetGo({ paging }),
      ]);
      servers.push(events, detections);
      for (let index = 0; index < 200; index += 1) {
        events.bird({ start: minutesAgo(1) + index, end: minutesAgo(0.5) });
        detections.hear({ begin: minutesAgo(1) + index });
      }
      const ids = [
        await add('frigate', `events ${paging}`, events.url, `events-${paging}`),
        await add('birdnet-go', `detections ${paging}`, detections.url, `detections-${paging}`),
      ];
      await expect
        .poll(() => events.requests.length + detections.requests.length, { timeout: 60_000 })
        .toBeGreaterThan(3);
      await expectUnharmed();
      for (const id of ids) await sources.remove(id, 'remove');
      const asked = () => events.requests.length + detections.requests.length;
      await vi.waitFor(async () => {
        const before = asked();
        await expectResponsive();
        expect(asked()).toBe(before);
      }, soon);
      await expectUnharmed();
    },
  );

  it('redirects to the services of the hub, to this machine and to other hosts, are not followed', async () => {
    const nats = hub.processOf('nats').port;
    const server = (await startServer('frigate')) as Frigate;
    const aside = (await startServer('frigate')) as Frigate;
    for (const location of [
      `http://127.0.0.1:${nats}/`,
      `http://localhost:${aside.port}/api/version`,
      'http://[::1]:1/',
    ]) {
      server.misbehave({ kind: 'redirect', location });
      const { ok, stages } = await sources.test({ kind: 'frigate', url: server.url });
      expect(ok).toBe(false);
      expect(stages.at(-1)?.detail.length).toBeLessThan(maxMessageLength);
    }
    expect(aside.requests).toEqual([]);
  });
});
