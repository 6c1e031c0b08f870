import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestWriter } from '@birdhub/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createImportFixture, type ImportFixture } from '../testing/import-fixture.js';
import { anOldVideo, buildOldHub, firstLayout } from '../testing/old-hub.js';

let hub: ImportFixture;
beforeEach(async () => {
  hub = await createImportFixture();
});
afterEach(() => hub.drop());

describe('files of an old hub', () => {
  it('files of recordings, are hard links to the old ones; another file at the same path is kept', async () => {
    buildOldHub(hub.file, firstLayout, [
      ['species', { id: 1, name: 'Great Tit' }],
      anOldVideo(1, 0, { spectrogram_path: 'data/recordings/2025/05/01/1/spectrogram.jpg' }),
      anOldVideo(2, 1, { video_path: '/app/data/recordings/2025/05/01/2/video.mp4' }),
      anOldVideo(3, 2),
    ]);
    hub.writeOldFile('2025/05/01/1/video.mp4', 'one');
    hub.writeOldFile('2025/05/01/1/spectrogram.jpg', 'picture');
    hub.writeOldFile('data/recordings/2025/05/01/2/video.mp4', 'two');
    hub.writeOldFile('2025/05/01/3/video.mp4', 'three');
    const ours = (path: string) => join(hub.folder, 'recordings/2025/05/01', path);
    mkdirSync(ours('3'), { recursive: true });
    writeFileSync(ours('3/video.mp4'), 'something else');
    const report = await hub.importNow();
    expect(report.skipped()).toEqual({ 'another file has the same path': 1 });
    expect(await hub.rowsOf('SELECT id, media, file_size FROM video ORDER BY id')).toEqual([
      { id: 1, media: 'ready', file_size: 3 },
      { id: 2, media: 'ready', file_size: 3 },
    ]);
    expect(readFileSync(ours('1/spectrogram.jpg'), 'utf8')).toBe('picture');
    expect(readFileSync(ours('3/video.mp4'), 'utf8')).toBe('something else');
    expect(statSync(ours('1/video.mp4')).ino).toBe(
      statSync(join(hub.folder, 'old/2025/05/01/1/video.mp4')).ino,
    );
  });

  it('files that appear after the first import, are linked by the second, except those of deleted recordings', async () => {
    buildOldHub(hub.file, firstLayout, [anOldVideo(1, 0), anOldVideo(2, 1)]);
    expect((await hub.importNow()).counted('files missing')).toBe(2);
    await createTestWriter(hub.pool).writer.remove(2, { role: 'admin', requestId: 'test' });
    hub.writeOldFile('2025/05/01/1/video.mp4', 'one');
    hub.writeOldFile('2025/05/01/2/video.mp4', 'two');
    const report = await hub.importNow();
    expect([report.counted('files imported'), report.skipped()]).toEqual([1, { 'it was deleted here': 1 }]);
    expect(await hub.rowsOf('SELECT id, media FROM video')).toEqual([{ id: 1, media: 'ready' }]);
  });

  it('links that lead out of the folder, are reported and not followed', async () => {
    buildOldHub(hub.file, firstLayout, [
      anOldVideo(1, 0, { spectrogram_path: 'data/recordings/2025/05/01/1/spectrogram.jpg' }),
    ]);
    hub.writeOldFile('2025/05/01/1/readme.txt', 'plain');
    for (const name of ['video.mp4', 'spectrogram.jpg']) {
      writeFileSync(join(hub.folder, name), 'secret');
      symlinkSync(join(hub.folder, name), join(hub.folder, 'old/2025/05/01/1', name));
    }
    const report = await hub.importNow();
    expect(report.skipped()).toEqual({ 'a file outside the folder was not imported': 2 });
    expect(report.lines().join('\n')).toContain('data/recordings/2025/05/01/1/video.mp4');
    expect(await hub.rowsOf('SELECT id, media FROM video')).toEqual([{ id: 1, media: 'missing' }]);
    const taken = readdirSync(hub.recordingsDir, { recursive: true, withFileTypes: true });
    expect(taken.filter((entry) => !entry.isDirectory())).toEqual([]);
  });

  it('the recordings folder of this hub itself, is used in place', async () => {
    buildOldHub(hub.file, firstLayout, [anOldVideo(1, 0)]);
    const recordingsDir = join(hub.folder, 'recordings');
    mkdirSync(join(recordingsDir, '2025/05/01/1'), { recursive: true });
    writeFileSync(join(recordingsDir, '2025/05/01/1/video.mp4'), 'one');
    const report = await hub.importNow({ trees: { from: recordingsDir, recordingsDir } });
    expect([report.counted('files already present'), report.counted('files imported')]).toEqual([1, 0]);
  });
});
