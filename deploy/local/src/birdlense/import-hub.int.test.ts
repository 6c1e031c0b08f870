import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  aDetection,
  aRecording,
  createTestDatabase,
  createTestWriter,
  readExpectedState,
  readStoredState,
  type TestDatabase,
} from '@birdhub/shared/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anOldDetection, anOldVideo, buildOldHub, firstLayout, laterLayout } from '../testing/old-hub.js';
import { type Import, importHub } from './import-hub.js';

let database: TestDatabase;
let folder: string;
let file: string;

beforeEach(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'birdhub-old-'));
  file = join(folder, 'birdlense.db');
  mkdirSync(join(folder, 'recordings'));
});

afterEach(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

const importNow = (given: Partial<Import> = {}) =>
  importHub(database.url, {
    file,
    trees: { from: join(folder, 'old'), recordingsDir: join(folder, 'recordings') },
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...given,
  });

const rowsOf = async (sql: string) => (await database.pool.query(sql)).rows;

function writeOldFile(path: string, content: string): void {
  mkdirSync(dirname(join(folder, 'old', path)), { recursive: true });
  writeFileSync(join(folder, 'old', path), content);
}

const theFamily = [
  ['species', { id: 900_001, name: 'Garden Birds' }],
  ['species', { id: 900_002, name: 'Spotted Testbird', parent_id: 900_001, active: 1, description: 'Rare.' }],
  ['species', { id: 900_003, name: 'Great Tit' }],
  ['species', { id: 900_004, name: 'Nobody Saw It' }],
  ['bird_food', { id: 500, name: 'Nuts of the old hub', active: 1 }],
] as const;

const twoVisits = [
  ...theFamily,
  anOldVideo(7001, 0, {
    favorite: 1,
    camera_id: 'garden',
    weather_main: 'Rain',
    weather_temp: 11.5,
    scales_weight_delta_kg: 0.02,
  }),
  anOldDetection(8001, 7001, 900_003, {
    track_id: 4,
    frames: '[{"t":0.5,"bbox":[0.1,0.2,0.3,0.4]},{"t":1}]',
  }),
  anOldDetection(8002, 7001, 900_003, { track_id: 5, confidence: 0.01, manually_corrected: 1 }),
  anOldVideo(7002, 30),
  anOldDetection(8003, 7002, 900_002, { source: 'audio', individual_nickname: 'Bob' }),
  anOldVideo(7003, 40),
  ['video_bird_food_association', { video_id: 7001, birdfood_id: 500 }],
] as const;

describe('importHub', () => {
  it('a hub of today, is here with its ids, reviews, food, weather, boxes and visits', async () => {
    buildOldHub(file, firstLayout + laterLayout, twoVisits);
    const report = await importNow();
    expect(report.skipped()).toEqual({});
    expect(await rowsOf('SELECT id, camera_id, favorite, media, extra FROM video ORDER BY id')).toEqual([
      {
        id: 7001,
        camera_id: 'garden',
        favorite: true,
        media: 'missing',
        extra: { scales_weight_delta_kg: 0.02 },
      },
      { id: 7002, camera_id: '', favorite: false, media: 'missing', extra: null },
      { id: 7003, camera_id: '', favorite: false, media: 'missing', extra: null },
    ]);
    expect(
      await rowsOf(`SELECT detection.id, video_id, name, source, track_id, reviewed, reviewed_at IS NOT NULL AS dated,
        detection.extra, frames FROM detection JOIN species ON species.id = species_id
        LEFT JOIN detection_track ON detection_id = detection.id ORDER BY 1`),
    ).toMatchObject([
      { id: 8001, video_id: 7001, name: 'Great Tit', track_id: '4', reviewed: false, dated: false },
      {
        id: 8002,
        video_id: 7001,
        name: 'Great Tit',
        track_id: '5',
        reviewed: true,
        dated: true,
        frames: null,
      },
      {
        id: 8003,
        video_id: 7002,
        name: 'Spotted Testbird',
        source: 'audio',
        extra: { individual_nickname: 'Bob' },
      },
    ]);
    expect(await rowsOf('SELECT frames FROM detection_track')).toEqual([
      { frames: [{ t: 0.5, bbox: [0.1, 0.2, 0.3, 0.4] }] },
    ]);
    expect(
      await rowsOf(
        `SELECT start_time, created_at, main, temp, bird_food.id AS food FROM video
        JOIN weather_snapshot ON weather_snapshot.id = weather_id JOIN video_food ON video_id = video.id
        JOIN bird_food ON bird_food.id = food_id`.replace('created_at', 'video.created_at'),
      ),
    ).toEqual([
      {
        start_time: new Date('2025-05-01T08:00:00Z'),
        created_at: new Date('2025-05-01T08:00:12Z'),
        main: 'Rain',
        temp: 11.5,
        food: 500,
      },
    ]);
    expect(
      await rowsOf(
        'SELECT id, name, parent_id, active, description FROM species WHERE id > 900000 ORDER BY id',
      ),
    ).toEqual([
      { id: 900_001, name: 'Garden Birds', parent_id: null, active: false, description: null },
      { id: 900_002, name: 'Spotted Testbird', parent_id: 900_001, active: true, description: 'Rare.' },
    ]);
    const stored = await readStoredState(database.pool);
    expect(stored).toEqual(await readExpectedState(database.pool));
    expect(stored.visits.map(({ maxSimultaneous }) => maxSimultaneous)).toEqual([2, 1]);
  });

  it('the same hub again, is known and changes nothing', async () => {
    buildOldHub(file, firstLayout + laterLayout, twoVisits);
    await importNow();
    const tables = [
      'video',
      'detection',
      'species',
      'bird_food',
      'video_food',
      'weather_snapshot',
      'activity_log',
    ];
    const read = () => Promise.all(tables.map((table) => rowsOf(`SELECT * FROM ${table} ORDER BY 1, 2`)));
    const before = await read();
    const report = await importNow();
    expect([report.taken('recordings'), report.taken('recordings known')]).toEqual([0, 3]);
    expect(await read()).toEqual(before);
  });

  it('ids that this hub has given out, are new ones; what comes later takes none of the old', async () => {
    const { writer } = createTestWriter(database.pool);
    const own = await writer.post(aRecording(), 'test');
    buildOldHub(file, firstLayout, [
      ['species', { id: 1, name: 'Great Tit' }],
      anOldVideo(own.videoId, 0),
      anOldDetection(1, own.videoId, 1),
      anOldVideo(own.videoId + 1, 10),
    ]);
    const report = await importNow();
    expect(report.taken('recordings with another id')).toBe(1);
    const later = await writer.post(
      aRecording({ videoPath: 'later.mp4', detections: [aDetection({ startOffset: 1 })] }),
      'test',
    );
    const ids = (await rowsOf('SELECT id FROM video ORDER BY start_time, id')).map(({ id }) => id);
    const renamed = ids[0];
    expect(ids).toEqual([renamed, own.videoId + 1, own.videoId, later.videoId]);
    expect(renamed).toBeGreaterThan(own.videoId + 1);
    expect(later.videoId).toBeGreaterThan(renamed);
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
  });

  it('rows that are broken, are left out with the reason, and the rest is taken', async () => {
    buildOldHub(file, firstLayout + laterLayout, [
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
    const report = await importNow();
    expect(report.skipped()).toEqual({
      'a detection has no confidence from 0 to 1': 1,
      'a detection has times that are negative or swapped': 1,
      'a detection lies behind the end of its recording': 1,
      'a detection is of no species of the file': 1,
      'a detection is neither of picture nor of sound': 1,
      'a detection has no times': 1,
      'a detection is below detection.min_confidence_to_store': 1,
      'a detection is of a recording that is not in the file': 1,
      'it ends before it starts': 1,
      'its times cannot be read': 1,
      'it is before 2000 or in the future': 1,
      'it is longer than 24 hours': 1,
      'its path is not one of a recordings folder': 1,
      'it was deleted in the old hub': 1,
      'another recording has its path': 1,
    });
    expect(await rowsOf('SELECT id FROM detection ORDER BY id')).toEqual([{ id: 1 }, { id: 9 }]);
    expect(report.lines().join('\n')).toContain('1  it ends before it starts (2)');
  });

  it('files, are second names of the old ones; one of another size in the place is not mixed up', async () => {
    buildOldHub(file, firstLayout, [
      ['species', { id: 1, name: 'Great Tit' }],
      anOldVideo(1, 0, { spectrogram_path: 'data/recordings/2025/05/01/1/spectrogram.jpg' }),
      anOldVideo(2, 1, { video_path: '/app/data/recordings/2025/05/01/2/video.mp4' }),
      anOldVideo(3, 2),
    ]);
    writeOldFile('2025/05/01/1/video.mp4', 'one');
    writeOldFile('2025/05/01/1/spectrogram.jpg', 'picture');
    writeOldFile('data/recordings/2025/05/01/2/video.mp4', 'two');
    writeOldFile('2025/05/01/3/video.mp4', 'three');
    const ours = (path: string) => join(folder, 'recordings/2025/05/01', path);
    mkdirSync(ours('3'), { recursive: true });
    writeFileSync(ours('3/video.mp4'), 'something else');
    const report = await importNow();
    expect(report.skipped()).toEqual({ 'another file is in the place of its own': 1 });
    expect(await rowsOf('SELECT id, media, file_size FROM video ORDER BY id')).toEqual([
      { id: 1, media: 'ready', file_size: 3 },
      { id: 2, media: 'ready', file_size: 3 },
    ]);
    expect(readFileSync(ours('1/spectrogram.jpg'), 'utf8')).toBe('picture');
    expect(readFileSync(ours('3/video.mp4'), 'utf8')).toBe('something else');
    expect(statSync(ours('1/video.mp4')).ino).toBe(statSync(join(folder, 'old/2025/05/01/1/video.mp4')).ino);
  });

  it('files that are found only the second time, are taken then; those a person deleted are not', async () => {
    buildOldHub(file, firstLayout, [anOldVideo(1, 0), anOldVideo(2, 1)]);
    expect((await importNow()).taken('files missing')).toBe(2);
    await createTestWriter(database.pool).writer.remove(2, { role: 'admin', requestId: 'test' });
    writeOldFile('2025/05/01/1/video.mp4', 'one');
    writeOldFile('2025/05/01/2/video.mp4', 'two');
    const report = await importNow();
    expect([report.taken('files taken'), report.skipped()]).toEqual([1, { 'it was deleted here': 1 }]);
    expect(await rowsOf('SELECT id, media FROM video')).toEqual([{ id: 1, media: 'ready' }]);
  });

  it('the folder of this hub itself, is taken in place', async () => {
    buildOldHub(file, firstLayout, [anOldVideo(1, 0)]);
    const recordingsDir = join(folder, 'recordings');
    mkdirSync(join(recordingsDir, '2025/05/01/1'), { recursive: true });
    writeFileSync(join(recordingsDir, '2025/05/01/1/video.mp4'), 'one');
    const report = await importNow({ trees: { from: recordingsDir, recordingsDir } });
    expect([report.taken('files there'), report.taken('files taken')]).toEqual([1, 0]);
  });

  it('an import that is stopped in the middle, goes on with the ids that are left', async () => {
    const videos = Array.from({ length: 250 }, (_, index) => anOldVideo(index + 1, index));
    buildOldHub(file, firstLayout, videos);
    const stopping = new AbortController();
    const onProgress = () => stopping.abort(new Error('stopped'));
    await expect(importNow({ signal: stopping.signal, onProgress })).rejects.toThrow('stopped');
    expect(await rowsOf('SELECT count(*) FROM video')).toEqual([{ count: 200 }]);
    await importNow();
    expect(await rowsOf('SELECT count(*), max(id) FROM video')).toEqual([{ count: 250, max: 250 }]);
  });

  it('a database whose last rows are only in its log, is read with them and left as it is', async () => {
    const open = join(folder, 'open.db');
    const layout = `PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; ${firstLayout}`;
    buildOldHub(open, layout, [anOldVideo(1, 0)], () => {
      cpSync(open, file);
      cpSync(`${open}-wal`, `${file}-wal`);
    });
    const before = readFileSync(`${file}-wal`);
    expect(before.length).toBeGreaterThan(0);
    expect((await importNow()).taken('recordings')).toBe(1);
    expect(readFileSync(`${file}-wal`)).toEqual(before);
  });

  it('a file that is no such database, is named with what it lacks', async () => {
    await expect(importNow()).rejects.toThrow(`There is no file ${file}.`);
    writeFileSync(file, 'a text, and a long one'.repeat(100));
    await expect(importNow()).rejects.toThrow('cannot be read as a SQLite database: file is not a database.');
    rmSync(file);
    buildOldHub(file, 'CREATE TABLE video (id INTEGER, title TEXT)');
    await expect(importNow()).rejects.toThrow(
      'is no database of a BirdLense hub: its table video has no start_time, end_time, video_path.',
    );
    rmSync(file);
    buildOldHub(file, 'CREATE TABLE films (id INTEGER)');
    await expect(importNow()).rejects.toThrow('is no database of a BirdLense hub: it has no table video.');
  });
});
