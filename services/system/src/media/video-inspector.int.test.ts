import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { posterFile } from '@birdhub/domain/media';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestMedia, type TestMedia, testPicture, testTone } from '../testing/create-test-media.js';
import { createMediaTools } from './media-tools.js';
import { createMediaRepairJob, createVideoInspector } from './video-inspector.js';

const film = [...testPicture, '-c:v', 'libx264'];

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
  const repair = (videoId: number, force = false, tools = hub.tools) => {
    const inspect = createVideoInspector({ ...hub, tools });
    const { signal } = new AbortController();
    return createMediaRepairJob({ ...hub, inspect }).work(videoId, { force, signal });
  };
  const mediaOf = async (videoId: number) => (await hub.row(videoId)).media;

  it('a recording that was taken as missing and has its file, is ready with a poster, once', async () => {
    await hub.makeFile(path, film);
    const id = await post();
    await hub.writer.noteMedia([{ videoId: id, state: 'missing' }]);
    expect(await repair(id)).toEqual({ outcome: 'generated' });
    expect([await mediaOf(id), existsSync(posterFile(hub.dataDir, id))]).toEqual(['ready', true]);
    expect(await repair(id)).toEqual({ outcome: 'skipped' });
    expect(await repair(id, true)).toEqual({ outcome: 'generated' });
  });

  it('a poster that was lost, is made again', async () => {
    await hub.makeFile(path, film);
    const id = await post();
    await repair(id);
    await rm(posterFile(hub.dataDir, id));
    expect(await repair(id)).toEqual({ outcome: 'generated' });
    expect(existsSync(posterFile(hub.dataDir, id))).toBe(true);
  });

  it('sound alone, is ready with a poster', async () => {
    await hub.makeFile(path, testTone);
    const id = await post();
    expect(await repair(id)).toEqual({ outcome: 'generated' });
    expect(await repair(id)).toEqual({ outcome: 'skipped' });
    expect(await mediaOf(id)).toBe('ready');
    expect(existsSync(posterFile(hub.dataDir, id))).toBe(true);
  });

  it('a file that went without the hub, fails and is missing from then on', async () => {
    const file = await hub.makeFile(path, film);
    const id = await post();
    await repair(id);
    await rm(file);
    expect(await repair(id)).toEqual({ outcome: 'failed', reason: 'its file is not there' });
    expect(await mediaOf(id)).toBe('missing');
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
    expect(await repair(id)).toEqual({ outcome: 'failed', reason: 'its file cannot be read' });
    expect(await mediaOf(id)).toBe('missing');
  });

  it('without the programs, fails and the file is ready all the same', async () => {
    await hub.makeFile(path, film);
    const id = await post();
    const tools = createMediaTools({ ffmpegPath: '/no/ffmpeg', ffprobePath: '/no/ffprobe' }, 1);
    expect(await repair(id, false, tools)).toMatchObject({ outcome: 'failed' });
    expect(await mediaOf(id)).toBe('ready');
  });

  it('a recording that is gone or cleared, needs nothing', async () => {
    expect(await repair(4_711)).toEqual({ outcome: 'skipped' });
  });
});
