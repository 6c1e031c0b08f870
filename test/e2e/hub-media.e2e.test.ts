import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PlannedRecording } from '@birdhub/demo/plan';
import type { TestHub } from '@birdhub/testing/hub';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type ErrorResponse,
  readJson,
  type TimelineItem,
  type VideoResponse,
} from './fixtures/hub-responses.js';
import { type Posted, placeFiles, planPostedDay, postDay, postedDate } from './fixtures/posted-day.js';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

const folder = useDataFolder();
let hub: TestHub;
let day: { plan: PlannedRecording; posted: Posted }[];
/** A recording of two birds, its file and the address of its stream. */
let sample: { plan: PlannedRecording; posted: Posted };
let file: Buffer;
let stream: string;

beforeAll(async () => {
  hub = await startHubIn(folder, inOneProcess);
  const plans = planPostedDay();
  const pair = plans.find(({ detections, clip }) => detections.length > 1 && clip.birds.length > 1);
  if (pair === undefined) throw new Error('the day has no recording of two birds');
  await placeFiles(hub.recordingsDir, [pair]);
  const posted = await postDay(hub.baseUrl);
  day = plans.flatMap((plan, index) => {
    const one = posted[index];
    return one === undefined ? [] : [{ plan, posted: one }];
  });
  const found = day.find(({ plan }) => plan === pair);
  if (found === undefined) throw new Error('the recording of two birds was not posted');
  sample = found;
  file = readFileSync(join(hub.recordingsDir, pair.videoPath));
  stream = `${hub.baseUrl}/api/ui/videos/${found.posted.response.video_id}/stream`;
});

const fetchRange = (url: string, range: string) => fetch(url, { headers: { range } });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('a recording', () => {
  it('read back, matches the post, with every box', async () => {
    const items = await readJson<TimelineItem[]>(`${hub.baseUrl}/api/ui/timeline?date=${postedDate}`);
    const visitOf = new Map(items.flatMap((item) => item.detections.map(({ id }) => [id, item.id])));
    for (const { posted } of day) {
      const { body, response } = posted;
      const video = await readJson<VideoResponse>(`${hub.baseUrl}/api/ui/videos/${response.video_id}`);
      expect(video).toMatchObject({
        camera_id: body.camera_id,
        video_path: `data/recordings/${body.video_path}`,
      });
      expect([video.start_time, video.end_time].map(Date.parse)).toEqual(
        [body.start_time, body.end_time].map(Date.parse),
      );
      const pick = (row: VideoResponse['species'][number] | (typeof body.species)[number]) => ({
        species_name: row.species_name,
        start_time: row.start_time,
        end_time: row.end_time,
        source: row.source,
        confidence: row.confidence,
        track_id: String(row.track_id ?? ''),
        frames: row.frames ?? [],
      });
      const byText = (one: object, other: object) => JSON.stringify(one).localeCompare(JSON.stringify(other));
      expect(video.species.map(pick).sort(byText)).toEqual(body.species.map(pick).sort(byText));
      for (const { id, visit_id } of video.species) expect(visitOf.get(id)).toBe(visit_id);
    }
  });

  it('read as boxes only, has those of its detections', async () => {
    const url = `${hub.baseUrl}/api/ui/videos/${sample.posted.response.video_id}`;
    const video = await readJson<VideoResponse>(url);
    const { tracks } = await readJson<{ tracks: { id: number; frames: unknown }[] }>(
      `${url}/detection-frames`,
    );
    const withBoxes = video.species.filter(({ frames }) => frames.length > 0);
    expect(withBoxes.length).toBeGreaterThan(1);
    const boxes = (rows: { id: number; frames: unknown }[]) =>
      new Map(rows.map((row) => [row.id, row.frames]));
    expect(boxes(tracks)).toEqual(boxes(withBoxes));
  });

  it('with an unknown id, returns 404 with the body of errors', async () => {
    const response = await fetch(`${hub.baseUrl}/api/ui/videos/999999`);
    expect(response.status).toBe(404);
    expect(((await response.json()) as ErrorResponse).code).toBe('video_not_found');
  });
});

describe('the video of a recording', () => {
  it('without a range, is the whole file with a strong entity tag', async () => {
    const response = await fetch(stream);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect(response.headers.get('accept-ranges')).toBe('bytes');
    expect(response.headers.get('etag')).toMatch(/^"/);
    expect((await bytesOf(response)).equals(file)).toBe(true);
    const again = await fetch(stream, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });

  it.each([
    ['a range from the start', 'bytes=0-999', 0, 1000],
    ['a range inside', 'bytes=1234-5678', 1234, 5679],
    ['an open range', 'bytes=5000-', 5000, undefined],
    ['a suffix', 'bytes=-700', -700, undefined],
    ['a range past the end', 'bytes=100-99999999', 100, undefined],
  ])('for %s, returns 206 with exactly those bytes', async (_what, range, from, to) => {
    const response = await fetchRange(stream, range);
    const part = file.subarray(from, to);
    const first = from < 0 ? file.length + from : from;
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(
      `bytes ${first}-${first + part.length - 1}/${file.length}`,
    );
    expect((await bytesOf(response)).equals(part)).toBe(true);
  });

  it('for a range beyond the end, returns 416 with the length', async () => {
    const response = await fetchRange(stream, `bytes=${file.length}-`);
    expect([response.status, response.headers.get('content-range')]).toEqual([416, `bytes */${file.length}`]);
    expect(((await response.json()) as ErrorResponse).code).toBe('range_not_satisfiable');
  });

  it('for HEAD, returns length and type without a byte', async () => {
    const response = await fetch(stream, { method: 'HEAD' });
    expect(response.headers.get('content-length')).toBe(String(file.length));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect((await bytesOf(response)).length).toBe(0);
  });

  it('posted before its file, is pending and then streamed', async () => {
    const late = { ...sample.posted.body, video_path: 'late/video.mp4', species: [] };
    const headers = { 'content-type': 'application/json' };
    const post = { method: 'POST', headers, body: JSON.stringify(late) };
    const { video_id } = (await (await fetch(`${hub.baseUrl}/api/processor/videos`, post)).json()) as {
      video_id: number;
    };
    const url = `${hub.baseUrl}/api/ui/videos/${video_id}/stream`;
    const before = await fetch(url);
    expect([before.status, ((await before.json()) as ErrorResponse).code]).toEqual([503, 'media_pending']);
    expect(Number(before.headers.get('retry-after'))).toBeGreaterThan(0);
    await mkdir(join(hub.recordingsDir, 'late'), { recursive: true });
    writeFileSync(join(hub.recordingsDir, 'late/video.mp4'), file);
    expect((await bytesOf(await fetch(url))).equals(file)).toBe(true);
  });
});

describe('recordings by path', () => {
  it('inside the folder, are served with ranges as well', async () => {
    const url = `${hub.baseUrl}/data/recordings/${sample.plan.videoPath}`;
    expect((await bytesOf(await fetch(url))).equals(file)).toBe(true);
    const part = await fetchRange(url, 'bytes=10-19');
    expect([part.status, (await bytesOf(part)).equals(file.subarray(10, 20))]).toEqual([206, true]);
  });

  it('outside the folder, are refused in any spelling', async () => {
    await symlink(join(folder.path, 'data/internal.secret'), join(hub.recordingsDir, 'secret.mp4'));
    const inside = dirname(sample.plan.videoPath);
    for (const path of [
      'secret.mp4',
      '..%2finternal.secret',
      '%2e%2e/internal.secret',
      `${inside}/..%2f..%2f..%2f..%2f..%2finternal.secret`,
      inside,
      '',
    ]) {
      const response = await fetch(`${hub.baseUrl}/data/recordings/${path}`);
      expect([path, response.status >= 400 && response.status < 500]).toEqual([path, true]);
    }
  });
});
