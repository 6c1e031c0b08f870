import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestHub } from '@birdhub/testing/hub';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ErrorResponse } from '../e2e/fixtures/hub-responses.js';
import { inOneProcess, startHubIn, useDataFolder } from '../e2e/fixtures/temporary-hub.js';
import { requireJson } from './fixtures/send-json.js';
import { useSmallDisk } from './fixtures/small-disk.js';
import { withoutPictures } from './fixtures/trial.js';

const megabyte = 1_048_576;
const disk = useSmallDisk(16);

/** Bytes that begin as an MP4 file does. */
const createVideo = (size: number) =>
  Buffer.concat([Buffer.from('\0\0\0\x20ftypisom', 'latin1'), randomBytes(size - 12)]);

/** A body of unknown length. */
async function* inPieces(body: Buffer, afterHalf = async () => undefined as unknown): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += 65_536) {
    if (at >= body.length / 2 && at - 65_536 < body.length / 2) await afterHalf();
    yield body.subarray(at, at + 65_536);
  }
}

describe.skipIf(!disk)('uploads to a small disk (where the tests may mount one)', () => {
  const recordingsDir = join(disk ?? '', 'recordings');
  const ballast = join(disk ?? '', 'ballast');
  const folder = useDataFolder({ killsProcesses: true });
  let hub: TestHub;

  beforeAll(async () => {
    mkdirSync(recordingsDir);
    hub = await startHubIn(folder, { ...inOneProcess, ...withoutPictures, RECORDINGS_DIR: recordingsDir });
    // Lets the disk itself refuse, not the hub.
    await requireJson(hub, 'PATCH', 'settings', { retention: { min_free_gb: 0 } });
    // Under the settings of a new hub, so small a disk counts as full for a moment.
    await vi.waitFor(async () => expect((await put('first.mp4', createVideo(1_000))).status).toBe(201), {
      interval: 250,
    });
    rmSync(join(recordingsDir, 'first.mp4'));
  });

  const urlOf = (path: string) => `${hub.baseUrl}/api/processor/media/${path}`;
  const listTree = () => readdirSync(recordingsDir, { recursive: true, encoding: 'utf8' }).sort();
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(disk ?? '');
    return bavail * bsize;
  };

  /** Fills the disk up to some bytes, or completely when the hub writes at the same time. */
  function fillDisk(spareBytes: number): void {
    try {
      writeFileSync(ballast, Buffer.alloc(freeBytes() - spareBytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  afterEach(() => rmSync(ballast, { force: true }));

  async function put(
    path: string,
    body: Buffer | AsyncIterable<Buffer>,
    headers: Record<string, string> = {},
  ) {
    const init = { method: 'PUT', body, headers, duplex: 'half' } as unknown as RequestInit;
    const response = await fetch(urlOf(path), init);
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as ErrorResponse,
    };
  }

  function expectFull({ status, headers, body }: Awaited<ReturnType<typeof put>>): void {
    expect([status, body.code]).toEqual([507, 'insufficient_storage']);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
  }

  it('of a file without room for it, return 507 before any of it is stored', async () => {
    const before = freeBytes();
    expectFull(await put('declared/video.mp4', createVideo(20 * megabyte)));
    expect([listTree(), freeBytes()]).toEqual([[], before]);
  });

  it('that fill the disk in the middle of a file, return 507 and leave nothing', async () => {
    const before = freeBytes();
    expectFull(await put('streamed/video.mp4', inPieces(createVideo(20 * megabyte))));
    expect(listTree()).toEqual([]);
    await vi.waitFor(() => expect(freeBytes()).toBe(before));
  });

  it('of a part, when others fill the disk meanwhile, return 507 and keep what was acknowledged', async () => {
    const video = createVideo(4 * megabyte);
    const range = (from: number, to: number) => ({
      'content-range': `bytes ${from}-${to - 1}/${video.length}`,
    });
    expect((await put('part/video.mp4', video.subarray(0, megabyte), range(0, megabyte))).status).toBe(202);
    const fill = async () => {
      // What was sent has reached the disk by then, or it is refused as well.
      await pause(200);
      fillDisk(65_536);
    };
    const rest = inPieces(video.subarray(megabyte), fill);
    expectFull(await put('part/video.mp4', rest, range(megabyte, video.length)));
    const state = await fetch(urlOf('part/video.mp4'), { method: 'HEAD' });
    expect(state.headers.get('upload-offset')).toBe(String(megabyte));
    rmSync(ballast);
    expect(
      (await put('part/video.mp4', video.subarray(megabyte), range(megabyte, video.length))).status,
    ).toBe(201);
    expect(readFileSync(join(recordingsDir, 'part/video.mp4')).equals(video)).toBe(true);
    expect(listTree()).toEqual(['part', 'part/video.mp4']);
  });

  it('with space again, store what was refused', async () => {
    rmSync(join(recordingsDir, 'part'), { recursive: true });
    fillDisk(0);
    const video = createVideo(3 * megabyte);
    expectFull(await put('again/video.mp4', video));
    expect(listTree()).toEqual([]);
    rmSync(ballast);
    const digest = createHash('sha256').update(video).digest('base64');
    expect((await put('again/video.mp4', video, { 'content-digest': `sha-256=:${digest}:` })).status).toBe(
      201,
    );
    expect(existsSync(join(recordingsDir, 'again/video.mp4'))).toBe(true);
  });
});
