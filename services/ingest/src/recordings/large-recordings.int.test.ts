import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aDetectionBody,
  aRecordingBody,
  createTestIngest,
  startingAt,
  type TestIngest,
} from '../testing/create-test-ingest.js';

const megabyte = 1024 * 1024;
const repeat = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('POST /videos, large recordings', () => {
  let hub: TestIngest;
  beforeAll(async () => {
    hub = await createTestIngest();
  });
  afterAll(() => hub.close());

  it('5,000 rows of one species, are stored, replaced and kept apart', async () => {
    const rows = (confidence: number) =>
      repeat(5_000, (at) => aDetectionBody({ confidence, start_time: at / 1000, end_time: 9 }));
    const first = await hub.post('/videos', aRecordingBody({ species: rows(0.5) }));
    const idsOf = () => hub.rows('SELECT id, start_offset FROM detection ORDER BY id');
    const ids = await idsOf();
    const again = await hub.post('/videos', aRecordingBody({ species: rows(0.6).toReversed() }));
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toMatchObject({ detections: 5_000, visits: first.body.visits });
    expect(await idsOf()).toEqual(ids);
  });

  it('5,001 rows, are refused and nothing is stored', async () => {
    const before = await hub.countRows();
    const response = await hub.post(
      '/videos',
      aRecordingBody({ video_path: 'x.mp4', species: repeat(5_001, () => aDetectionBody()) }),
    );
    expect(response).toMatchObject({ status: 400, body: { details: [{ path: '/species' }] } });
    expect(await hub.countRows()).toEqual(before);
  });

  it('more species than a transaction can lock one by one, from two connections at once, are stored', async () => {
    const body = (video_path: string, seconds: number) => {
      const species = repeat(2_000, (at) => aDetectionBody({ species_name: `Bird of the ${at}th kind` }));
      return aRecordingBody({ video_path, ...startingAt(seconds), species });
    };
    const responses = await Promise.all(
      ['a.mp4', 'b.mp4'].map((path, at) => hub.post('/videos', body(path, at * 20))),
    );
    expect(responses.map((response) => response.status)).toEqual([201, 201]);
    expect(responses.map((response) => response.body.visits.length)).toEqual([2_000, 2_000]);
  });

  it('a body of exactly 16 MB, is accepted, and one byte more is 413', async () => {
    const body = JSON.stringify(aRecordingBody({ video_path: 'full.mp4', species: [] }));
    const padded = body.padEnd(16 * megabyte, ' ');
    const responses = [await hub.post('/videos', padded), await hub.post('/videos', `${padded} `)];
    expect(responses.map((response) => response.status)).toEqual([201, 413]);
    expect(responses[1]?.body.code).toBe('payload_too_large');
  });

  it('deeply nested unknown keys, are cut off and the recording is stored', async () => {
    const body = JSON.stringify(aRecordingBody({ video_path: 'deep.mp4', species: [aDetectionBody()] }));
    const deep = body.replaceAll('{', `{"deep":${nested(20_000)},`);
    const { status, body: response } = await hub.post('/videos', deep);
    expect(status).toBe(201);
    const [video] = await hub.rows<{ depth: number }>(
      `SELECT length(extra ->> 'deep') AS depth FROM video WHERE id = $1`,
      [response.video_id],
    );
    expect(video?.depth).toBeLessThan(1_000);
  });
});
