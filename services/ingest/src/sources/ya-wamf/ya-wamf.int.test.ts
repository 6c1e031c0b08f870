import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServiceGuard } from '@birdhub/shared/outgoing';
import { systemClock } from '@birdhub/shared/time';
import { type YaWamf as StandIn, startYaWamf, type YaWamfStart } from '@birdhub/testing/upstreams/ya-wamf';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSourceHttp } from '../source-http.js';
import type { Json, KnownEvent, SourceConfig, Upstream, UpstreamEvent } from '../source-kind.js';
import { yaWamf } from './ya-wamf.js';

const { signal } = new AbortController();
const base = Date.parse('2026-05-01T08:00:00Z');
const login = { username: 'birder', password: 'correct1' };
let folder: string;
let standIn: StandIn;
let upstream: Upstream;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ya-wamf-'));
});
afterEach(async () => {
  await upstream.close();
  await standIn.stop();
  rmSync(folder, { recursive: true });
});

async function start(given: YaWamfStart = {}, config: Partial<SourceConfig> = {}): Promise<void> {
  standIn = await startYaWamf(given);
  const all: SourceConfig = {
    id: 1,
    name: 'feeder',
    url: standIn.url,
    username: undefined,
    password: undefined,
    path: undefined,
    options: { cameras: {}, timezone: 'Europe/Berlin', writeBack: false },
    ...config,
  };
  const guard = createServiceGuard({ ownAddresses: [] });
  const http = createSourceHttp({ url: all.url, guard });
  upstream = yaWamf.open(all, { http, guard, clock: systemClock, log: pino({ level: 'silent' }) });
}

async function readAll(
  range: { since?: number; until?: number } = {},
  limit = 100,
): Promise<UpstreamEvent[]> {
  const events: UpstreamEvent[] = [];
  let cursor: Json | undefined;
  for (let pages = 0; pages < 200; pages += 1) {
    const page = await upstream.read({ cursor, since: base, limit, ...range }, signal);
    events.push(...page.events);
    cursor = page.cursor;
    if (page.isLast) return events;
  }
  throw new Error('paging does not end');
}

const known = (event: UpstreamEvent | undefined): KnownEvent => {
  if (!event) throw new Error('there is no event');
  return { ...event, reference: event.media?.reference ?? null };
};

describe('YaWamf', () => {
  it('birds of several days, read in small pages, are complete and unique', async () => {
    await start();
    for (let index = 0; index < 230; index += 1)
      standIn.see({ at: base + Math.floor(index / 3) * 3_600_000 });
    expect((await readAll({}, 30)).map(({ upstreamId }) => upstreamId)).toEqual(
      standIn.list().map(({ frigate_event }) => frigate_event),
    );
  });

  it('a time span, returns its birds and ends', async () => {
    await start();
    for (let day = 0; day < 9; day += 1)
      for (let bird = 0; bird < 60; bird += 1) standIn.see({ at: base + day * 86_400_000 + bird * 1000 });
    const events = await readAll({ since: base + 86_400_000, until: base + 2 * 86_400_000 });
    expect(events).toHaveLength(60);
  });

  it('with a login, is read with one token', async () => {
    await start({ login }, login);
    standIn.see({ at: base });
    expect([(await readAll()).length, (await readAll()).length]).toEqual([1, 1]);
    expect(standIn.requests.filter(({ path }) => path === '/api/auth/login')).toHaveLength(1);
  });

  it.each([
    ['none', {}, 'needs a login'],
    ['a wrong one', { username: 'birder', password: 'wrong1' }, 'rejected the user name'],
  ])('with %s when a login is required, is an error that names it', async (_case, config, message) => {
    await start({ login }, config);
    await expect(readAll()).rejects.toMatchObject({
      stage: 'login',
      message: expect.stringContaining(message),
    });
  });

  it('a bird renamed by hand, read again, has that name and is reviewed', async () => {
    await start();
    const bird = standIn.see({ at: base });
    const [event] = await readAll();
    bird.rename('Blue Tit', 'Cyanistes caeruleus');
    expect(await upstream.readAgain(known(event), signal)).toMatchObject({
      event: {
        upstreamId: event?.upstreamId,
        detections: [{ speciesName: 'Cyanistes caeruleus_Blue Tit', reviewed: true }],
      },
    });
    expect(
      await upstream.readAgain({ ...known(event), upstreamId: '1777622400.1-gone' }, signal),
    ).toBeUndefined();
  });

  it('a clip, is downloaded, and one that Frigate has lost is never available', async () => {
    await start();
    standIn.see({ at: base });
    standIn.see({ at: base + 1000, hasClip: false });
    const [there, gone] = await readAll();
    const file = join(folder, 'clip.mp4');
    expect(await upstream.fetch(known(there), file, signal)).toEqual({ outcome: 'ready' });
    expect(statSync(file).size).toBeGreaterThan(1000);
    expect(await upstream.fetch(known(gone), join(folder, 'x'), signal)).toMatchObject({ outcome: 'never' });
  });

  it('its test, passes every stage, and fails for another program', async () => {
    await start();
    standIn.see({ at: base });
    const run = async (of: Upstream) => {
      const steps: unknown[] = [];
      for await (const step of of.test(signal)) if ('stage' in step) steps.push([step.stage, step.ok]);
      return steps;
    };
    expect(await run(upstream)).toEqual(
      ['address', 'login', 'version', 'permission', 'birds', 'clip'].map((stage) => [stage, true]),
    );
    await upstream.close();
    const other = standIn;
    await start({ basePath: '/elsewhere' });
    const guard = createServiceGuard({ ownAddresses: [] });
    const http = createSourceHttp({
      url: `http://127.0.0.1:${standIn.port}/other`,
      guard,
    });
    const config = {
      id: 0,
      name: 'x',
      url: 'x',
      username: undefined,
      password: undefined,
      path: undefined,
      options: { cameras: {}, timezone: 'UTC', writeBack: false },
    };
    const wrong = yaWamf.open(config, { http, guard, clock: systemClock, log: pino({ level: 'silent' }) });
    expect((await run(wrong)).at(-1)).toEqual(['version', false]);
    await other.stop();
  });
});
