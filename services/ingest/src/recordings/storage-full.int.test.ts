import { noteStorageState } from '@birdhub/shared/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aBody } from '../testing/bodies.js';
import { createTestIngest, type TestIngest } from '../testing/create-test-ingest.js';

describe('POST /videos, disk', () => {
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

  const post = () => ingest.post('/videos', aBody());
  const status = async () => (await post()).status;

  it('full and nothing left to clear, refuses and says when to come again', async () => {
    await noteStorageState(ingest.database.pool, true);
    ingest.disk.freeBytes = 1e9;
    await expect.poll(status).toBe(503);
    const { body, headers } = await post();
    expect([body.code, headers['retry-after']]).toEqual(['storage_full', '60']);
  });

  it('space again, takes recordings by itself', async () => {
    await noteStorageState(ingest.database.pool, true);
    ingest.disk.freeBytes = 1e9;
    await expect.poll(status).toBe(503);
    ingest.disk.freeBytes = 3e9;
    await expect.poll(status).toBeLessThan(300);
  });

  it('less is to stay free, takes recordings by itself', async () => {
    await noteStorageState(ingest.database.pool, true);
    ingest.disk.freeBytes = 1e9;
    await expect.poll(status).toBe(503);
    await ingest.setSettings({ retention: { min_free_gb: 0 } });
    await expect.poll(status).toBeLessThan(300);
  });

  it('little space while there is something to clear, takes recordings', async () => {
    ingest.disk.freeBytes = 0;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await status()).toBeLessThan(300);
  });

  it('full, still says what is wrong with a body', async () => {
    await noteStorageState(ingest.database.pool, true);
    ingest.disk.freeBytes = 1e9;
    await expect.poll(status).toBe(503);
    expect((await ingest.post('/videos', {})).status).toBe(400);
  });
});
