import { aDetection, aRecording } from '@birdhub/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { between, getTimeline, hour, minute, second, start } from '../testing/timeline.js';
import { TimelineItemSchema } from './timeline.schema.js';

/** As PostgreSQL writes it: without zeros that say nothing. */
const at = (ms: number) => new Date(start + ms).toISOString().replace(/\.?0*Z$/, '+00:00');

describe('GET /timeline', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());

  it('a day without anything, is an empty list', async () => {
    expect(await getTimeline(query, 'date=2020-01-01')).toMatchObject({ status: 200, body: [] });
  });

  it('a visit over two recordings of two cameras, lists both, newest first', async () => {
    const weather = `INSERT INTO weather_snapshot (source, temp, clouds, fetched_at)
      VALUES ('open-meteo', 12.5, 40, $1) RETURNING id`;
    await query.database.pool.query(weather, [new Date(start - minute)]);
    const first = await query.post(
      aRecording({
        start,
        cameraId: 'garden',
        detections: [
          aDetection({ startOffset: 1.5, endOffset: 4, provider: 'yolo "11"', confidence: 0.8125 }),
        ],
      }),
    );
    const second_ = await query.post(
      aRecording({
        start: start + 30 * second,
        end: start + 45.5 * second,
        cameraId: 'feeder',
        detections: [aDetection({ startOffset: 0, endOffset: 2, source: 'audio' })],
      }),
    );
    const { body } = await getTimeline(query, between(-hour, hour));
    expectShape(Type.Array(TimelineItemSchema), body);
    expect(body).toMatchObject([
      {
        id: first.visitIds[0],
        timeline_kind: 'visit',
        start_time: at(1_500),
        end_time: at(32 * second),
        max_simultaneous: 1,
        total_recording_seconds: 25.5,
        video_duration_seconds: null,
        weather: { temp: 12.5, clouds: 40 },
        species: { name: 'Great Tit', scientific_name: 'Parus major', image_url: null },
        cameras: ['feeder', 'garden'],
        heard: null,
        detections: [
          {
            video_id: second_.videoId,
            start_time: at(30 * second),
            end_time: at(32 * second),
            confidence: 0.9,
            source: 'audio',
            detection_provider: null,
            reviewed: false,
          },
          { video_id: first.videoId, confidence: 0.8125, source: 'video', detection_provider: 'yolo "11"' },
        ],
      },
    ]);
    expect(body).toHaveLength(1);
  });

  it('a visit that was only heard, says where its surest sound is', async () => {
    const from = 20 * hour;
    const call = (startOffset: number, confidence: number) =>
      aDetection({
        speciesName: 'Tawny Owl',
        source: 'audio',
        startOffset,
        endOffset: startOffset + 1.5,
        confidence,
      });
    await query.post(aRecording({ start: start + from, detections: [call(0, 0.4), call(3, 0.6)] }));
    const surer = await query.post(
      aRecording({
        start: start + from + 20 * second,
        end: start + from + 32.5 * second,
        detections: [call(4, 0.8)],
      }),
    );
    const { body } = await getTimeline(query, between(from, from + minute));
    expectShape(Type.Array(TimelineItemSchema), body);
    expect(body).toMatchObject([
      {
        heard: {
          detection_id: body[0].detections[0].id,
          video_id: surer.videoId,
          from: 4,
          to: 5.5,
          recording_seconds: 12.5,
        },
      },
    ]);
  });

  it('a recording without detections, is an item with minus its number', async () => {
    const from = 2 * hour;
    const { videoId } = await query.post(
      aRecording({ start: start + from, end: start + from + 12_250, cameraId: '', detections: [] }),
    );
    const { body } = await getTimeline(query, between(from, from + minute));
    expectShape(Type.Array(TimelineItemSchema), body);
    expect(body).toEqual([
      {
        id: -videoId,
        timeline_kind: 'unlinked_video',
        start_time: at(from),
        end_time: at(from + 12_250),
        max_simultaneous: 0,
        total_recording_seconds: 12.25,
        video_duration_seconds: 12.25,
        weather: { temp: 12.5, clouds: 40 },
        species: {
          id: expect.any(Number),
          name: 'Bird',
          scientific_name: null,
          image_url: null,
          parent_id: expect.any(Number),
        },
        cameras: [],
        heard: null,
        detections: [],
      },
    ]);
  });

  it('a date, is the day of the zone in the settings', async () => {
    const lateInUtc = Date.UTC(2026, 6, 1, 23, 30);
    await query.post(aRecording({ start: lateInUtc }));
    expect((await getTimeline(query, 'date=2026-07-01')).body).toHaveLength(1);
    await query.setSettings({ general: { timezone: 'Europe/Prague' } });
    expect((await getTimeline(query, 'date=2026-07-01')).body).toHaveLength(0);
    expect((await getTimeline(query, 'date=2026-07-02')).body).toHaveLength(1);
    await query.setSettings({});
  });

  it.each([
    ['', 'start_time'],
    ['start_time=1', 'end_time'],
    ['date=2026-13-01', 'date'],
    ['date=2026-05-01&start_time=1&end_time=2', 'date'],
    ['start_time=2&end_time=1', 'end_time'],
    ['start_time=0&end_time=9999999', 'end_time'],
    ['date=2026-05-01&limit=0', 'limit'],
    ['date=2026-05-01&limit=1001', 'limit'],
    ['date=2026-05-01&limit=x', 'limit'],
    ['date=2026-05-01&limit=1e999', 'limit'],
    ['date=2026-05-01&camera_id=a%00b', 'camera_id'],
    ['date=2026-05-01&cursor=abc', 'cursor'],
    ['date=2026-05-01&species_id=0', 'species_id'],
    ['date=2026-05-01&species_id=99999999999', 'species_id'],
    ['date=2026-05-01&min_confidence=1.1', 'min_confidence'],
    ['date=2026-05-01&source=smell', 'source'],
    ['date=2026-05-01&favorite=maybe', 'favorite'],
  ])('%s, is refused for %s', async (parameters, path) => {
    const { status, body } = await getTimeline(query, parameters);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', path]);
  });

  it.each(['date=0001-01-01', 'date=9999-12-31', 'start_time=-62135596800&end_time=-62135596799&x=y'])(
    '%s at the edge of the calendar, is answered',
    async (parameters) => {
      expect(await getTimeline(query, parameters)).toMatchObject({ status: 200, body: [] });
    },
  );
});
