import { aDetection, aRecording, testAuthor } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { DetectionFramesSchema, VideoSchema } from './videos.schema.js';

const start = Date.UTC(2026, 4, 1, 8);
const frames = [
  { t: 0.5, bbox: [0.1, 0.2, 0.3, 0.4] as const },
  { t: 1, bbox: [0.125, 0.2, 0.3, 0.4] as const },
];

describe('a recording', () => {
  let query: TestQuery;
  let videoId: number;
  let visitIds: readonly number[];
  const get = (suffix = '', headers?: Record<string, string>) =>
    query.get(`/api/ui/videos/${videoId}${suffix}`, headers);

  beforeAll(async () => {
    query = await createTestQuery();
    const { pool } = query.database;
    await pool.query(
      `INSERT INTO weather_snapshot (source, main, description, temp, humidity, pressure, clouds, wind_speed, fetched_at)
       VALUES ('open-meteo', 'Rain', 'light rain', 11.25, 80, 1012, 95, 3.5, $1)`,
      [new Date(start - 60_000)],
    );
    await pool.query(
      `INSERT INTO bird_food (id, name, image_url) VALUES (900, 'Suet', 'https://x.example/s.png')`,
    );
    await pool.query(`INSERT INTO food_period (food_id, started_at) VALUES (900, $1)`, [
      new Date(start - 60_000),
    ]);
    const result = await query.post(
      aRecording({
        start,
        videoPath: '2026/05/01/080000/video.mp4',
        spectrogramPath: 'data/recordings/2026/05/01/08 00/spectrogram.jpg',
        detections: [
          aDetection({
            startOffset: 3,
            endOffset: 5,
            trackId: 'left-7',
            frames,
            provider: 'yolo',
            confidence: 0.75,
          }),
          aDetection({ startOffset: 0.25, endOffset: 1, trackId: '42' }),
          aDetection({ startOffset: 6, endOffset: 7, trackId: '007', source: 'audio' }),
        ],
      }),
    );
    ({ videoId, visitIds } = result);
  });
  afterAll(() => query.close());

  it('with all fields, returns all of them', async () => {
    const { status, body } = await get();
    expect(status).toBe(200);
    expectShape(VideoSchema, body);
    expect(body).toMatchObject({
      id: videoId,
      start_time: '2026-05-01T08:00:00+00:00',
      end_time: '2026-05-01T08:00:10+00:00',
      processor_version: '1',
      camera_id: 'garden',
      video_path: 'data/recordings/2026/05/01/080000/video.mp4',
      video_url: `/api/ui/videos/${videoId}/stream`,
      spectrogram_path: 'data/recordings/2026/05/01/08 00/spectrogram.jpg',
      spectrogram_url: '/data/recordings/2026/05/01/08%2000/spectrogram.jpg',
      spectrogram_khz: null,
      poster_url: `/api/ui/videos/${videoId}/poster`,
      favorite: false,
      media: 'pending',
      weather: {
        main: 'Rain',
        description: 'light rain',
        temp: 11.25,
        humidity: 80,
        pressure: 1012,
        clouds: 95,
        wind_speed: 3.5,
      },
      food: [{ id: 900, name: 'Suet', image_url: 'https://x.example/s.png' }],
    });
  });

  it('with detections, lists them by start with their boxes', async () => {
    const { body } = await get();
    expect(body.species).toMatchObject([
      { species_name: 'Great Tit', start_time: 0.25, end_time: 1, track_id: 42, frames: [] },
      {
        start_time: 3,
        end_time: 5,
        confidence: 0.75,
        source: 'video',
        track_id: 'left-7',
        detection_provider: 'yolo',
        reviewed: false,
        visit_id: visitIds[0],
        frames,
      },
      { start_time: 6, source: 'audio', track_id: '007', detection_provider: null },
    ]);
  });

  it('at the route of its boxes, has those of the detections that have some', async () => {
    const { body } = await get('/detection-frames');
    expectShape(DetectionFramesSchema, body);
    expect(body).toMatchObject({
      tracks: [{ start_time: 3, end_time: 5, track_source: 'processor', frames }],
    });
    expect(body.tracks).toHaveLength(1);
  });

  it('behind a prefix, has its URLs below it', async () => {
    const { body } = await get('', { 'x-forwarded-prefix': '/birds' });
    expect(body.video_url).toBe(`/birds/api/ui/videos/${videoId}/stream`);
    expect(body.spectrogram_url).toMatch(/^\/birds\/data\/recordings\//);
  });

  it('with one detection or five thousand, takes one statement', async () => {
    expect(await query.countStatements(`/api/ui/videos/${videoId}`)).toBe(1);
    const many = Array.from({ length: 5_000 }, (_, index) =>
      aDetection({ startOffset: index / 1_000, endOffset: 9, frames }),
    );
    const large = await query.post(aRecording({ start: start + 3_600_000, detections: many }));
    expect(await query.countStatements(`/api/ui/videos/${large.videoId}`)).toBe(1);
    expect((await query.get(`/api/ui/videos/${large.videoId}`)).body.species).toHaveLength(5_000);
  });

  it('after its file arrives, is ready', async () => {
    await query.writeFile('2026/05/01/080000/video.mp4', 'film');
    expect((await get()).body.media).toBe('ready');
  });

  it('without optional fields, returns nulls', async () => {
    const bare = aRecording({ start: Date.UTC(2026, 1, 1), cameraId: '', detections: [] });
    const posted = await query.post(bare);
    const { body } = await query.get(`/api/ui/videos/${posted.videoId}`);
    expectShape(VideoSchema, body);
    expect(body).toMatchObject({ camera_id: null, spectrogram_url: null, species: [], food: [] });
    expect(Object.values(body.weather)).toEqual([null, null, null, null, null, null, null]);
  });

  it('stored as ready, is cached until it changes', async () => {
    const posted = await query.post(aRecording({ start: Date.UTC(2026, 1, 2) }));
    const path = `/api/ui/videos/${posted.videoId}`;
    await query.database.pool.query(`UPDATE video SET media = 'ready' WHERE id = $1`, [posted.videoId]);
    await query.get(path);
    expect(await query.countStatements(path)).toBe(0);
    await query.post(aRecording({ start: Date.UTC(2026, 1, 2), detections: [] }));
    expect((await query.get(path)).body.species).toEqual([]);
  });

  it('deleted by a person, is 410 at every route', async () => {
    const posted = await query.post(aRecording({ start: Date.UTC(2026, 1, 3) }));
    const path = `/api/ui/videos/${posted.videoId}`;
    await query.get(path);
    await query.writer.remove(posted.videoId, testAuthor);
    for (const suffix of ['', '/detection-frames', '/stream', '/download', '/neighbors']) {
      await expect.poll(async () => (await query.get(path + suffix)).body.code).toBe('recording_deleted');
      expect((await query.get(path + suffix)).status).toBe(410);
    }
  });

  it.each(['', '/detection-frames', '/stream', '/download', '/neighbors'])(
    'with an unknown id, is 404 at %s',
    async (suffix) => {
      const { status, body } = await query.get(`/api/ui/videos/999999${suffix}`);
      expect([status, body.code]).toEqual([404, 'video_not_found']);
    },
  );

  it.each(['0', '-1', 'abc', '1.5', '99999999999999999999', '%00'])('with the id %s, is 400', async (id) => {
    const { status, body } = await query.get(`/api/ui/videos/${id}`);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', 'id']);
  });
});
