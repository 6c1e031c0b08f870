import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { TestHub } from '@birdhub/testing/hub';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type ErrorResponse,
  readJson,
  type TimelineItem,
  type VideoResponse,
} from './fixtures/hub-responses.js';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

/** An audio recording: its file, and the type that it is served with. */
interface Sound {
  readonly name: string;
  readonly type: string;
  readonly hour: number;
}

const sounds: readonly Sound[] = [
  { name: 'dawn.wav', type: 'audio/wav', hour: 4 },
  { name: 'dawn.mp3', type: 'audio/mpeg', hour: 5 },
  { name: 'dawn.flac', type: 'audio/flac', hour: 6 },
  { name: 'dawn.ogg', type: 'audio/ogg', hour: 7 },
  { name: 'dawn.opus', type: 'audio/ogg', hour: 8 },
  { name: 'dawn.m4a', type: 'audio/mp4', hour: 9 },
];
const seconds = 4;
const date = '2026-05-01';
const scannedName = `${date.replaceAll('-', '/')}/200000/night.flac`;
const soon = { timeout: 90_000, interval: 250 };
const folder = useDataFolder();
/** By name. */
const ids = new Map<string, number>();
let hub: TestHub;

const at = (hour: number, second: number) => new Date(Date.UTC(2026, 4, 1, hour, 0, second)).toISOString();
const fileOf = (name: string) => join(hub.recordingsDir, name);
const pathOf = (path: string) => `${hub.baseUrl}/api/ui/${path}`;
const videoPath = (name: string) => `videos/${ids.get(name)}`;
const getVideo = (name: string) => readJson<VideoResponse>(pathOf(videoPath(name)));

function makeSound(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  // Opus is always at 48 kHz.
  const tone = `sine=f=3000:d=${seconds}:r=48000`;
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', tone, file]);
}

async function postSound({ name, hour }: Sound): Promise<void> {
  const file = join(folder.path, name);
  makeSound(file);
  const body = {
    processor_version: 'test',
    camera_id: 'garden',
    start_time: at(hour, 0),
    end_time: at(hour, seconds),
    video_path: `sound/${name}`,
    species: [{ species_name: 'Great Tit', confidence: 0.9, start_time: 1, end_time: 3 }],
  };
  const posted = await fetch(`${hub.baseUrl}/api/processor/videos`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(posted.status).toBe(201);
  ids.set(name, ((await posted.json()) as { video_id: number }).video_id);
  const url = `${hub.baseUrl}/api/processor/media/sound/${name}`;
  const uploaded = await fetch(url, { method: 'PUT', body: readFileSync(file) });
  expect(uploaded.status).toBe(201);
}

/** Returns width and height by the frame header of a baseline JPEG. */
function jpegSizeOf(jpeg: Buffer): [number, number] {
  const at = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  return [jpeg.readUInt16BE(at + 7), jpeg.readUInt16BE(at + 5)];
}

beforeAll(async () => {
  hub = await startHubIn(folder, inOneProcess);
  const night = fileOf(scannedName);
  makeSound(night);
  const longAgo = new Date(Date.now() - 3_600_000);
  utimesSync(night, longAgo, longAgo);
  for (const sound of sounds) await postSound(sound);
  await vi.waitFor(async () => {
    const states = await Promise.all(sounds.map(async ({ name }) => (await getVideo(name)).media));
    expect(states).toEqual(sounds.map(() => 'ready'));
  }, soon);
});

describe.each(sounds)('a recording $name', ({ name, type }) => {
  const stream = (headers: Record<string, string> = {}) =>
    fetch(pathOf(`${videoPath(name)}/stream`), { headers });

  it('streamed whole and in ranges, has its own type', async () => {
    const file = readFileSync(fileOf(`sound/${name}`));
    const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
    const whole = await stream();
    expect([whole.status, whole.headers.get('content-type'), whole.headers.get('accept-ranges')]).toEqual([
      200,
      type,
      'bytes',
    ]);
    expect((await bytesOf(whole)).equals(file)).toBe(true);
    for (const [range, from, to] of [
      ['bytes=0-99', 0, 100],
      ['bytes=1000-', 1_000, file.length],
      ['bytes=-50', file.length - 50, file.length],
    ] as const) {
      const part = await stream({ range });
      const place = `bytes ${from}-${to - 1}/${file.length}`;
      expect([part.status, part.headers.get('content-type'), part.headers.get('content-range')]).toEqual([
        206,
        type,
        place,
      ]);
      expect((await bytesOf(part)).equals(file.subarray(from, to))).toBe(true);
    }
    const beyond = await stream({ range: `bytes=${file.length}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${file.length}`]);
    expect(((await beyond.json()) as ErrorResponse).code).toBe('range_not_satisfiable');
    const plain = await fetch(`${hub.baseUrl}/data/recordings/sound/${name}`, { method: 'HEAD' });
    expect([plain.status, plain.headers.get('content-type')]).toEqual([200, type]);
  });

  it('with a detection, has its spectrogram as poster and crop', async () => {
    const video = await getVideo(name);
    expect(video).toMatchObject({ media_kind: 'audio', species: [{ source: 'audio' }] });
    for (const [path, width, height] of [
      [`${videoPath(name)}/poster`, 1_280, 720],
      [`detections/${video.species[0]?.id}/crop`, 640, 360],
    ] as const) {
      // 503 while it is being made.
      const answer = await vi.waitUntil(
        async () => {
          const response = await fetch(pathOf(path));
          return response.status !== 503 && response;
        },
        { interval: 200 },
      );
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      expect(jpegSizeOf(Buffer.from(await answer.arrayBuffer()))).toEqual([width, height]);
    }
  });

  it('with a visit, has the time at which the bird was heard', async () => {
    const items = await readJson<(TimelineItem & { heard: object })[]>(pathOf(`timeline?date=${date}`));
    const own = items.filter(({ detections }) =>
      detections.some(({ video_id }) => video_id === ids.get(name)),
    );
    const heard = {
      video_id: ids.get(name),
      media_kind: 'audio',
      from: 1,
      to: 3,
      recording_seconds: seconds,
    };
    expect(own).toMatchObject([{ media_kind: 'audio', max_simultaneous: 1, heard }]);
  });
});

describe('audio recordings', () => {
  it('found by a scan, have the length that ffprobe measures', async () => {
    await fetch(pathOf('system/recordings/scan'), { method: 'POST' });
    const found = await vi.waitFor(async () => {
      const [item] = await readJson<TimelineItem[]>(pathOf(`timeline?date=${date}&hour=20`));
      expect(item).toBeDefined();
      return item;
    }, soon);
    expect(found).toMatchObject({ timeline_kind: 'unlinked_video', media_kind: 'audio' });
    expect(found?.total_recording_seconds).toBeCloseTo(seconds, 1);
    const video = await readJson<VideoResponse>(pathOf(`videos/${-(found?.id ?? 0)}`));
    expect(video.video_path).toBe(`data/recordings/${scannedName}`);
  });

  it('in exports, storage figures and the report, are counted', async () => {
    const exported = async (format: string) =>
      (await fetch(pathOf(`timeline/export?date=${date}&format=${format}`))).text();
    const csv = (await exported('csv')).trim().split('\r\n').slice(1);
    expect(csv.map((line) => line.split(',').at(-1))).toEqual(sounds.map(() => 'audio'));
    const json = JSON.parse(await exported('json')) as { media_kind: string }[];
    expect(json.map(({ media_kind }) => media_kind)).toEqual(sounds.map(() => 'audio'));
    expect(await exported('ebird')).toMatch(/^Great Tit,/m);
    const names = [...sounds.map(({ name }) => `sound/${name}`), scannedName];
    const bytes = names.reduce((sum, name) => sum + statSync(fileOf(name)).size, 0);
    await vi.waitFor(async () => {
      const days = await readJson<{ date: string }[]>(pathOf('storage/stats'));
      expect(days).toEqual([{ date, fileCount: names.length, totalSize: bytes }]);
    }, soon);
    const report = await fetch(pathOf('report/pdf?month=2026-05'));
    expect([report.status, report.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  });

  it('in data sets, are left out and counted as skipped', async () => {
    const window = `start_date=${date}&end_date=${date}`;
    const preview = await readJson(pathOf(`dataset/preview?${window}&min_images_per_class=1`));
    expect(preview).toMatchObject({ total_images: 0, classes: [], skipped: { audio: sounds.length } });
    const empty = await fetch(pathOf(`dataset/export?${window}&min_images_per_class=1`));
    expect([empty.status, ((await empty.json()) as ErrorResponse).code]).toEqual([404, 'dataset_empty']);
  });

  it('read by a source for BirdNET-Go, look like those of BirdNET-Go, with clips', async () => {
    // A source may not be the hub itself.
    const relay = createServer((client) => {
      const server = connect(Number(new URL(hub.baseUrl).port), '127.0.0.1');
      client.pipe(server).pipe(client);
      for (const socket of [client, server]) socket.on('error', () => socket.destroy());
    });
    await once(relay.listen(0, '127.0.0.1'), 'listening');
    const { port } = relay.address() as AddressInfo;
    const response = await fetch(pathOf('sources/test'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'birdnet-go', name: 'twin', url: `http://127.0.0.1:${port}` }),
    });
    expect(await response.json()).toMatchObject({
      ok: true,
      sample: expect.arrayContaining([
        expect.objectContaining({
          start_time: at(9, 1),
          species: [{ species_name: 'Parus major_Great Tit', confidence: 0.9 }],
          has_media: true,
        }),
      ]),
    });
    relay.close();
  });

  it('when purged, lose their files and pictures and keep their visits', async () => {
    const response = await fetch(pathOf('storage/purge'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ date, confirm: true }),
    });
    expect(await response.json()).toMatchObject({ deletedCount: sounds.length + 1 });
    for (const { name } of sounds) {
      expect((await getVideo(name)).media).toBe('purged');
      const gone = await fetch(pathOf(`${videoPath(name)}/stream`));
      expect(((await gone.json()) as ErrorResponse).code).toBe('media_purged');
    }
    expect(await readJson<object[]>(pathOf(`timeline?date=${date}&media_kind=audio`))).toHaveLength(7);
    expect(await readJson(pathOf('storage/stats'))).toEqual([]);
  });
});
