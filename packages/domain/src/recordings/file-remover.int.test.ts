import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  aRecording,
  createTestDatabase,
  createTestWriter,
  type TestDatabase,
  type TestWriter,
  testAuthor,
} from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { derivedFolder } from '../media/derived-files.js';
import { FileRemover } from './file-remover.js';

describe('file remover', () => {
  let database: TestDatabase;
  let hub: TestWriter;
  let folder: string;
  let recordingsDir: string;
  let remover: FileRemover;
  const warned: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void warned.push(line) });

  beforeAll(async () => {
    database = await createTestDatabase();
    hub = createTestWriter(database.pool);
    folder = await mkdtemp(join(tmpdir(), 'birdhub-removal-'));
    recordingsDir = join(folder, 'recordings');
    await mkdir(recordingsDir);
    await symlink(folder, join(recordingsDir, 'out'));
    remover = new FileRemover({ pool: database.pool, recordingsDir, dataDir: folder, log });
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  async function place(path: string): Promise<string> {
    const whole = join(recordingsDir, path);
    await mkdir(dirname(whole), { recursive: true });
    await writeFile(whole, 'film');
    return whole;
  }

  async function post(given: Parameters<typeof aRecording>[0]): Promise<number> {
    return (await hub.writer.post(aRecording(given), 'test')).videoId;
  }

  const ask = (path: string) => database.pool.query('INSERT INTO file_removal (path) VALUES ($1)', [path]);

  async function waiting(): Promise<string[]> {
    const { rows } = await database.pool.query<{ path: string }>('SELECT path FROM file_removal ORDER BY id');
    return rows.map((row) => row.path);
  }

  it('derived files of a deleted recording, are removed, those of others are not', async () => {
    const videoId = await post({ videoPath: 'made/video.mp4' });
    const crops = [videoId, videoId + 1].map((id) => join(derivedFolder(folder, 'crops', id), '1-crop.jpg'));
    for (const file of crops) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, 'bird');
    }
    await hub.writer.remove(videoId, testAuthor);
    await remover.removeAll();
    expect([crops.map(existsSync), await waiting()]).toEqual([[false, true], []]);
  });

  it('the folder of a recording, is removed with its last file', async () => {
    await Promise.all([place('own/1/video.mp4'), place('own/1/spectrogram.jpg'), place('own/2/video.mp4')]);
    await ask('own/1/video.mp4');
    await remover.removeAll();
    expect(existsSync(join(recordingsDir, 'own/1'))).toBe(true);
    await ask('own/1/spectrogram.jpg');
    await remover.removeAll();
    expect(['own/1', 'own/2', 'own'].map((path) => existsSync(join(recordingsDir, path)))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('a restart after a kill between the commit and the removal, removes the files', async () => {
    const files = await Promise.all([place('a/video.mp4'), place('a/spectrogram.jpg')]);
    const spectrogramPath = 'data/recordings/a/spectrogram.jpg';
    const videoId = await post({ videoPath: 'a/video.mp4', spectrogramPath });
    await hub.writer.remove(videoId, testAuthor);
    expect(files.map(existsSync)).toEqual([true, true]);
    const restarted = new FileRemover({ pool: database.pool, recordingsDir, dataDir: folder, log });
    restarted.start();
    await vi.waitUntil(async () => (await waiting()).length === 0);
    await restarted.stop();
    expect(files.map(existsSync)).toEqual([false, false]);
  });

  it('a file that two cameras share, is removed with the last recording', async () => {
    const file = await place('shared.mp4');
    const north = await post({ videoPath: 'shared.mp4', cameraId: 'north' });
    const south = await post({ videoPath: 'data/recordings/shared.mp4', cameraId: '' });
    await hub.writer.remove(north, testAuthor);
    await remover.removeLatest();
    expect([existsSync(file), await waiting()]).toEqual([true, []]);
    await hub.writer.remove(south, testAuthor);
    await remover.removeLatest();
    expect([existsSync(file), await waiting()]).toEqual([false, []]);
  });

  it('a deleted recording whose path has the public folder twice, loses its own file and not another', async () => {
    const [own, other] = [await place('data/recordings/twice.mp4'), await place('twice.mp4')];
    const doubled = await post({ videoPath: 'data/recordings/data/recordings/twice.mp4' });
    await post({ videoPath: 'data/recordings/twice.mp4' });
    await hub.writer.remove(doubled, testAuthor);
    await remover.removeLatest();
    expect([existsSync(own), existsSync(other)]).toEqual([false, true]);
  });

  it('a purged recording whose path has the public folder twice, loses its own file and not another', async () => {
    const [own, other] = [await place('data/recordings/cleared-twice.mp4'), await place('cleared-twice.mp4')];
    const id = await post({ videoPath: 'data/recordings/data/recordings/cleared-twice.mp4' });
    await post({ videoPath: 'data/recordings/cleared-twice.mp4' });
    const recordings = [{ id, sizeBytes: 4 }];
    await hub.writer.purge({ recordings, includeFavorites: false }, 'test');
    await remover.removeLatest();
    expect([existsSync(own), existsSync(other)]).toEqual([false, true]);
  });

  it('a spectrogram that another recording uses, is kept', async () => {
    const file = await place('day.jpg');
    const first = await post({ videoPath: 'first.mp4', spectrogramPath: 'day.jpg' });
    await post({ videoPath: 'second.mp4', spectrogramPath: 'data/recordings/day.jpg' });
    await hub.writer.remove(first, testAuthor);
    await remover.removeLatest();
    expect([existsSync(file), await waiting()]).toEqual([true, []]);
  });

  it('a spectrogram made after the deletion of its recording, is removed unless another recording uses it', async () => {
    const [named, own] = [await place('named.jpg'), await place('own.jpg')];
    const gone = await post({ videoPath: 'gone.mp4', cameraId: 'north' });
    await post({ videoPath: 'gone.mp4', cameraId: 'south', spectrogramPath: 'named.jpg' });
    await hub.writer.remove(gone, testAuthor);
    for (const path of ['data/recordings/named.jpg', 'own.jpg']) await hub.writer.saveSpectrogram(gone, path);
    await remover.removeAll();
    expect([existsSync(named), existsSync(own), await waiting()]).toEqual([true, false, []]);
  });

  it('a recording whose files were purged, does not keep a file that it names', async () => {
    const file = await place('cleared.mp4');
    const id = await post({ videoPath: 'cleared.mp4' });
    await database.pool.query(`UPDATE video SET media = 'purged' WHERE id = $1`, [id]);
    await ask('cleared.mp4');
    await remover.removeLatest();
    expect(existsSync(file)).toBe(false);
  });

  it('missing files, count as removed', async () => {
    await place('plain.mp4');
    for (const path of ['gone.mp4', 'no/such/folder.mp4', 'plain.mp4/inside.mp4']) await ask(path);
    await remover.removeLatest();
    expect(await waiting()).toEqual([]);
  });

  it.each(['../outside.mp4', '/outside.mp4', 'out/outside.mp4', 'folder.mp4'])(
    '%s, is not removed, and a warning is logged',
    async (path) => {
      const outside = join(folder, 'outside.mp4');
      await writeFile(outside, 'film');
      await mkdir(join(recordingsDir, 'folder.mp4'), { recursive: true });
      warned.length = 0;
      await ask(path);
      await remover.removeLatest();
      expect([existsSync(outside), existsSync(join(recordingsDir, 'folder.mp4'))]).toEqual([true, true]);
      expect(await waiting()).toEqual([]);
      expect(warned).toHaveLength(1);
    },
  );

  it('a link to a file, is removed, its target is not', async () => {
    const outside = join(folder, 'linked.mp4');
    await writeFile(outside, 'film');
    await symlink(outside, join(recordingsDir, 'link.mp4'));
    await ask('link.mp4');
    await remover.removeLatest();
    expect([existsSync(outside), existsSync(join(recordingsDir, 'link.mp4'))]).toEqual([true, false]);
  });

  it('an unavailable disk, leaves the removal to be retried', async () => {
    const file = await place('later.mp4');
    await rename(recordingsDir, `${recordingsDir}-away`);
    await ask('later.mp4');
    await remover.removeLatest();
    await rename(`${recordingsDir}-away`, recordingsDir);
    expect([existsSync(file), await waiting()]).toEqual([true, ['later.mp4']]);
    await remover.removeLatest();
    expect(existsSync(file)).toBe(true);
    await database.pool.query(`UPDATE file_removal SET tried_at = now() - interval '11 minutes'`);
    await remover.removeLatest();
    expect([existsSync(file), await waiting()]).toEqual([false, []]);
  });

  it('a disk that is not mounted, leaves an empty folder and the removal to be retried', async () => {
    const file = await place('mounted/1.mp4');
    await place('mounted/2.mp4');
    const [id] = [await post({ videoPath: 'mounted/1.mp4' }), await post({ videoPath: 'mounted/2.mp4' })];
    await database.pool.query(`UPDATE video SET media = 'ready' WHERE video_path LIKE '%mounted/%'`);
    await rename(recordingsDir, `${recordingsDir}-away`);
    await mkdir(recordingsDir);
    await hub.writer.remove(id, testAuthor);
    await remover.removeAll();
    await rmdir(recordingsDir);
    await rename(`${recordingsDir}-away`, recordingsDir);
    expect([existsSync(file), await waiting()]).toEqual([true, ['mounted/1.mp4']]);
    await database.pool.query(`UPDATE file_removal SET tried_at = now() - interval '11 minutes'`);
    await remover.removeAll();
    expect([existsSync(file), await waiting()]).toEqual([false, []]);
  });

  it('a file that cannot be removed, keeps no other one from being removed, and is logged once', async () => {
    const blocked = await place('blocked/video.mp4');
    const others = await Promise.all([place('x/1.mp4'), place('x/2.mp4')]);
    // The pool cannot lock the folder itself, as the tests may run as root: a folder of derived files is in its place.
    const bad = new FileRemover({
      pool: database.pool,
      recordingsDir,
      dataDir: join(blocked, 'no-folder'),
      log,
    });
    warned.length = 0;
    await ask('x/1.mp4');
    await database.pool.query('INSERT INTO file_removal (derived_of) VALUES (4711)');
    await ask('x/2.mp4');
    await bad.removeAll();
    expect([others.map(existsSync), await waiting()]).toEqual([[false, false], [null]]);
    await database.pool.query(`UPDATE file_removal SET tried_at = now() - interval '11 minutes'`);
    await bad.removeAll();
    expect(warned.map((line) => JSON.parse(line))).toMatchObject([
      { derivedOf: 4711, err: { code: 'ENOTDIR' } },
    ]);
    await database.pool.query('DELETE FROM file_removal');
    const { rows } = await database.pool.query(
      `SELECT removed_at > now() - interval '1 minute' AS "isNew" FROM storage_state`,
    );
    expect(rows).toEqual([{ isNew: true }]);
  });

  it('a path that is not in the recordings tree, is one from which nothing can be removed', async () => {
    expect(await remover.canRemove('../outside.mp4')).toBe(false);
  });

  it('a missing folder, is one from which nothing can be removed, a missing file is not', async () => {
    await place('open/2.mp4');
    const paths = ['data/recordings/no-folder/1.mp4', 'open/2.mp4/1.mp4', 'open/2.mp4', 'open/gone.mp4'];
    expect(await Promise.all(paths.map((path) => remover.canRemove(path)))).toEqual([
      ...[false, false],
      ...[true, true],
    ]);
  });

  it.skipIf(process.getuid?.() === 0)(
    'a folder that the hub may not change, is logged once with its first path, others can be changed',
    async () => {
      for (const path of ['locked/1.mp4', 'locked/2.mp4', 'open/1.mp4']) await place(path);
      await chmod(join(recordingsDir, 'locked'), 0o555);
      warned.length = 0;
      const paths = ['data/recordings/locked/1.mp4', 'locked/2.mp4', 'open/1.mp4'];
      const found = await Promise.all(paths.map((path) => remover.canRemove(path)));
      await chmod(join(recordingsDir, 'locked'), 0o755);
      expect([found, warned.length]).toEqual([[false, false, true], 1]);
    },
  );

  it('several removers at once, leave no file and no row', async () => {
    const files = await Promise.all(Array.from({ length: 120 }, (_, index) => place(`many/${index}.mp4`)));
    for (let index = 0; index < files.length; index += 1) await ask(`many/${index}.mp4`);
    const others = Array.from(
      { length: 3 },
      () => new FileRemover({ pool: database.pool, recordingsDir, dataDir: folder, log }),
    );
    for (const other of others) other.start();
    await vi.waitUntil(async () => (await waiting()).length === 0, 30_000);
    await Promise.all(others.map((other) => other.stop()));
    expect(files.filter(existsSync)).toEqual([]);
  });
});
