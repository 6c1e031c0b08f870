import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import type { TestHub } from '@birdhub/testing/hub';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type ErrorResponse, readJson, type VideoResponse } from './fixtures/hub-responses.js';
import { proportionalMb } from './fixtures/linux-processes.js';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

interface UploadResult {
  readonly created: boolean;
  readonly received: number;
  readonly total: number;
}

const folder = useDataFolder({ killsProcesses: true });
const soon = { interval: 50 };
const megabyte = 1_048_576;
let hub: TestHub;

beforeAll(async () => {
  hub = await startHubIn(folder, { ...inOneProcess, MAX_UPLOAD_MB: '40' });
});

/** Bytes that begin as an MP4 file does. */
const createVideo = (size: number) =>
  Buffer.concat([Buffer.from('\0\0\0\x20ftypisom', 'latin1'), randomBytes(size - 12)]);
const sha256 = (bytes: Buffer) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
const mediaUrl = (path: string) => `${hub.baseUrl}/api/processor/media/${path}`;
const fileOf = (path: string) => join(hub.recordingsDir, path);

async function put(path: string, body: Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(mediaUrl(path), { method: 'PUT', body, headers });
  return { status: response.status, body: (await response.json()) as UploadResult & ErrorResponse };
}

const offsetOf = async (path: string) =>
  (await fetch(mediaUrl(path), { method: 'HEAD' })).headers.get('upload-offset');

async function post(path: string, day: number): Promise<number> {
  const at = (second: number) => new Date(Date.UTC(2026, 3, day, 8, 0, second)).toISOString();
  const species = [
    { species_name: 'Great Tit', confidence: 0.9, start_time: 0, end_time: 3, source: 'video' },
  ];
  const times = { start_time: at(0), end_time: at(3) };
  const body = JSON.stringify({ processor_version: '1', ...times, video_path: path, species });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${hub.baseUrl}/api/processor/videos`, { method: 'POST', headers, body });
  return ((await response.json()) as { video_id: number }).video_id;
}

const mediaOf = async (id: number) =>
  (await readJson<VideoResponse>(`${hub.baseUrl}/api/ui/videos/${id}`)).media;

/** Sends the headers of an upload and a part of its body, and keeps the connection open. */
function begin(path: string, body: Buffer, headers: Record<string, string | number>): Promise<ClientRequest> {
  return new Promise((resolve) => {
    const sending = request(mediaUrl(path), { method: 'PUT', headers });
    sending.on('error', () => undefined);
    sending.write(body, () => resolve(sending));
  });
}

/** All files below the folder of recordings whose names begin with a dot. */
const hiddenFiles = () =>
  readdirSync(hub.recordingsDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?:^|\/)\.[^/]*$/.test(name),
  );

describe('an upload through the gateway', () => {
  it('larger than any JSON, is stored and played, and returns 200 when sent again', async () => {
    const video = createVideo(30 * megabyte);
    const headers = { 'content-digest': sha256(video) };
    expect(await put('large/video.mp4', video, headers)).toMatchObject({
      status: 201,
      body: { created: true },
    });
    expect(await put('large/video.mp4', video, headers)).toMatchObject({
      status: 200,
      body: { created: false },
    });
    const played = await fetch(`${hub.baseUrl}/data/recordings/large/video.mp4`);
    expect(Buffer.from(await played.arrayBuffer()).equals(video)).toBe(true);
  });

  it('larger than MAX_UPLOAD_MB, returns 413', async () => {
    const response = await put('large/too.mp4', createVideo(41 * megabyte));
    expect(response).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  });

  it('refused by its first bytes, gets its response while its client still sends', async () => {
    const response = await put('large/other.mp4', randomBytes(20 * megabyte));
    expect(response).toMatchObject({ status: 415, body: { code: 'media_type_unsupported' } });
  });

  it('after an interruption, continues where it stopped', async () => {
    const video = createVideo(8 * megabyte);
    const range = `bytes 0-${video.length - 1}/${video.length}`;
    const half = video.length / 2;
    const headers = { 'content-length': video.length, 'content-range': range };
    const sending = await begin('broken/video.mp4', video.subarray(0, half), headers);
    await vi.waitUntil(async () => (await offsetOf('broken/video.mp4')) === String(half), soon);
    sending.destroy();
    const rest = {
      'content-range': `bytes ${half}-${video.length - 1}/${video.length}`,
      'repr-digest': sha256(video),
    };
    await vi.waitUntil(async () => {
      const { status } = await put('broken/video.mp4', video.subarray(half), rest);
      return status === 201;
    }, soon);
    expect(readFileSync(fileOf('broken/video.mp4')).equals(video)).toBe(true);
  });

  it.each([
    ['before', 1],
    ['after', 2],
  ])('of a recording posted %s it, makes the recording ready', async (order, day) => {
    const film = join(folder.path, `film-${day}.mp4`);
    mkdirSync(folder.path, { recursive: true });
    execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=160x120:r=10:d=3', film]);
    const path = `order/${day}/video.mp4`;
    const early = order === 'before' ? await post(path, day) : undefined;
    if (early !== undefined) expect(await mediaOf(early)).toBe('pending');
    expect((await put(path, readFileSync(film))).status).toBe(201);
    const id = early ?? (await post(path, day));
    await vi.waitUntil(async () => (await mediaOf(id)) === 'ready', soon);
    await vi.waitUntil(
      async () => (await fetch(`${hub.baseUrl}/api/ui/videos/${id}/poster`)).status === 200,
      soon,
    );
  });
});

describe('a hundred uploads at once', () => {
  it('from slow clients, are all stored and take little memory', async () => {
    const video = createVideo(2 * megabyte);
    const pid = hub.processOf('services').process?.pid ?? 0;
    const memory = () => proportionalMb(pid);
    const upload = (index: number) =>
      new Promise<number>((resolve, reject) => {
        const headers = { 'content-length': video.length };
        const sending = request(
          mediaUrl(`many/${index}/video.mp4`),
          { method: 'PUT', headers },
          (response) => {
            response.resume().once('end', () => resolve(response.statusCode ?? 0));
          },
        );
        sending.once('error', reject);
        const step = 131_072;
        const send = (at: number) => {
          if (at >= video.length) sending.end();
          else sending.write(video.subarray(at, at + step), () => setTimeout(send, 20, at + step));
        };
        send(0);
      });
    await upload(1_000);
    const before = memory();
    let highest = before;
    const sampling = setInterval(() => {
      highest = Math.max(highest, memory());
    }, 200);
    const statuses = await Promise.all(Array.from({ length: 100 }, (_, index) => upload(index)));
    clearInterval(sampling);
    expect(new Set(statuses)).toEqual(new Set([201]));
    for (let index = 0; index < 100; index += 1)
      expect(readFileSync(fileOf(`many/${index}/video.mp4`)).equals(video)).toBe(true);
    console.log(`memory of the services: ${before.toFixed(0)} MB, at most ${highest.toFixed(0)} MB`);
    expect(highest - before).toBeLessThan(100);
  });
});

describe('services killed during uploads', () => {
  it('with a whole file and a range in progress, keep only the range, to be continued', async () => {
    const video = createVideo(4 * megabyte);
    const part = video.subarray(0, megabyte);
    const whole = await begin('killed/whole.mp4', part, { 'content-length': video.length });
    const range = await begin('killed/range.mp4', part, {
      'content-length': video.length,
      'content-range': `bytes 0-${video.length - 1}/${video.length}`,
    });
    await vi.waitUntil(() => hiddenFiles().length === 2, soon);
    await vi.waitUntil(async () => (await offsetOf('killed/range.mp4')) === String(megabyte), soon);
    const killed = hub.kill('services');
    await hub.waitUntilRestarted('services', killed);
    whole.destroy();
    range.destroy();
    await vi.waitUntil(() => hiddenFiles().length === 1, soon);
    const rest = { 'content-range': `bytes ${megabyte}-${video.length - 1}/${video.length}` };
    await vi.waitUntil(async () => {
      const response = await put('killed/range.mp4', video.subarray(megabyte), rest).catch(() => undefined);
      return response?.status === 201;
    }, soon);
    expect(readFileSync(fileOf('killed/range.mp4')).equals(video)).toBe(true);
    expect([existsSync(fileOf('killed/whole.mp4')), hiddenFiles()]).toEqual([false, []]);
  });
});
