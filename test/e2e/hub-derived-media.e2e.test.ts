import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestHub } from '@birdhub/testing/hub';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readJson } from './fixtures/hub-responses.js';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

interface Video {
  readonly media: string;
  readonly poster_url: string;
  readonly spectrogram_url: string | null;
}

interface JobStatus {
  readonly status: string;
  readonly result: object | null;
  readonly progress: { readonly processed: number } | null;
}

const folder = useDataFolder({ killsProcesses: true });
const soon = { timeout: 140_000, interval: 100 };
const count = 6;
const pathOf = (index: number) => `2026/05/${String(index).padStart(2, '0')}/video.mp4`;
const film = join(folder.path, 'film.mp4');
const videoIds: number[] = [];
let hub: TestHub;

function makeFilm(file: string): void {
  const sources = ['-f', 'lavfi', '-i', 'testsrc=s=160x120:r=10:d=3', '-f', 'lavfi', '-i', 'sine=f=3000:d=3'];
  execFileSync('ffmpeg', ['-v', 'error', ...sources, '-c:v', 'libx264', '-shortest', file]);
}

/** Copies the video to the path of a recording. */
function placeFilm(path: string): void {
  const file = join(hub.recordingsDir, path);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(film, file);
}

async function post(index: number): Promise<void> {
  const at = (second: number) => new Date(Date.UTC(2026, 4, 1 + index, 8, 0, second)).toISOString();
  const species = [
    { species_name: 'Great Tit', confidence: 0.9, start_time: 0, end_time: 3, source: 'video' },
  ];
  const times = { start_time: at(0), end_time: at(3) };
  const body = JSON.stringify({ processor_version: '1', ...times, video_path: pathOf(index), species });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${hub.baseUrl}/api/processor/videos`, { method: 'POST', headers, body });
  videoIds.push(((await response.json()) as { video_id: number }).video_id);
}

const system = (path: string) => `${hub.baseUrl}/api/ui/system/${path}`;
const getVideo = (id = videoIds[0]) => readJson<Video>(`${hub.baseUrl}/api/ui/videos/${id}`);
const getStatus = () => readJson<JobStatus>(system('regenerate-spectrograms/status'));

beforeAll(async () => {
  makeFilm(film);
  hub = await startHubIn(folder, inOneProcess);
  await post(0);
});

describe('derived media', () => {
  it('before the file arrives, are pending', async () => {
    expect((await getVideo()).media).toBe('pending');
    const poster = await fetch(`${hub.baseUrl}/api/ui/videos/${videoIds[0]}/poster`);
    expect([poster.status, poster.headers.get('retry-after')]).toEqual([503, '5']);
  });

  it('after the file arrives, are a poster and a spectrogram', async () => {
    placeFilm(pathOf(0));
    await vi.waitFor(async () => expect((await getVideo()).spectrogram_url).not.toBeNull(), soon);
    const video = await getVideo();
    expect(video.media).toBe('ready');
    for (const url of [
      video.poster_url,
      video.spectrogram_url,
      `/api/ui/videos/${videoIds[0]}/spectrogram`,
    ]) {
      const response = await fetch(new URL(url ?? '', hub.baseUrl));
      expect([url, response.status, response.headers.get('content-type')]).toEqual([url, 200, 'image/jpeg']);
    }
  });

  it('when the service is killed in the middle of a job, are completed by the resumed job', async () => {
    for (let index = 1; index < count; index += 1) {
      placeFilm(pathOf(index));
      await post(index);
    }
    await vi.waitFor(
      async () => expect((await getVideo(videoIds.at(-1))).spectrogram_url).not.toBeNull(),
      soon,
    );
    const headers = { 'content-type': 'application/json' };
    const start = { method: 'POST', headers, body: JSON.stringify({ force: true }) };
    expect((await fetch(system('regenerate-spectrograms'), start)).status).toBe(202);
    await vi.waitFor(async () => expect((await getStatus()).progress?.processed).toBeGreaterThan(1), {
      ...soon,
      interval: 20,
    });
    hub.kill('services');
    await vi.waitFor(async () => expect((await getStatus()).status).toBe('done'), soon);
    expect((await getStatus()).result).toEqual({ generated: count, failed: 0, skipped: 0 });
    expect(existsSync(join(dirname(join(hub.recordingsDir, pathOf(count - 1))), 'spectrogram_100.jpg'))).toBe(
      true,
    );
  }, 300_000);

  it('when the service is killed before the pictures are made, are all there in the end', async () => {
    const first = count;
    for (let index = first; index < first + 6; index += 1) {
      placeFilm(pathOf(index));
      await post(index);
    }
    hub.kill('services');
    const ids = videoIds.slice(first);
    const posterOf = (id: number) => fetch(`${hub.baseUrl}/api/ui/videos/${id}/poster`);
    await vi.waitFor(async () => {
      const states = await Promise.all(ids.map(async (id) => (await getVideo(id)).media));
      const posters = await Promise.all(ids.map(async (id) => (await posterOf(id)).status));
      expect([new Set(states), new Set(posters)]).toEqual([new Set(['ready']), new Set([200])]);
    }, soon);
  });

  it('after their recording is deleted, are deleted as well', async () => {
    const poster = join(dirname(hub.recordingsDir), `derived/posters/0/${videoIds[0]}/poster.jpg`);
    expect(existsSync(poster)).toBe(true);
    await fetch(`${hub.baseUrl}/api/ui/videos/${videoIds[0]}`, { method: 'DELETE' });
    await vi.waitFor(() => expect(existsSync(poster)).toBe(false), soon);
    expect(existsSync(join(hub.recordingsDir, '2026/05/00/spectrogram_100.jpg'))).toBe(false);
  });
});
