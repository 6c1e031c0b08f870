import { testAuthor } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aDetectionBody,
  aRecordingBody,
  type Body,
  createTestIngest,
  startingAt,
  type TestIngest,
} from '../testing/create-test-ingest.js';

interface Stored {
  id: number;
  name: string;
  was: string | null;
  reviewed: boolean;
  start_offset: number;
}

describe('POST /videos, a recording that a person corrected', () => {
  let hub: TestIngest;
  let coalTit: number;
  let count = 0;

  beforeAll(async () => {
    hub = await createTestIngest();
    coalTit = (await hub.directory.resolve(['Coal Tit'])).get('Coal Tit') ?? 0;
  });
  afterAll(() => hub.close());

  const stored = (videoId: number) =>
    hub.rows<Stored>(
      `SELECT detection.id, species.name, original.name AS was, reviewed, start_offset
       FROM detection JOIN species ON species.id = species_id
       LEFT JOIN species original ON original.id = original_species_id
       WHERE video_id = $1 ORDER BY detection.id`,
      [videoId],
    );

  /** Posts `before`, corrects its first detection to a coal tit, posts `after` with the same key. */
  async function correctBetween(before: Body[], after: Body[]) {
    count += 1;
    const recording = { video_path: `${count}.mp4`, ...startingAt(count * 1000) };
    const { body } = await hub.post('/videos', aRecordingBody({ ...recording, species: before }));
    const [first] = await stored(body.video_id);
    const correction = { detectionId: first?.id ?? 0, speciesId: coalTit, scope: 'single_track' as const };
    await hub.writer.correct(correction, testAuthor);
    const again = await hub.post('/videos', aRecordingBody({ ...recording, species: after }));
    expect(again.status).toBe(200);
    return { id: first?.id, rows: await stored(body.video_id), detections: again.body.detections };
  }

  it('a track with another name, start and confidence, keeps the corrected species', async () => {
    const after = [
      aDetectionBody({ track_id: 3, species_name: 'Marsh Tit', start_time: 1.5, confidence: 0.2 }),
    ];
    const { id, rows } = await correctBetween([aDetectionBody({ track_id: '3' })], after);
    expect(rows).toEqual([{ id, name: 'Coal Tit', was: 'Marsh Tit', reviewed: true, start_offset: 1.5 }]);
  });

  it('a track in more parts than before, is corrected in all of them', async () => {
    const after = [0, 3, 6].map((start_time) =>
      aDetectionBody({ track_id: '4', start_time, end_time: start_time + 1 }),
    );
    const { rows } = await correctBetween([aDetectionBody({ track_id: '4' })], after);
    expect(rows.map((row) => row.name)).toEqual(['Coal Tit', 'Coal Tit', 'Coal Tit']);
  });

  it.each([0.1, 0.6, -0.5])(
    'a row without track, shifted by %d s, is recognised up to half a second',
    async (by) => {
      const before = [aDetectionBody({ start_time: 0.6 })];
      const { id, rows } = await correctBetween(before, [
        aDetectionBody({ start_time: 0.6 + by, end_time: 3 }),
      ]);
      const isNear = Math.abs(by) <= 0.5;
      expect(rows.map((row) => row.name)).toEqual(isNear ? ['Coal Tit'] : ['Coal Tit', 'Great Tit']);
      expect(rows.map((row) => row.id).includes(id ?? 0)).toBe(true);
    },
  );

  it('a row without track, shifted by exactly half a second, is recognised whatever the rounding', async () => {
    const { rows } = await correctBetween(
      [aDetectionBody({ start_time: 0.6 })],
      [aDetectionBody({ start_time: 1.1 })],
    );
    expect(rows.map((row) => row.name)).toEqual(['Coal Tit']);
  });

  it.each(['in order', 'in reverse'])(
    'rows without track, %s, keep the correction on the nearest',
    async (order) => {
      const rows = [aDetectionBody({ start_time: 0.5 }), aDetectionBody({ start_time: 0.9 })];
      const after = order === 'in order' ? rows : rows.toReversed();
      const found = await correctBetween([aDetectionBody({ start_time: 0.5, end_time: 3 })], after);
      expect(found.rows.find((row) => row.name === 'Coal Tit')).toMatchObject({
        id: found.id,
        start_offset: 0.5,
      });
      expect(found.rows).toHaveLength(2);
    },
  );

  it('a row of another species or source, is another bird', async () => {
    const after = [aDetectionBody({ species_name: 'Hawfinch' }), aDetectionBody({ source: 'audio' })];
    const { rows, detections } = await correctBetween([aDetectionBody()], after);
    expect(rows.map((row) => [row.name, row.reviewed])).toEqual([
      ['Coal Tit', true],
      ['Hawfinch', false],
      ['Great Tit', false],
    ]);
    expect(detections).toBe(3);
  });

  it('a row that the processor no longer reports, keeps its corrected start', async () => {
    const { id, rows, detections } = await correctBetween(
      [aDetectionBody({ start_time: 1 }), aDetectionBody({ start_time: 5, end_time: 6 })],
      [],
    );
    expect(rows).toEqual([{ id, name: 'Coal Tit', was: 'Great Tit', reviewed: true, start_offset: 1 }]);
    expect(detections).toBe(1);
  });

  it('a row now posted with the corrected species, has no other posted species', async () => {
    const { rows } = await correctBetween(
      [aDetectionBody({ track_id: 1 })],
      [aDetectionBody({ track_id: 1, species_name: 'Coal Tit' })],
    );
    expect(rows).toMatchObject([{ name: 'Coal Tit', was: null, reviewed: true }]);
  });

  it('two rows with one start, keep the correction on the right one', async () => {
    const pair = (confidence: number) => [
      aDetectionBody({ confidence, end_time: 3 }),
      aDetectionBody({ confidence, end_time: 4 }),
    ];
    const { id, rows } = await correctBetween(pair(0.5), pair(0.6));
    expect(rows.map((row) => [row.id === id, row.name])).toEqual([
      [true, 'Coal Tit'],
      [false, 'Great Tit'],
    ]);
  });
});
