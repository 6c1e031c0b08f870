import { existsSync, readFileSync, statSync } from 'node:fs';
import { appendFile, rename, rm, writeFile } from 'node:fs/promises';
import { posterFile } from '@birdhub/domain/media';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestMedia, type TestMedia, testPicture, testTone } from '../testing/create-test-media.js';
import { createMediaTools } from './media-tools.js';
import { createMediaRepairJob, createVideoInspector } from './video-inspector.js';

const film = [...testPicture, '-c:v', 'libx264'];

/** Extends an MP4 by a box that players skip. */
async function padMp4(file: string, bytes: number): Promise<void> {
  const box = Buffer.alloc(bytes - statSync(file).size);
  box.writeUInt32BE(box.length);
  box.write('free', 4);
  await appendFile(file, box);
}

describe('repairing media', () => {
  let hub: TestMedia;
  let path: string;
  let count = 0;

  beforeAll(async () => {
    hub = await createTestMedia();
  });
  beforeEach(() => {
    count += 1;
    path = `${count}/video.mp4`;
  });
  afterAll(() => hub.close());

  const post = () => hub.post({ start: Date.UTC(2026, 4, count, 8), videoPath: path });
  const repair = (videoId: number, force = false, given: Partial<TestMedia> = {}) => {
    const inspect = createVideoInspector({ ...hub, ...given });
    const { signal } = new AbortController();
    return createMediaRepairJob({ ...hub, inspect }).work(videoId, { force, signal });
  };
  const mediaOf = async (videoId: number) => (await hub.row(videoId)).media;

  it('a recording marked missing whose file is there, is ready with a poster, once', async () => {
    await hub.makeFile(path, film);
    const id = await post();
    await hub.writer.saveFileStates([{ videoId: id, state: 'missing' }]);
    expect(await repair(id)).toEqual({ outcome: 'generated' });
    expect([await mediaOf(id), existsSync(posterFile(hub.dataDir, id))]).toEqual(['ready', true]);
    expect(await repair(id)).toEqual({ outcome: 'skipped' });
    expect(await repair(id, true)).toEqual({ outcome: 'generated' });
  });

  it('a lost poster, is made again', async () => {
    await hub.makeFile(path, film);
    const id = await post();
    await repair(id);
    await rm(posterFile(hub.dataDir, id));
    expect(await repair(id)).toEqual({ outcome: 'generated' });
    expect(existsSync(posterFile(hub.dataDir, id))).toBe(true);
  });

  it('a file replaced by one of the same size, has another poster', async () => {
    const size = 100_000;
    const options = { signal: new AbortController().signal };
    const file = await hub.makeFile(path, film);
    await padMp4(file, size);
    const id = await post();
    // Late enough for files to count as complete.
    const clock = { now: () => hub.clock.now() + 60_000 };
    const inspect = createVideoInspector({ ...hub, clock });
    await inspect(id, options);
    const before = readFileSync(posterFile(hub.dataDir, id));
    await hub.makeFile(path, ['-f', 'lavfi', '-i', 'color=red:s=160x120:r=10:d=2', '-c:v', 'libx264']);
    await padMp4(file, size);
    await inspect(id, options);
    expect(readFileSync(posterFile(hub.dataDir, id)).equals(before)).toBe(false);
  });

  it('an audio recording, is ready with a poster', async () => {
    await hub.makeFile(path, testTone);
    const id = await post();
    expect(await repair(id)).toEqual({ outcome: 'generated' });
    expect(await repair(id)).toEqual({ outcome: 'skipped' });
    expect(await mediaOf(id)).toBe('ready');
    expect(existsSync(posterFile(hub.dataDir, id))).toBe(true);
  });

  it('a file deleted outside the hub, fails and is missing from then on', async () => {
    const file = await hub.makeFile(path, film);
    const id = await post();
    await repair(id);
    await rm(file);
    expect(await repair(id)).toMatchObject({ outcome: 'failed', reason: { code: 'file_missing' } });
    expect(await mediaOf(id)).toBe('missing');
  });

  it('a disk that is not mounted, fails the job and leaves recordings unchanged', async () => {
    await hub.makeFile(path, film);
    const id = await post();
    await repair(id);
    const overdue = await hub.post({ start: Date.UTC(2026, 4, count, 9), videoPath: `${count}/overdue.mp4` });
    const late = { clock: { now: () => Date.now() + 2 * 86_400_000 } };
    await rename(hub.recordingsDir, `${hub.recordingsDir}-away`);
    const problem = { sentences: [{ code: 'recordings_absent' }] };
    await expect(repair(id)).rejects.toMatchObject(problem);
    await expect(repair(overdue, false, late)).rejects.toMatchObject(problem);
    await rename(`${hub.recordingsDir}-away`, hub.recordingsDir);
    expect([await mediaOf(id), await mediaOf(overdue)]).toEqual(['ready', 'pending']);
    expect(await repair(overdue, false, late)).toMatchObject({ outcome: 'failed' });
    expect(await mediaOf(overdue)).toBe('missing');
  });

  it('a file that has not arrived, stays awaited', async () => {
    const id = await post();
    expect(await repair(id)).toEqual({ outcome: 'skipped' });
    expect(await mediaOf(id)).toBe('pending');
  });

  it('an unreadable file, fails', async () => {
    const file = await hub.makeFile(path, film);
    await writeFile(file, 'nothing that anybody could play');
    const id = await post();
    expect(await repair(id)).toEqual({ outcome: 'skipped' });
    await hub.age(file);
    expect(await repair(id)).toMatchObject({ outcome: 'failed', reason: { code: 'file_unreadable' } });
    expect(await mediaOf(id)).toBe('missing');
  });

  it('without the programs, fails, and the file is ready all the same', async () => {
    await hub.makeFile(path, film);
    const id = await post();
    const tools = createMediaTools({ ffmpegPath: '/no/ffmpeg', ffprobePath: '/no/ffprobe' }, 1);
    expect(await repair(id, false, { tools })).toMatchObject({ outcome: 'failed' });
    expect(await mediaOf(id)).toBe('ready');
  });

  it('a deleted or purged recording, is skipped', async () => {
    expect(await repair(4_711)).toEqual({ outcome: 'skipped' });
  });
});
