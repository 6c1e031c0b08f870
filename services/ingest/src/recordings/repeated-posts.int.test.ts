import { readExpectedState, readStoredState, testAuthor } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aDetectionBody,
  aRecordingBody,
  createTestIngest,
  startingAt,
  type TestIngest,
} from '../testing/create-test-ingest.js';

describe('POST /videos, a recording that was posted before', () => {
  let hub: TestIngest;
  beforeAll(async () => {
    hub = await createTestIngest();
  });
  afterAll(() => hub.close());

  const idsOf = (videoId: number) =>
    hub.rows<{ id: number }>('SELECT id FROM detection WHERE video_id = $1 ORDER BY id', [videoId]);
  const countEvents = async () => (await hub.countRows())['outbox'];

  it('with the same content, returns the same ids and publishes nothing', async () => {
    const body = aRecordingBody({
      video_path: 'same.mp4',
      species: [aDetectionBody(), aDetectionBody({ confidence: 0.01 })],
    });
    const first = await hub.post('/videos', body);
    const rows = await hub.countRows();
    const again = await hub.post('/videos', body);
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ...first.body, created: false });
    expect(again.headers).not.toHaveProperty('x-hub-consistency-token');
    expect(await hub.countRows()).toEqual(rows);
  });

  it('with and without the public folder in its path, is the same recording', async () => {
    const paths = { video_path: 'spelled.mp4', spectrogram_path: 'spelled.jpg' };
    const first = await hub.post('/videos', aRecordingBody(paths));
    const again = await hub.post(
      '/videos',
      aRecordingBody({
        video_path: 'data/recordings/spelled.mp4',
        spectrogram_path: 'data/recordings/spelled.jpg',
      }),
    );
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual({ ...first.body, created: false });
    const stored = await hub.rows('SELECT video_path, spectrogram_path FROM video WHERE id = $1', [
      first.body.video_id,
    ]);
    expect(stored).toEqual([
      {
        video_path: 'data/recordings/spelled.mp4',
        spectrogram_path: 'data/recordings/spelled.jpg',
      },
    ]);
  });

  it('under a hidden path that is stored already, replaces what changed', async () => {
    await hub.post('/videos', aRecordingBody({ video_path: 'old.mp4' }));
    await hub.rows(
      `UPDATE video SET video_path = 'data/recordings/.old/a.mp4' WHERE video_path LIKE '%/old.mp4'`,
    );
    const again = await hub.post('/videos', aRecordingBody({ video_path: '.old/a.mp4' }));
    expect([again.status, again.body.created]).toEqual([200, false]);
    const other = await hub.post('/videos', aRecordingBody({ video_path: '.old/a.mp4', camera_id: 'other' }));
    expect([other.status, other.body.details[0].path]).toEqual([400, '/video_path']);
  });

  it('twenty times at once, is one recording, created once', async () => {
    const species = ['Great Tit', 'Coal Tit', 'Never Heard Of'].map((species_name) =>
      aDetectionBody({ species_name }),
    );
    const body = aRecordingBody({ video_path: 'at-once.mp4', ...startingAt(200), species });
    const events = await countEvents();
    const responses = await Promise.all(Array.from({ length: 20 }, () => hub.post('/videos', body)));
    expect(responses.map((response) => response.status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(responses.map((response) => response.body.video_id)).size).toBe(1);
    expect(new Set(responses.map((response) => String(response.body.visits))).size).toBe(1);
    expect(await idsOf(responses[0]?.body.video_id)).toHaveLength(3);
    expect(await hub.rows(`SELECT name FROM species WHERE name = 'Never Heard Of'`)).toHaveLength(1);
    const published = await hub.rows(
      `SELECT payload -> 'created' AS created FROM outbox WHERE id > $1 AND subject = 'hub.v1.recording.upserted'`,
      [events],
    );
    expect(published).toEqual([{ created: true }]);
  });

  it('of another camera, is another recording', async () => {
    const path = { video_path: 'shared-path.mp4', species: [] };
    const cameras = ['north', 'south', undefined, null, ''];
    const responses = [];
    for (const camera_id of cameras)
      responses.push(await hub.post('/videos', aRecordingBody({ ...path, camera_id })));
    expect(responses.map((response) => response.status)).toEqual([201, 201, 201, 200, 200]);
    expect(new Set(responses.map((response) => response.body.video_id)).size).toBe(3);
  });

  it('with other content, replaces it and keeps the ids of unchanged rows', async () => {
    const at = startingAt(400);
    const known = [
      aDetectionBody({ track_id: 'a' }),
      aDetectionBody({ species_name: 'Coal Tit', track_id: 'b' }),
    ];
    const first = await hub.post(
      '/videos',
      aRecordingBody({ video_path: 'changed.mp4', ...at, species: known }),
    );
    const [kept] = await idsOf(first.body.video_id);
    const rows = [
      aDetectionBody({ species_name: 'Hawfinch' }),
      aDetectionBody({ track_id: 'a', confidence: 0.3, end_time: 4 }),
    ];
    const body = aRecordingBody({ video_path: 'changed.mp4', ...at, processor_version: '2', species: rows });
    const second = await hub.post('/videos', body);
    expect(second).toMatchObject({
      status: 200,
      body: { video_id: first.body.video_id, created: false, detections: 2 },
    });
    const detections = await hub.rows(
      'SELECT detection.id, name, confidence FROM detection JOIN species ON species.id = species_id WHERE video_id = $1 ORDER BY name',
      [first.body.video_id],
    );
    expect(detections).toEqual([
      { id: kept?.id, name: 'Great Tit', confidence: 0.3 },
      { id: expect.any(Number), name: 'Hawfinch', confidence: 0.9 },
    ]);
    expect(
      await hub.rows('SELECT processor_version FROM video WHERE id = $1', [first.body.video_id]),
    ).toEqual([{ processor_version: '2' }]);
    const published = await hub.rows<{ payload: object }>(
      `SELECT payload FROM outbox WHERE subject = 'hub.v1.recording.upserted' ORDER BY id DESC LIMIT 1`,
    );
    expect(published[0]?.payload).toMatchObject({ created: false, detections: 2 });
  });

  it('with other content from twenty connections at once, is exactly one of them', async () => {
    const contents = Array.from({ length: 20 }, (_, index) =>
      aRecordingBody({
        video_path: 'contested.mp4',
        ...startingAt(600 + index),
        processor_version: String(index),
        species: Array.from({ length: index }, () => aDetectionBody({ confidence: index / 20 + 0.05 })),
      }),
    );
    const responses = await Promise.all(contents.map((body) => hub.post('/videos', body)));
    expect(responses.map((response) => response.status).filter((status) => status === 201)).toHaveLength(1);
    const [video] = await hub.rows<{ id: number; version: string; count: number }>(
      `SELECT id, processor_version AS version, detection_count AS count FROM video WHERE video_path = 'data/recordings/contested.mp4'`,
    );
    expect(video?.count).toBe(Number(video?.version));
    expect(await idsOf(video?.id ?? 0)).toHaveLength(video?.count ?? -1);
    expect(await readStoredState(hub.database.pool)).toEqual(await readExpectedState(hub.database.pool));
  });

  it('and deleted by a person, stays deleted and creates no rows', async () => {
    const first = await hub.post('/videos', aRecordingBody({ video_path: 'deleted.mp4' }));
    await hub.writer.remove(first.body.video_id, testAuthor);
    const rows = await hub.countRows();
    const species = [aDetectionBody({ species_name: 'Only In The Deleted One' })];
    const again = await hub.post('/videos', aRecordingBody({ video_path: 'deleted.mp4', species }));
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({
      video_id: first.body.video_id,
      created: false,
      deleted: true,
      detections: 0,
      visits: [],
    });
    expect(await hub.countRows()).toEqual(rows);
  });

  it('late, twice and in any order, leaves the visits of the reference rule', async () => {
    const bodies = [50, 0, 120, 65, 20, 500].map((seconds) =>
      aRecordingBody({ video_path: `order-${seconds}.mp4`, ...startingAt(seconds - 40_000) }),
    );
    await Promise.all([...bodies, ...bodies.toReversed()].map((body) => hub.post('/videos', body)));
    const visits = await hub.rows(
      `SELECT count(*) AS visits FROM species_visit WHERE start_time < '2026-05-01T06:00:00Z'`,
    );
    expect(visits).toEqual([{ visits: 2 }]);
    expect(await readStoredState(hub.database.pool)).toEqual(await readExpectedState(hub.database.pool));
  });
});
