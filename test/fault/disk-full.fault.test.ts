import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestHub } from '@birdhub/testing/hub';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type ErrorResponse, readJson } from '../e2e/fixtures/hub-responses.js';
import { inOneProcess, startHubIn, useDataFolder } from '../e2e/fixtures/temporary-hub.js';
import { requireJson } from './fixtures/send-json.js';
import { useSmallDisk } from './fixtures/small-disk.js';
import { withoutPictures } from './fixtures/trial.js';

/** A recording and the path of its file. */
interface WithFile {
  readonly id: number;
  readonly file: string;
}

const megabyte = 1_000_000;
const soon = { interval: 100 };

const disk = useSmallDisk(64);

describe.skipIf(!disk)('a small disk (where the tests may mount one)', () => {
  const recordingsDir = join(disk ?? '', 'recordings');
  const ballast = join(disk ?? '', 'ballast');
  const folder = useDataFolder({ killsProcesses: true });
  const acknowledged: number[] = [];
  let withFiles: WithFile[] = [];
  let hub: TestHub;
  let posted = 0;

  const nextPath = () => {
    posted += 1;
    return `${posted}/video.mp4`;
  };

  async function post(path = nextPath()): Promise<Response> {
    const at = (second: number) => new Date(Date.UTC(2026, 4, 1, 8, posted, second)).toISOString();
    const seen = { species_name: 'Great Tit', confidence: 0.9, start_time: 0, end_time: 5, source: 'video' };
    const body = { start_time: at(0), end_time: at(10), video_path: path, species: [seen] };
    const response = await fetch(`${hub.baseUrl}/api/processor/videos`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ processor_version: 'fault', ...body }),
    });
    if (response.ok) acknowledged.push(((await response.clone().json()) as { video_id: number }).video_id);
    return response;
  }

  async function postWithFile(megabytes: number): Promise<WithFile> {
    const path = nextPath();
    const file = join(recordingsDir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.alloc(megabytes * megabyte));
    // Under the settings of a new hub, so small a disk counts as full for a moment.
    await vi.waitUntil(async () => (await post(path)).ok, soon);
    return { id: acknowledged.at(-1) ?? 0, file };
  }

  const storageState = async () =>
    (await readJson<{ storage: string }>(`${hub.baseUrl}/api/ui/status`)).storage;
  const mediaOf = async (id: number) =>
    (await readJson<{ media: string }>(`${hub.baseUrl}/api/ui/videos/${id}`)).media;
  /** Posts until a response has that status. */
  const waitForStatus = (status: number) =>
    vi.waitUntil(async () => {
      const response = await post();
      return response.status === status ? response : undefined;
    }, soon);

  beforeAll(async () => {
    mkdirSync(recordingsDir);
    hub = await startHubIn(folder, { ...inOneProcess, ...withoutPictures, RECORDINGS_DIR: recordingsDir });
    await requireJson(hub, 'PATCH', 'settings', {
      retention: { min_free_gb: 0.02, keep_best_per_species: 0 },
    });
  });

  it('with space, accepts recordings', async () => {
    withFiles = [await postWithFile(5), await postWithFile(5), await postWithFile(5)];
    for (const { id } of withFiles.slice(1))
      await requireJson(hub, 'PATCH', `videos/${id}`, { favorite: true });
    expect(await storageState()).toBe('ok');
  });

  it('running short of space, is purged of all but favourites without refusing a recording', async () => {
    writeFileSync(ballast, Buffer.alloc(33 * megabyte));
    const [oldest, ...favorites] = withFiles;
    await vi.waitUntil(() => !existsSync(oldest?.file ?? ''), soon);
    expect(await mediaOf(oldest?.id ?? 0)).toBe('purged');
    expect(await Promise.all(favorites.map(({ id }) => mediaOf(id)))).not.toContain('purged');
    expect((await post()).status).toBe(201);
  });

  it('with nothing left to purge, is reported to processors and the UI', async () => {
    writeFileSync(ballast, Buffer.alloc(50 * megabyte));
    const refused = await waitForStatus(503);
    expect(((await refused.json()) as ErrorResponse).code).toBe('storage_full');
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await storageState()).toBe('error');
    const alive = { type: 'heartbeat', data: {} };
    const heartbeat = await fetch(`${hub.baseUrl}/api/processor/activity_log`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(alive),
    });
    expect(heartbeat.status).toBe(201);
  });

  it('with space again, accepts recordings and still has every acknowledged one', async () => {
    rmSync(ballast);
    await vi.waitFor(async () => expect(await storageState()).toBe('ok'), soon);
    const media = await Promise.all(acknowledged.map(mediaOf));
    expect(media.filter((one) => one === 'purged')).toHaveLength(1);
    expect(withFiles.map(({ file }) => existsSync(file))).toEqual([false, true, true]);
  });
});
