import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aDetectionBody,
  aRecordingBody,
  createTestIngest,
  startingAt,
  type TestIngest,
} from '../testing/create-test-ingest.js';

describe('POST /videos, a recording that is new', () => {
  let hub: TestIngest;
  beforeAll(async () => {
    hub = await createTestIngest();
  });
  afterAll(() => hub.close());

  const post = (given: object) => hub.post('/videos', aRecordingBody(given as Record<string, unknown>));

  it('with a detection, is stored with visit and events before the response', async () => {
    const frames = [{ t: 0.5, bbox: [0.1, 0.2, 0.3, 0.4], confidence: 0.5 }];
    const row = aDetectionBody({ track_id: 7, detection_provider: 'yolo', frames, sex: 'male' });
    const path = 'data/recordings/first.mp4';
    const body = aRecordingBody({
      video_path: path,
      trigger_source: 'motion',
      firmware: { build: 3 },
      species: [row],
    });
    const response = await hub.post('/videos', body, { 'x-request-id': 'post-1' });

    expect(response.status).toBe(201);
    const { video_id, visits } = response.body;
    expect(response.body).toEqual({
      message: 'success',
      video_id,
      created: true,
      detections: 1,
      dropped: 0,
      visits: [expect.any(Number)],
    });
    expect(response.headers).toMatchObject({
      'x-request-id': 'post-1',
      'x-hub-consistency-token': expect.stringMatching(/^\w+:\d+$/),
    });
    const [video] = await hub.rows('SELECT * FROM video WHERE id = $1', [video_id]);
    expect(video).toMatchObject({
      camera_id: 'garden',
      video_path: path,
      processor_version: '1.0',
      media: 'pending',
      favorite: false,
      trigger_source: 'motion',
      extra: { firmware: { build: 3 } },
      detection_count: 1,
      start_time: new Date('2026-05-01T11:00:00Z'),
    });
    const [detection] = await hub.rows(
      'SELECT detection.*, frames FROM detection JOIN detection_track ON detection_id = id WHERE video_id = $1',
      [video_id],
    );
    expect(detection).toMatchObject({
      visit_id: visits[0],
      track_id: '7',
      detection_provider: 'yolo',
      source: 'video',
      reviewed: false,
      extra: { sex: 'male' },
      frames: [{ t: 0.5, bbox: [0.1, 0.2, 0.3, 0.4] }],
      end_time: new Date('2026-05-01T11:00:02Z'),
    });
    const events = await hub.rows(`SELECT subject, request_id, payload FROM outbox ORDER BY id`);
    expect(events).toMatchObject([
      {
        subject: 'hub.v1.recording.upserted',
        request_id: 'post-1',
        payload: { video_id, media_kind: 'video', created: true, camera_id: 'garden', visit_ids: visits },
      },
      {
        subject: 'hub.v1.visit.started',
        request_id: 'post-1',
        payload: { visit_id: visits[0], media_kind: 'video', species_name: 'Great Tit' },
      },
    ]);
  });

  it.each(['a/.s.jpg', '.cache/s.jpg', 'a/birds.db', 'a/b.mp4', 'a/s.svg', 'a/s'])(
    'with the spectrogram %s, is stored without a spectrogram',
    async (spectrogram_path) => {
      const { status, body } = await post({
        video_path: `beside/${spectrogram_path}.mp4`.replaceAll('/.', '/'),
        spectrogram_path,
      });
      expect(status).toBe(201);
      const stored = await hub.rows('SELECT spectrogram_path FROM video WHERE id = $1', [body.video_id]);
      expect(stored).toEqual([{ spectrogram_path: null }]);
    },
  );

  it.each([
    ['song.flac', 'audio'],
    ['song.mp4', 'video'],
  ])('of %s with a detection without source, gives it the source %s', async (video_path, source) => {
    const { source: _, ...row } = aDetectionBody();
    const { status, body } = await post({ video_path, species: [row] });
    expect(status).toBe(201);
    const rows = await hub.rows('SELECT source FROM detection WHERE video_id = $1', [body.video_id]);
    expect(rows).toEqual([{ source }]);
  });

  it.each([
    { species_name: 'Great Tit', species: null },
    { species_name: null, species: 'Great Tit' },
  ])('with null for the source and one of the names, is stored like one without them: %j', async (names) => {
    const row = aDetectionBody({ ...names, source: null });
    const { status, body } = await post({ video_path: `null-${names.species}.mp4`, species: [row] });
    expect(status).toBe(201);
    const rows = await hub.rows('SELECT posted_name, source FROM detection WHERE video_id = $1', [
      body.video_id,
    ]);
    expect(rows).toEqual([{ posted_name: 'Great Tit', source: 'video' }]);
  });

  it('without birds, is stored and belongs to no visit', async () => {
    const { status, body } = await post({ video_path: 'empty.mp4', species: [] });
    expect({ status, ...body }).toMatchObject({ status: 201, detections: 0, visits: [] });
  });

  it('without camera, zone and source, is stored as UTC, as video and without a camera', async () => {
    const times = { start_time: '2026-05-01T09:00:00.250', end_time: '2026-05-01 09:00:10' };
    const row = aDetectionBody({ source: undefined });
    const { body } = await post({ video_path: 'naive.mp4', camera_id: undefined, ...times, species: [row] });
    const [video] = await hub.rows('SELECT camera_id, start_time FROM video WHERE id = $1', [body.video_id]);
    expect(video).toEqual({ camera_id: '', start_time: new Date('2026-05-01T09:00:00.250Z') });
    const [detection] = await hub.rows('SELECT source FROM detection WHERE video_id = $1', [body.video_id]);
    expect(detection).toEqual({ source: 'video' });
  });

  it.each([
    ['2026-05-01T13:00:00+05:30', '2026-05-01T07:30:00Z'],
    ['2026-05-01T01:00:00-0700', '2026-05-01T08:00:00Z'],
  ])('that starts at %s, is stored as %s', async (given, expected) => {
    const { body } = await post({
      video_path: `${given}.mp4`,
      start_time: given,
      end_time: given,
      species: [],
    });
    const [video] = await hub.rows('SELECT start_time FROM video WHERE id = $1', [body.video_id]);
    expect(video).toEqual({ start_time: new Date(expected) });
  });

  it('with an unknown name, creates one inactive species without parent and notifies all processes', async () => {
    const before = hub.notified.length;
    const species = [' Robot  Sparrow', 'robot-sparrow'].map((name) =>
      aDetectionBody({ species_name: name }),
    );
    const { status } = await post({ video_path: 'robot.mp4', species });
    expect(status).toBe(201);
    const made = await hub.rows(`SELECT name, active, parent_id FROM species WHERE name ILIKE '%robot%'`);
    expect(made).toEqual([{ name: 'Robot Sparrow', active: false, parent_id: null }]);
    expect(hub.notified.slice(before)).toContainEqual({ kind: 'species' });
  });

  it.each([
    { species_name: 'Parus major_Great Tit' },
    { species_name: undefined, species: 'GREAT-TIT' },
    { species_name: 'Great Tit (Parus major)' },
    { species_name: 'Parus major' },
  ])('with the label %j, has the species of the catalogue', async (name) => {
    const { body } = await post({ video_path: JSON.stringify(name), species: [aDetectionBody(name)] });
    const found = await hub.rows(
      'SELECT name, posted_name FROM detection JOIN species ON species.id = species_id WHERE video_id = $1',
      [body.video_id],
    );
    expect(found).toEqual([{ name: 'Great Tit', posted_name: name.species_name ?? name.species }]);
  });

  it('with a species mapping and a minimum confidence, is renamed before the minimum is applied', async () => {
    const mapping = { 'Kohlmeise (KI)': 'Great Tit', 'Robin Model 2': '   ' };
    await hub.setSettings({ detection: { min_confidence_to_store: 0.4, species_mapping: mapping } });
    const rows = [
      aDetectionBody({ species_name: 'kohlmeise (ki)', confidence: 0.4 }),
      aDetectionBody({ species_name: 'Never Stored Bird', confidence: 0.399 }),
      aDetectionBody({ species_name: 'Robin Model 2' }),
    ];
    const { body } = await post({ video_path: 'mapped.mp4', ...startingAt(600), species: rows });
    await hub.setSettings({});
    expect(body).toMatchObject({ detections: 2, dropped: 1 });
    const names = await hub.rows(
      'SELECT name, posted_name FROM detection JOIN species ON species.id = species_id WHERE video_id = $1 ORDER BY name',
      [body.video_id],
    );
    expect(names).toEqual([
      { name: 'Great Tit', posted_name: 'kohlmeise (ki)' },
      { name: 'Robin Model 2', posted_name: 'Robin Model 2' },
    ]);
    expect(await hub.rows(`SELECT 1 FROM species WHERE name = 'Never Stored Bird'`)).toEqual([]);
  });

  it('with an empty track id, has no track', async () => {
    const { body } = await post({ video_path: 'no-track.mp4', species: [aDetectionBody({ track_id: '' })] });
    const found = await hub.rows('SELECT track_id FROM detection WHERE video_id = $1', [body.video_id]);
    expect(found).toEqual([{ track_id: null }]);
  });

  it('with unknown keys that PostgreSQL cannot store, keeps as much of them as possible', async () => {
    const odd = { 'nul\0key': 'a\0b', lone: '\ud800', big: 5e-324 };
    const { status, body } = await post({ video_path: 'odd.mp4', odd, species: [aDetectionBody({ odd })] });
    expect(status).toBe(201);
    const [video] = await hub.rows<{ extra: object }>('SELECT extra FROM video WHERE id = $1', [
      body.video_id,
    ]);
    expect(video?.extra).toEqual({ odd: { 'nul\ufffdkey': 'a\ufffdb', lone: '\ufffd', big: 5e-324 } });
  });
});
