import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeClip, nameOf } from '@birdhub/demo/clips';
import { posterFile } from '@birdhub/domain/media';
import { hourMs } from '@birdhub/shared/time';
import pg from 'pg';
import { atMost } from '../report/judge.js';
import type { ResultRow } from '../report/result-row.js';
import { type HubProcess, startHub } from '../run/hub-process.js';
import { watchProcesses } from '../run/process-watch.js';
import { drawDetection, toBody } from '../run/recording-body.js';
import type { BenchCase } from './bench-case.js';

const clipSeconds = 10;
const recordings = 700;
const detectionsEach = 3;
const postsAtOnce = 4;
/** Number of posters requested while the others are pending; oldest first, as these are created last. */
const requestedPosters = 40;
const singlePosts = 10;
const timeoutMs = 1_800_000;

interface Posted {
  readonly videoId: number;
}

/** Creates a few clips, which all recordings share, with an old modification time. */
async function makeClips(folder: string): Promise<string[]> {
  const pairs = ['Great Tit', 'Eurasian Blue Tit', 'House Sparrow', 'European Goldfinch'];
  const files: string[] = [];
  for (const bird of pairs) {
    const scene = { place: 'garden', season: 'summer', light: 'day', take: 0 } as const;
    const clip = { ...scene, birds: [bird, bird], singer: bird, seconds: clipSeconds };
    const file = join(folder, `${nameOf(clip)}.mp4`);
    await makeClip(clip, file, { ffmpegPath: 'ffmpeg' });
    const before = new Date(Date.now() - hourMs);
    await utimes(file, before, before);
    files.push(file);
  }
  return files;
}

async function post(hub: HubProcess, number: number, startMs: number): Promise<Posted> {
  const body = toBody({
    camera_id: 'bench',
    video_path: pathOf(number),
    start_time: new Date(startMs).toISOString(),
    end_time: new Date(startMs + clipSeconds * 1000).toISOString(),
    species: Array.from({ length: detectionsEach }, (_, position) =>
      drawDetection(number, position, 'Great Tit', clipSeconds * 1000),
    ),
  });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${hub.origin}/api/processor/videos`, { method: 'POST', headers, body });
  if (response.status !== 201) throw new Error(`a recording was answered with ${response.status}`);
  return { videoId: ((await response.json()) as { video_id: number }).video_id };
}

const pathOf = (number: number) => `pictures/${number}/video.mp4`;
const fileOf = (hub: HubProcess, number: number) => join(hub.dataDir, 'recordings', pathOf(number));

/** Returns the time until the poster of a recording is available, in ms; requests it again while it is pending. */
async function timePoster(hub: HubProcess, videoId: number): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const response = await fetch(`${hub.origin}/api/ui/videos/${videoId}/poster`);
    await response.arrayBuffer();
    if (response.ok) return performance.now() - startedAt;
    if (response.status !== 503) throw new Error(`a poster was answered with ${response.status}`);
    if (performance.now() - startedAt > timeoutMs) throw new Error('a poster was not created in time');
    await sleep(50);
  }
}

/** Posts recordings a minute apart, oldest first, as in a backfill; returns them in this order. */
async function postAll(hub: HubProcess, clips: readonly string[]): Promise<Posted[]> {
  const first = Date.now() - (recordings + 60) * 60_000;
  const posted: Posted[] = [];
  const numbers = Array.from({ length: recordings }, (_, number) => number);
  const work = async () => {
    for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
      await mkdir(dirname(fileOf(hub, number)), { recursive: true });
      await link(clips[number % clips.length] ?? '', fileOf(hub, number));
      posted[number] = await post(hub, number, first + number * 60_000);
    }
  };
  await Promise.all(Array.from({ length: postsAtOnce }, work));
  return posted;
}

async function countReady(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM video WHERE media = 'ready'`,
  );
  return rows[0]?.count ?? 0;
}

async function waitForAll(client: pg.Client): Promise<void> {
  const startedAt = performance.now();
  while ((await countReady(client)) < recordings) {
    if (performance.now() - startedAt > timeoutMs) throw new Error('pictures were not created in time');
    await sleep(200);
  }
}

/** Requests missing posters sequentially while the others are pending; returns the times in ms. */
async function timePendingPosters(hub: HubProcess, posted: readonly Posted[]): Promise<number[]> {
  const times: number[] = [];
  for (const { videoId } of posted) {
    if (times.length === requestedPosters) break;
    if (!existsSync(posterFile(hub.dataDir, videoId))) times.push(await timePoster(hub, videoId));
  }
  return times;
}

/** Returns the times from the post of a new file to its poster, in ms. */
async function timeSinglePosts(hub: HubProcess, clip: string): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < singlePosts; index += 1) {
    const number = recordings + index;
    await mkdir(dirname(fileOf(hub, number)), { recursive: true });
    await copyFile(clip, fileOf(hub, number));
    const startedAt = performance.now();
    const { videoId } = await post(hub, number, Date.now() - 60_000);
    await timePoster(hub, videoId);
    times.push(performance.now() - startedAt);
  }
  return times;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

async function measure(hub: HubProcess, clips: readonly string[]): Promise<ResultRow[]> {
  const client = new pg.Client({ connectionString: hub.databaseUrl });
  await client.connect();
  try {
    const watch = watchProcesses(hub.roots);
    const startedAt = performance.now();
    const posted = await postAll(hub, clips);
    const left = recordings - (await countReady(client));
    const times = await timePendingPosters(hub, posted);
    await waitForAll(client);
    const seconds = (performance.now() - startedAt) / 1000;
    const processes = watch.stop();
    const single = await timeSinglePosts(hub, clips[0] ?? '');
    const p95 = percentile(times, 0.95);
    const slowest = Math.max(...single);
    return [
      {
        title: `poster asked for while ${left} clips wait, p95 of ${times.length}`,
        single: { value: p95, unit: 'ms' },
        verdict: atMost(p95, 1_500, 'ms'),
      },
      {
        title: `post of a recording to its poster, slowest of ${singlePosts}`,
        single: { value: slowest, unit: 'ms' },
        verdict: atMost(slowest, 2_000, 'ms'),
      },
      {
        title: `all pictures of ${recordings} clips of ${clipSeconds} s`,
        single: { value: seconds, unit: 's' },
        verdict: atMost(seconds, 150, 's'),
        processes,
      },
    ];
  } finally {
    await client.end();
  }
}

/** Many clips posted at the same time, as after an outage: requested posters come first, and all are created soon. */
export const picturesCase: BenchCase = {
  name: 'pictures',
  about: 'poster, crops and spectrogram of 700 clips that come at once, and of one',
  kind: 'start',
  isWithoutStore: true,
  async run({ repository }) {
    const parent = await mkdtemp(join(tmpdir(), 'birdhub-pictures-'));
    try {
      const clips = await makeClips(parent);
      const hub = await startHub({ repository, dataDir: join(parent, 'data') });
      try {
        return await measure(hub, clips);
      } finally {
        await hub.stop();
      }
    } finally {
      await rm(parent, { recursive: true, force: true });
    }
  },
};
