import { storePictureFacts } from '@birdhub/domain/media';
import { aDetection, aRecording, insertManyVisits, testAuthor } from '@birdhub/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { readPlan } from '../testing/measurements.js';
import { between, hour, minute, second, speciesIdOf, start } from '../testing/timeline.js';
import { UnknownSchema } from './review.schema.js';
import { unknownsSql } from './review.store.js';

const doubtful = (confidence: number, given = {}) => aDetection({ confidence, ...given });

describe('GET /unknowns', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());
  const get = (parameters: string, headers = {}) => query.get(`/api/ui/unknowns?${parameters}`, headers);
  async function list(from: number, to: number, more = '') {
    const { body } = await get(`${between(from, to)}${more}`);
    expectShape(Type.Array(UnknownSchema), body);
    return body;
  }

  it('with a sure, a doubtful and a generic detection, lists the last two with their reasons', async () => {
    const robin = { speciesName: 'European Robin', startOffset: 1.5, provider: 'yolo' };
    const { videoId } = await query.post(
      aRecording({
        start,
        detections: [
          doubtful(0.5),
          doubtful(0.49, robin),
          doubtful(0.9, { speciesName: 'Bird', startOffset: 1, source: 'audio' }),
        ],
      }),
    );
    await query.database.pool.query(
      `UPDATE species SET image_url = '/robin.jpg' WHERE name = 'European Robin'`,
    );
    await query.notify({ kind: 'species' });
    const [robinRow, birdRow] = await list(0, minute);
    expect(robinRow).toEqual({
      id: expect.any(Number),
      video_id: videoId,
      media_kind: 'video',
      species_id: await speciesIdOf(query, 'European Robin'),
      species_name: 'European Robin',
      confidence: 0.49,
      start_time: '2026-05-01T08:00:01.5+00:00',
      end_time: '2026-05-01T08:00:02+00:00',
      source: 'video',
      detection_provider: 'yolo',
      plumage: null,
      image_url: '/robin.jpg',
      crop_url: `/api/ui/detections/${robinRow.id}/crop`,
      thumbhash: null,
      review_reason: 'low_confidence',
    });
    expect(birdRow).toMatchObject({
      species_name: 'Bird',
      source: 'audio',
      detection_provider: null,
      image_url: null,
      review_reason: 'generic_species',
    });
    expect(await list(0, minute)).toHaveLength(2);
  });

  it('with a measured picture, has its blurred placeholder here and in its recording', async () => {
    const [robin] = await list(0, minute);
    const thumbhash = 'YTkGJwaRhWUIt4lbgnhZl3ath2BUBGYA';
    await storePictureFacts(
      query.database.pool,
      { detectionId: robin.id, seconds: 1.5, box: [0.1, 0.1, 0.6, 0.6] },
      { width: 600, height: 500, sharpness: 0.9, thumbhash },
    );
    await query.notify({ kind: 'everything' });
    expect((await list(0, minute))[0]).toMatchObject({ id: robin.id, thumbhash });
    const { species } = (await query.get(`/api/ui/videos/${robin.video_id}`)).body;
    const pictures = species.map((one: { id: number; thumbhash: string | null }) => [one.id, one.thumbhash]);
    expect(new Map(pictures).get(robin.id)).toBe(thumbhash);
  });

  it('with an audio recording, has its media kind', async () => {
    const from = 5 * hour;
    await query.post(
      aRecording({ start: start + from, videoPath: 'doubt.mp3', detections: [doubtful(0.1)] }),
    );
    expect(await list(from, from + minute)).toMatchObject([{ media_kind: 'audio' }]);
  });

  it('after a verdict, leaves the detection out', async () => {
    const from = hour;
    await query.post(aRecording({ start: start + from, detections: [doubtful(0.1)] }));
    const [row] = await list(from, from + minute);
    const robin = await speciesIdOf(query, 'European Robin');
    await query.writer.correct({ detectionId: row.id, speciesId: robin, scope: 'single_track' }, testAuthor);
    await query.notify({ kind: 'everything' });
    expect(await list(from, from + minute)).toEqual([]);
  });

  it('with another threshold, lists accordingly', async () => {
    const from = 2 * hour;
    await query.post(aRecording({ start: start + from, detections: [doubtful(0.8)] }));
    expect(await list(from, from + minute)).toEqual([]);
    await query.setSettings({ ui: { unknown_confidence_threshold: 0.81 } });
    expect(await list(from, from + minute)).toHaveLength(1);
    await query.setSettings({});
  });

  it('with a window, lists what starts before its end and ends at or after its start', async () => {
    const from = 3 * hour;
    const seen = doubtful(0.2, { startOffset: 0, endOffset: 9 });
    await query.post(aRecording({ start: start + from, detections: [seen] }));
    expect(await list(from + 9 * second, from + minute)).toHaveLength(1);
    expect(await list(from + 9 * second + 1, from + minute)).toEqual([]);
    expect(await list(from - minute, from)).toEqual([]);
    expect(await list(from - minute, from + 1)).toHaveLength(1);
  });

  it('with more than the limit, lists the newest', async () => {
    const from = 4 * hour;
    const detections = [3, 1, 2].map((startOffset) => doubtful(0.3, { startOffset, endOffset: 5 }));
    await query.post(aRecording({ start: start + from, detections }));
    const times = (await list(from, from + minute, '&limit=2')).map(
      (row: { start_time: string }) => row.start_time,
    );
    expect(times).toEqual(['2026-05-01T12:00:03+00:00', '2026-05-01T12:00:02+00:00']);
  });

  it('behind a prefix, has the URLs of pictures below it', async () => {
    const { body } = await get(between(0, minute), { 'x-forwarded-prefix': '/birds' });
    expect(body[0].crop_url).toBe(`/birds/api/ui/detections/${body[0].id}/crop`);
  });

  it.each([
    ['', 'start_time'],
    ['start_time=0&end_time=9999999', 'end_time'],
    ['date=2026-05-01&limit=501', 'limit'],
    ['date=2026-05-01&limit=0', 'limit'],
  ])('%s, is refused for %s', async (parameters, path) => {
    const { status, body } = await get(parameters);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', path]);
  });
});

describe('GET /unknowns with many unreviewed detections', () => {
  let query: TestQuery;
  const from = Date.UTC(2026, 0, 1);
  const path = `/api/ui/unknowns?start_time=${from / 1000}&end_time=${from / 1000 + 20 * 86_400}`;
  beforeAll(async () => {
    query = await createTestQuery({ responseCacheMb: 0 });
    await query.setSettings({ ui: { unknown_confidence_threshold: 0.95 } });
  });
  afterAll(() => query.close());

  it('with ten or ten thousand, takes one statement', async () => {
    await insertManyVisits(query.database.pool, { count: 10, from, everyMs: 2 * minute });
    expect(await query.countStatements(path)).toBe(1);
    await insertManyVisits(query.database.pool, {
      count: 9_990,
      from: from + 60 * minute,
      everyMs: 2 * minute,
    });
    expect(await query.countStatements(path)).toBe(1);
    expect((await query.get(path)).body).toHaveLength(100);
  });

  it.each([
    ['most are doubtful', 0.95],
    ['none is', 0.5],
  ])('when %s, uses only the index', async (_, threshold) => {
    await query.database.pool.query('VACUUM detection');
    const window = [new Date(from), new Date(from + 20 * 86_400_000)];
    const plan = await readPlan(query.database.pool, unknownsSql, [...window, threshold, 100, '']);
    expect(plan).toMatch(/Index Only Scan Backward using detection_unreviewed_idx/);
    expect(plan).not.toMatch(/Seq Scan on (detection|video|species_visit)\b/);
  });
});
