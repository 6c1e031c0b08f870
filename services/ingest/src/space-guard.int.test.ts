import { noteStorageState } from '@birdhub/domain/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aRecordingBody, createTestIngest, type TestIngest } from './testing/create-test-ingest.js';

describe('ingest, a disk', () => {
  let ingest: TestIngest;

  beforeAll(async () => {
    ingest = await createTestIngest();
  });
  beforeEach(async () => {
    ingest.disk.freeBytes = 1e15;
    await noteStorageState(ingest.database.pool, false);
    await ingest.setSettings({ retention: { min_free_gb: 2 } });
    await expect.poll(status).toBeLessThan(300);
  });
  afterAll(() => ingest.close());

  const post = () => ingest.post('/videos', aRecordingBody());
  const status = async () => (await post()).status;

  it('that is full with nothing left to delete, is 503 with Retry-After', async () => {
    await noteStorageState(ingest.database.pool, true);
    ingest.disk.freeBytes = 1e9;
    await expect.poll(status).toBe(503);
    const { body, headers } = await post();
    expect([body.code, headers['retry-after']]).toEqual(['storage_full', '60']);
  });

  it('that has space again, accepts recordings again', async () => {
    await noteStorageState(ingest.database.pool, true);
    ingest.disk.freeBytes = 1e9;
    await expect.poll(status).toBe(503);
    ingest.disk.freeBytes = 3e9;
    await expect.poll(status).toBeLessThan(300);
  });

  it('with a lower minimum of free space in the settings, accepts recordings again', async () => {
    await noteStorageState(ingest.database.pool, true);
    ingest.disk.freeBytes = 1e9;
    await expect.poll(status).toBe(503);
    await ingest.setSettings({ retention: { min_free_gb: 0 } });
    await expect.poll(status).toBeLessThan(300);
  });

  it('with little space while files can be deleted, accepts recordings', async () => {
    ingest.disk.freeBytes = 0;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await status()).toBeLessThan(300);
  });

  it('that is full, accepts heartbeats, but neither notices, new entries of processors nor active species', async () => {
    const entry = await ingest.post('/activity_log', { type: 'log', data: {} });
    await noteStorageState(ingest.database.pool, true);
    ingest.disk.freeBytes = 1e9;
    await expect.poll(status).toBe(503);
    const responses = [
      await ingest.post('/notify/detections', { detection: 'Robin' }),
      await ingest.post('/notify/motion', {}),
      await ingest.send('PUT', '/species/active', ['Robin']),
      await ingest.post('/activity_log', { type: 'log', data: {} }),
      await ingest.post('/activity_log', { type: 'log', data: {}, id: entry.body.id }),
      await ingest.post('/activity_log', { type: 'heartbeat', data: {} }),
    ];
    expect(responses.map((response) => response.status)).toEqual([503, 503, 503, 503, 200, 201]);
  });

  it('that is full, still validates bodies first', async () => {
    await noteStorageState(ingest.database.pool, true);
    ingest.disk.freeBytes = 1e9;
    await expect.poll(status).toBe(503);
    expect((await ingest.post('/videos', {})).status).toBe(400);
  });
});
