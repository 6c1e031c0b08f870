import { aDetection, aRecording } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { maxTracks } from './camera-activity.store.js';
import { CameraActivitySchema, CameraPlacesSchema, CamerasSchema } from './cameras.schema.js';

const start = Date.UTC(2026, 4, 1, 8);

describe('GET /cameras', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());

  it('on a new hub, is empty', async () => {
    expect((await query.get('/api/ui/cameras')).body).toEqual({ cameras: [] });
  });

  it('with recordings of two cameras and of none, lists the two with their latest', async () => {
    await query.post(aRecording({ start, cameraId: 'garden' }));
    await query.post(aRecording({ start: start + 60_000, cameraId: 'garden' }));
    await query.post(aRecording({ start: start - 60_000, cameraId: 'garden' }));
    await query.post(aRecording({ start, cameraId: 'feeder' }));
    await query.post(aRecording({ start, cameraId: '' }));
    const { body } = await query.get('/api/ui/cameras');
    expectShape(CamerasSchema, body);
    expect(body.cameras).toEqual([
      expect.objectContaining({ id: 'feeder', recordings: 1, last_recording_at: '2026-05-01T08:00:00.000Z' }),
      expect.objectContaining({ id: 'garden', recordings: 3, last_recording_at: '2026-05-01T08:01:00.000Z' }),
    ]);
  });

  it('with cameras in the settings, lists them first and without credentials or paths', async () => {
    const cameras = [
      { id: 'garden', name: 'Garden', stream_url: 'rtsp://me:secret@10.0.0.5/1' },
      { id: 'new' },
    ];
    await query.setSettings({ video: { cameras } });
    const { body } = await query.get('/api/ui/cameras');
    expectShape(CamerasSchema, body);
    expect(body.cameras).toMatchObject([
      { id: 'garden', name: 'Garden', stream_url: 'rtsp://10.0.0.5', enabled: true, recordings: 3 },
      { id: 'new', name: 'new', stream_url: null, recordings: 0, last_recording_at: null },
      { id: 'feeder', recordings: 1 },
    ]);
  });
});

describe('a camera', () => {
  let query: TestQuery;
  const hour = 3_600_000;
  const frame = (t: number, x: number) => ({ t, bbox: [x, 0.5, x + 0.1, 0.6] as const });
  const flies = Array.from({ length: 100 }, (_, at) => frame(at / 10, at / 120));
  const day = 'date=2026-05-01';
  const get = (id: string, what: string, parameters = day) =>
    query.get(`/api/ui/cameras/${encodeURIComponent(id)}/${what}?${parameters}`);

  beforeAll(async () => {
    query = await createTestQuery();
    await query.setSettings({ general: { timezone: 'Europe/Prague' }, video: { cameras: [{ id: 'new' }] } });
    const of = (cameraId: string, at: number, detections: Parameters<typeof aDetection>[0][]) =>
      query.post(aRecording({ start: start + at, cameraId, detections: detections.map(aDetection) }));
    await of('my/garden', 0, [{ speciesName: 'Great Tit', frames: flies }]);
    await of('my/garden', hour, [
      { speciesName: 'Coal Tit', frames: [frame(0, 0.5)] },
      { speciesName: 'Eurasian Wren', source: 'audio' },
    ]);
    await of('my/garden', 9 * hour, [{ speciesName: 'Great Tit' }]);
    await of('feeder', 2 * hour, [{ speciesName: 'Great Tit', frames: flies }]);
  });
  afterAll(() => query.close());

  it('with visits, has its own ones by hour of the zone and by species', async () => {
    const { body } = await get('my/garden', 'activity');
    expectShape(CameraActivitySchema, body);
    expect(body).toMatchObject({
      visits: 4,
      species: 3,
      top_species: [
        { name: 'Great Tit', visits: 2 },
        { name: 'Coal Tit', visits: 1 },
        { name: 'Eurasian Wren', visits: 1 },
      ],
    });
    expect([body.hours[10], body.hours[11], body.hours[19], body.hours[12]]).toEqual([1, 2, 1, 0]);
  });

  it('with birds that have boxes, has their places and the paths of those that moved', async () => {
    const { body } = await get('my/garden', 'places');
    expectShape(CameraPlacesSchema, body);
    expect(body).toMatchObject({ birds: 2, is_complete: true, columns: 32, rows: 18 });
    expect(Math.max(...body.cells)).toBe(2);
    const [path, ...more] = body.paths;
    expect([path.species_name, more]).toEqual(['Great Tit', []]);
    expect(path.points.length).toBeLessThanOrEqual(24);
    expect(path.points[0]).toEqual([0.05, 0.55]);
    expect(body.poster_url).toBeNull();
  });

  it('with a new bird, has it at once, unless it is of another day', async () => {
    const parameters = 'start_time=2026-06-01T00:00:00Z&end_time=2026-07-01T00:00:00Z';
    expect((await get('my/garden', 'places', parameters)).body.birds).toBe(0);
    const detections = [aDetection({ frames: flies })];
    await query.post(aRecording({ start: Date.UTC(2026, 5, 2), cameraId: 'my/garden', detections }));
    await query.post(aRecording({ start: Date.UTC(2026, 6, 2), cameraId: 'my/garden', detections }));
    expect((await get('my/garden', 'places', parameters)).body.birds).toBe(1);
    expect((await get('my/garden', 'activity', parameters)).body.visits).toBe(1);
  });

  it('with more birds than the limit, is incomplete', async () => {
    const at = Date.UTC(2026, 7, 1);
    const detections = Array.from({ length: maxTracks / 4 }, (_, id) =>
      aDetection({ trackId: String(id), frames: [frame(1, 0.2)] }),
    );
    for (let index = 0; index < 5; index += 1)
      await query.post(aRecording({ start: at + index * hour, cameraId: 'busy', detections }));
    const { body } = await get('busy', 'places', 'date=2026-08-01');
    expect([body.birds, body.is_complete, Math.max(...body.cells)]).toEqual([maxTracks, false, maxTracks]);
  });

  it('configured without recordings, is empty, and an unknown one is 404', async () => {
    expect((await get('new', 'activity')).body).toMatchObject({ visits: 0, top_species: [] });
    expect((await get('new', 'places')).body).toMatchObject({ birds: 0, paths: [] });
    for (const what of ['activity', 'places']) {
      const { status, body } = await get('other', what);
      expect([status, body.code]).toEqual([404, 'camera_not_found']);
    }
  });

  it.each([
    ['a'.repeat(65), day, 'camera_id'],
    ['a\u0000', day, 'camera_id'],
    ['new', '', 'start_time'],
    ['new', 'date=2026-02-30', 'date'],
    ['new', 'start_time=2025-01-01T00:00:00Z&end_time=2026-06-01T00:00:00Z', 'end_time'],
  ])('%j with %j, is refused for %s', async (id, parameters, field) => {
    for (const what of ['activity', 'places']) {
      const { status, body } = await get(id, what, parameters);
      expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', field]);
    }
  });
});
