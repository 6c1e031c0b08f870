import {
  aDetection,
  aRecording,
  createTestWriter,
  readExpectedState,
  readStoredState,
} from '@birdhub/testing';
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
  it('a hub of the current version, is imported with its ids, reviews, food, weather, boxes and visits', async () => {
    buildOldHub(hub.file, firstLayout + laterLayout, twoVisits);
    const report = await hub.importNow();
    expect(report.skipped()).toEqual({});
    expect(await hub.rowsOf('SELECT id, camera_id, favorite, media, extra FROM video ORDER BY id')).toEqual([
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
      await hub.rowsOf(`SELECT detection.id, video_id, name, source, track_id, reviewed, reviewed_at IS NOT NULL AS dated,
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
    expect(await hub.rowsOf('SELECT frames FROM detection_track')).toEqual([
      { frames: [{ t: 0.5, bbox: [0.1, 0.2, 0.3, 0.4] }] },
    ]);
    expect(
      await hub.rowsOf(
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
      await hub.rowsOf(
        'SELECT id, name, parent_id, active, description FROM species WHERE id > 900000 ORDER BY id',
      ),
    ).toEqual([
      { id: 900_001, name: 'Garden Birds', parent_id: null, active: false, description: null },
      { id: 900_002, name: 'Spotted Testbird', parent_id: 900_001, active: true, description: 'Rare.' },
    ]);
    const stored = await readStoredState(hub.pool);
    expect(stored).toEqual(await readExpectedState(hub.pool));
    expect(stored.visits.map(({ maxSimultaneous }) => maxSimultaneous)).toEqual([2, 1]);
  });

  it('a second import of the same hub, recognises all recordings and changes nothing', async () => {
    buildOldHub(hub.file, firstLayout + laterLayout, twoVisits);
    await hub.importNow();
    const tables = [
      'video',
      'detection',
      'species',
      'bird_food',
      'video_food',
      'weather_snapshot',
      'activity_log',
    ];
    const read = () => Promise.all(tables.map((table) => hub.rowsOf(`SELECT * FROM ${table} ORDER BY 1, 2`)));
    const before = await read();
    const report = await hub.importNow();
    expect([report.counted('recordings'), report.counted('recordings known')]).toEqual([0, 3]);
    expect(await read()).toEqual(before);
  });

  it('ids that are taken in this hub, are replaced by new ones; later rows reuse no imported id', async () => {
    const { writer } = createTestWriter(hub.pool);
    const own = await writer.post(aRecording(), 'test');
    buildOldHub(hub.file, firstLayout, [
      ['species', { id: 1, name: 'Great Tit' }],
      anOldVideo(own.videoId, 0),
      anOldDetection(1, own.videoId, 1),
      anOldVideo(own.videoId + 1, 10),
    ]);
    const report = await hub.importNow();
    expect(report.counted('recordings with another id')).toBe(1);
    const later = await writer.post(
      aRecording({ videoPath: 'later.mp4', detections: [aDetection({ startOffset: 1 })] }),
      'test',
    );
    const ids = (await hub.rowsOf('SELECT id FROM video ORDER BY start_time, id')).map(({ id }) => id);
    const renamed = ids[0];
    expect(ids).toEqual([renamed, own.videoId + 1, own.videoId, later.videoId]);
    expect(renamed).toBeGreaterThan(own.videoId + 1);
    expect(later.videoId).toBeGreaterThan(Number(renamed));
    expect(await readStoredState(hub.pool)).toEqual(await readExpectedState(hub.pool));
  });

  it('an interrupted import, continues with the remaining recordings', async () => {
    const videos = Array.from({ length: 250 }, (_, index) => anOldVideo(index + 1, index));
    buildOldHub(hub.file, firstLayout, videos);
    const stopping = new AbortController();
    const onProgress = () => stopping.abort(new Error('stopped'));
    await expect(hub.importNow({ signal: stopping.signal, onProgress })).rejects.toThrow('stopped');
    expect(await hub.rowsOf('SELECT count(*) FROM video')).toEqual([{ count: 200 }]);
    await hub.importNow();
    expect(await hub.rowsOf('SELECT count(*), max(id) FROM video')).toEqual([{ count: 250, max: 250 }]);
  });

  it('an import while a processor posts, results in the visits that the rule demands', async () => {
    const minutes = Array.from({ length: 60 }, (_, minute) => minute);
    const old = minutes.flatMap((minute) => [
      anOldVideo(minute + 1, minute),
      anOldDetection(minute + 1, minute + 1, 900_003),
    ]);
    buildOldHub(hub.file, firstLayout, [['species', { id: 900_003, name: 'Great Tit' }], ...old]);
    const { writer } = createTestWriter(hub.pool);
    const start = Date.UTC(2025, 4, 1, 8, 0, 30);
    const posts = minutes.map((minute) =>
      writer.post(aRecording({ start: start + minute * 60_000 }), 'test'),
    );
    const [report] = await Promise.all([hub.importNow(), ...posts]);
    expect(report.counted('recordings')).toBe(60);
    expect(await hub.rowsOf('SELECT count(*), count(DISTINCT video_path) AS paths FROM video')).toEqual([
      { count: 120, paths: 120 },
    ]);
    expect(await readStoredState(hub.pool)).toEqual(await readExpectedState(hub.pool));
  });
});
