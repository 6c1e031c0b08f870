import { aRecording } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { CamerasSchema } from './cameras.schema.js';

const start = Date.UTC(2026, 4, 1, 8);

describe('GET /cameras', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());

  it('a new hub, has none', async () => {
    expect((await query.get('/api/ui/cameras')).body).toEqual({ cameras: [] });
  });

  it('recordings of two cameras and of none, names the two with their newest', async () => {
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

  it('the settings name cameras, lists them first and without credentials', async () => {
    const cameras = [
      { id: 'garden', name: 'Garden', stream_url: 'rtsp://me:secret@10.0.0.5/1' },
      { id: 'new' },
    ];
    await query.setSettings({ video: { cameras } });
    const { body } = await query.get('/api/ui/cameras');
    expectShape(CamerasSchema, body);
    expect(body.cameras).toMatchObject([
      { id: 'garden', name: 'Garden', stream_url: 'rtsp://10.0.0.5/1', enabled: true, recordings: 3 },
      { id: 'new', name: 'new', stream_url: null, recordings: 0, last_recording_at: null },
      { id: 'feeder', recordings: 1 },
    ]);
  });
});
