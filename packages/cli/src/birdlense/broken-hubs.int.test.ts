import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createImportFixture, type ImportFixture } from '../testing/import-fixture.js';
import {
  anOldDetection,
  anOldVideo,
  buildOldHub,
  firstLayout,
  laterLayout,
  theFamily,
} from '../testing/old-hub.js';

let hub: ImportFixture;
beforeEach(async () => {
  hub = await createImportFixture();
});
afterEach(() => hub.drop());

describe('damaged or unusual databases', () => {
  it('invalid rows, are skipped with a reason, and the rest is imported', async () => {
    buildOldHub(hub.file, firstLayout + laterLayout, [
      ...theFamily,
      anOldVideo(1, 0),
      anOldDetection(1, 1, 900_003),
      anOldDetection(2, 1, 900_003, { confidence: 1.5 }),
      anOldDetection(3, 1, 900_003, { start_time: 3, end_time: 2 }),
      anOldDetection(4, 1, 900_003, { start_time: 3, end_time: 200 }),
      anOldDetection(5, 1, 12_345),
      anOldDetection(6, 1, 900_003, { source: 'smell' }),
      anOldDetection(7, 1, 900_003, { start_time: null }),
      anOldDetection(8, 1, 900_003, { confidence: 0.01 }),
      anOldDetection(9, 1, 900_003, { frames: '[{"t":' }),
      anOldVideo(2, 1, { end_time: '2025-05-01 07:00:00.000000' }),
      anOldVideo(3, 2, { start_time: 'yesterday' }),
      anOldVideo(4, 3, { start_time: '1970-01-01 00:00:00' }),
      anOldVideo(5, 4, { end_time: '2025-05-03 08:00:00' }),
      anOldVideo(6, 5, { video_path: 'data/recordings/../../secret.mp4' }),
      anOldVideo(7, 6, { deleted_at: '2025-05-02 08:00:00' }),
      anOldVideo(8, 7, { video_path: 'data/recordings/2025/05/01/1/video.mp4' }),
      anOldDetection(10, 99, 900_003),
    ]);
    const report = await hub.importNow();
    expect(report.skipped()).toEqual({
      'a detection has no confidence from 0 to 1': 1,
      'a detection has times that are negative or swapped': 1,
      'a detection is after the end of its recording': 1,
      'a detection has no species in the file': 1,
      'a detection has a source other than video and audio': 1,
      'a detection has no times': 1,
      'a detection is below detection.min_confidence_to_store': 1,
      'a detection belongs to a recording that is not in the file': 1,
      'it ends before it starts': 1,
      'its times cannot be read': 1,
      'it is before 2000 or in the future': 1,
      'it is longer than 24 hours': 1,
      'its path is not in a recordings folder': 1,
      'it was deleted in the old hub': 1,
      'another recording has the same path': 1,
    });
    expect(await hub.rowsOf('SELECT id FROM detection ORDER BY id')).toEqual([{ id: 1 }, { id: 9 }]);
    expect(report.lines().join('\n')).toContain('1  it ends before it starts (2)');
  });

  it('a database with rows only in its write-ahead log, is read with them and left unchanged', async () => {
    const open = join(hub.folder, 'open.db');
    const layout = `PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; ${firstLayout}`;
    buildOldHub(open, layout, [anOldVideo(1, 0)], () => {
      cpSync(open, hub.file);
      cpSync(`${open}-wal`, `${hub.file}-wal`);
    });
    const before = readFileSync(`${hub.file}-wal`);
    expect(before.length).toBeGreaterThan(0);
    expect((await hub.importNow()).counted('recordings')).toBe(1);
    expect(readFileSync(`${hub.file}-wal`)).toEqual(before);
  });

  it('a file that is not a BirdLense database, is refused with the reason', async () => {
    await expect(hub.importNow()).rejects.toThrow(`There is no file ${hub.file}.`);
    writeFileSync(hub.file, 'a text, and a long one'.repeat(100));
    await expect(hub.importNow()).rejects.toThrow(
      'cannot be read as a SQLite database: file is not a database.',
    );
    rmSync(hub.file);
    buildOldHub(hub.file, 'CREATE TABLE video (id INTEGER, title TEXT)');
    await expect(hub.importNow()).rejects.toThrow(
      'is not a database of a BirdLense hub: its table video has no start_time, end_time, video_path.',
    );
    rmSync(hub.file);
    buildOldHub(hub.file, 'CREATE TABLE films (id INTEGER)');
    await expect(hub.importNow()).rejects.toThrow(
      'is not a database of a BirdLense hub: it has no table video.',
    );
  });

  it('an empty database of this hub, is migrated first', async () => {
    buildOldHub(hub.file, firstLayout, [anOldVideo(1, 0)]);
    await hub.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    expect((await hub.importNow()).counted('recordings')).toBe(1);
  });
});

describe('copies left by a killed import', () => {
  it('a copy of two days ago, is removed by the next import, a recent one is kept', async () => {
    const [old, recent] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'birdhub-import-'))) as [
      string,
      string,
    ];
    const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 60 * 60;
    utimesSync(old, twoDaysAgo, twoDaysAgo);
    buildOldHub(hub.file, firstLayout);
    await hub.importNow();
    expect([existsSync(old), existsSync(recent)]).toEqual([false, true]);
    rmSync(recent, { recursive: true });
  });
});
