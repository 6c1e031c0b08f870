import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestHub } from '@birdhub/testing/hub';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readJson, type TimelineItem } from './fixtures/hub-responses.js';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

interface SightingResult {
  readonly video_id: number;
  readonly created: boolean;
  readonly visits: readonly number[];
}

interface SightingVideo {
  readonly media: string;
  readonly media_kind: string | null;
  readonly note: string | null;
  readonly video_path: string;
  readonly species: readonly { readonly id: number; readonly species_id: number }[];
}

const folder = useDataFolder();
const soon = { interval: 100 };
const day = '2026-05-01';
let hub: TestHub;

beforeAll(async () => {
  hub = await startHubIn(folder, inOneProcess);
});

async function post(body: object, path = 'processor'): Promise<{ status: number; body: SightingResult }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${hub.baseUrl}/api/${path}/sightings`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as SightingResult };
}

const get = (path: string) => fetch(`${hub.baseUrl}/api/ui/${path}`);
const videoOf = (id: number) => readJson<SightingVideo>(`${hub.baseUrl}/api/ui/videos/${id}`);
const timeline = (filter = '') =>
  readJson<TimelineItem[]>(`${hub.baseUrl}/api/ui/timeline?date=${day}${filter}`);

async function sizeOf(response: Response): Promise<unknown[]> {
  const { format, width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
  return [response.status, format, width, height];
}

describe('a sighting through the gateway', () => {
  it('with a picture, is in timeline, poster, crop and species page until it is deleted', async () => {
    const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#804020' } })
      .jpeg()
      .toBuffer();
    const sighting = {
      species_name: 'Hoopoe',
      time: `${day}T10:00:00Z`,
      camera_id: 'meadow',
      count: 3,
      note: 'on the grass',
      image_base64: picture.toString('base64'),
      id: 'a',
    };
    const first = await post(sighting);
    expect(first).toMatchObject({ status: 201, body: { created: true } });
    expect(await post(sighting)).toMatchObject({ status: 200, body: { video_id: first.body.video_id } });
    const id = first.body.video_id;
    await vi.waitUntil(async () => (await videoOf(id)).media === 'ready', soon);
    const video = await videoOf(id);
    expect(video).toMatchObject({ media_kind: 'image', note: 'on the grass' });
    expect(await timeline('&media_kind=image')).toMatchObject([
      { id: first.body.visits[0], media_kind: 'image', max_simultaneous: 3 },
    ]);
    const [detection] = video.species;
    for (const path of [`videos/${id}/poster`, `videos/${id}/stream`, `detections/${detection?.id}/crop`])
      expect([path, ...(await sizeOf(await get(path)))]).toEqual([path, 200, 'jpeg', 300, 200]);
    expect((await get(`videos/${id}/spectrogram`)).status).toBe(404);
    expect(await (await get(`species/${detection?.species_id}/visits`)).text()).toContain('Hoopoe');

    const file = join(hub.recordingsDir, video.video_path.replace('data/recordings/', ''));
    expect(readFileSync(file).includes('Exif')).toBe(false);
    expect((await fetch(`${hub.baseUrl}/api/ui/videos/${id}`, { method: 'DELETE' })).status).toBe(200);
    await vi.waitUntil(() => !existsSync(file), soon);
    expect(await timeline('&camera_id=meadow')).toEqual([]);
    expect((await get(`videos/${id}/poster`)).status).toBe(410);
    expect(await post(sighting)).toMatchObject({ status: 200, body: { deleted: true } });
  });

  it('without a picture, has no medium and is not a missing file', async () => {
    const { body } = await post({ species_name: 'Cuckoo', time: `${day}T11:00:00Z`, source: 'audio' }, 'ui');
    const id = body.video_id;
    expect(await videoOf(id)).toMatchObject({ media: 'none', media_kind: null });
    expect(await timeline()).toMatchObject([{ media_kind: null, heard: null }]);
    for (const path of ['stream', 'poster', 'spectrogram']) {
      const response = await get(`videos/${id}/${path}`);
      expect([path, response.status, await response.json()]).toEqual([
        path,
        404,
        expect.objectContaining({ code: 'media_missing', error: expect.stringContaining('no medium') }),
      ]);
    }
    const csv = await (await get(`timeline/export?format=csv&date=${day}`)).text();
    expect(csv).toContain('Cuckoo');
    const scan = await fetch(`${hub.baseUrl}/api/ui/system/recordings/scan`, { method: 'POST' });
    expect(scan.status).toBeLessThan(500);
    expect((await videoOf(id)).media).toBe('none');
  });
});
