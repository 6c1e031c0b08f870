import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordingBody } from '@birdhub/testing/processor-client/processor-wire';
import {
  type StubHub,
  type StubRequest,
  type StubResponse,
  startStubHub,
} from '@birdhub/testing/processor-client/stub-hub';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runDemo } from './demo.js';
import type { DemoOptions } from './options.js';

const now = Date.parse('2026-11-21T10:00:00Z');

let folder: string;
let hub: StubHub | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'birdhub-demo-'));
});
afterEach(() => hub?.close());
afterAll(() => rm(folder, { recursive: true }));

function optionsFor(address: string, modes: Pick<DemoOptions, 'days' | 'rate'>): DemoOptions {
  return {
    ...modes,
    hub: address,
    token: undefined,
    recordingsDir: join(folder, 'recordings'),
    cacheDir: join(folder, 'cache'),
    region: 'europe',
    seed: '1',
    place: { latitude: 52.5, longitude: 13.4 },
    zone: 'Europe/Berlin',
  };
}

function accept(request: StubRequest): StubResponse {
  if (request.path.endsWith('/videos'))
    return { status: 201, body: { message: 'ok', video_id: 1, created: true } };
  return { status: 200, body: { message: 'ok', id: 4, commands: [] } };
}

const postedTo = (stub: StubHub | undefined, route: string) =>
  (stub?.requests ?? []).filter(({ path }) => path === `/api/processor${route}`).map(({ body }) => body);
const recordingsOf = (stub: StubHub | undefined) => postedTo(stub, '/videos') as RecordingBody[];

async function backfillTwoDays(): Promise<{ recordings: RecordingBody[]; lines: string[] }> {
  hub = await startStubHub(accept);
  const lines: string[] = [];
  const run = {
    now: () => now,
    say: (line: string) => lines.push(line),
    signal: new AbortController().signal,
  };
  await runDemo(optionsFor(hub.baseUrl, { days: 2, rate: undefined }), run);
  return { recordings: recordingsOf(hub), lines };
}

describe('runDemo', () => {
  it('with two days to backfill, posts existing files and nothing in the future', async () => {
    const { recordings, lines } = await backfillTwoDays();
    const today = recordings.filter(({ video_path }) => video_path.startsWith('2026/11/21/'));
    const yesterday = recordings.filter(({ video_path }) => video_path.startsWith('2026/11/20/'));
    expect(yesterday.length).toBeGreaterThanOrEqual(60);
    expect(today.length).toBeGreaterThan(5);
    expect(today.length + yesterday.length).toBe(recordings.length);
    expect(Math.max(...recordings.map(({ end_time }) => Date.parse(end_time)))).toBeLessThanOrEqual(now);
    for (const { video_path } of recordings) await access(join(folder, 'recordings', video_path));
    expect(lines.at(-2)).toContain(`Posted ${recordings.length} recordings with`);
    expect(lines.at(-1)).toContain('/api/ui/timeline?date=2026-11-21');
    expect(postedTo(hub, '/species/active')[0]).toHaveLength(15);
    expect(postedTo(hub, '/activity_log')[0]).toMatchObject({ type: 'heartbeat' });
  });

  it('with the same backfill again, posts identical recordings', async () => {
    const byPath = (one: RecordingBody, other: RecordingBody) => (one.video_path < other.video_path ? -1 : 1);
    const first = await backfillTwoDays();
    await hub?.close();
    const second = await backfillTwoDays();
    expect(second.recordings.sort(byPath)).toEqual(first.recordings.sort(byPath));
  });

  it('with a refused recording, fails and starts no further ones', async () => {
    hub = await startStubHub((request) =>
      request.path.endsWith('/videos') ? { status: 400, body: { code: 'bad_request' } } : accept(request),
    );
    const run = { now: () => now, say: () => undefined, signal: new AbortController().signal };
    await expect(runDemo(optionsFor(hub.baseUrl, { days: 1, rate: undefined }), run)).rejects.toMatchObject({
      name: 'ProcessorResponseError',
    });
    expect(recordingsOf(hub).length).toBeLessThanOrEqual(4);
  });

  it('in live mode while the hub is briefly unavailable, loses no recording and ends on the signal', async () => {
    const stop = new AbortController();
    let refused = 0;
    hub = await startStubHub((request, requests) => {
      const stored = requests.filter(({ path }) => path.endsWith('/videos')).length - refused;
      if (stored > 3) setImmediate(() => stop.abort());
      if (!request.path.endsWith('/videos') || stored !== 2 || refused >= 5) return accept(request);
      refused += 1;
      return { status: 503, body: { error: 'away', code: 'starting' }, headers: { 'retry-after': '0' } };
    });
    const lines: string[] = [];
    const run = { now: Date.now, say: (line: string) => lines.push(line), signal: stop.signal };
    await runDemo(optionsFor(hub.baseUrl, { days: 0, rate: 60 }), run);
    const paths = recordingsOf(hub).map(({ video_path }) => video_path);
    expect(new Set(paths).size).toBeGreaterThanOrEqual(3);
    expect(paths.length - new Set(paths).size).toBe(refused);
    expect(lines.filter((line) => line.includes('has to wait'))).toHaveLength(1);
    expect(postedTo(hub, '/notify/motion').length).toBeGreaterThan(0);
  });

  it('with no hub at the address, fails before making a clip', async () => {
    hub = await startStubHub(accept);
    await hub.close();
    const run = { now: () => now, say: () => undefined, signal: new AbortController().signal };
    const options = {
      ...optionsFor(hub.baseUrl, { days: 1, rate: undefined }),
      cacheDir: join(folder, 'none'),
    };
    await expect(runDemo(options, run)).rejects.toMatchObject({ name: 'ProcessorNetworkError' });
    await expect(access(join(folder, 'none'))).rejects.toThrow('ENOENT');
  });
});
