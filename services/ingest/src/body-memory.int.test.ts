import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBodyMemory } from './body-memory.js';
import { aRecordingBody, createTestIngest, type TestIngest } from './testing/create-test-ingest.js';

describe('memory for large bodies', () => {
  const megabyte = 1024 * 1024;
  const memory = createBodyMemory(20 * megabyte);
  let hub: TestIngest;

  beforeAll(async () => {
    hub = await createTestIngest({ bodyMemory: memory });
    await hub.setSettings({ hooks: [{ name: 'door', species_name: '/a' }] });
  });
  afterAll(() => hub.close());

  it.each([
    ['POST', '/videos'],
    ['POST', '/sightings'],
    ['POST', '/hooks/door'],
    ['POST', '/notify/detections'],
    ['PUT', '/species/active'],
  ] as const)('%s %s, waits until there is enough', async (method, path) => {
    const release = memory.take(19.5 * megabyte);
    let isAnswered = false;
    const sending = hub.send(method, path, 'x'.repeat(megabyte)).finally(() => {
      isAnswered = true;
    });
    await expect.poll(() => memory.waiting).toBe(1);
    expect(isAnswered).toBe(false);
    release();
    expect((await sending).status).toBe(400);
    await expect.poll(() => memory.inUse).toBe(0);
  });

  it('small bodies and uploads, do not wait', async () => {
    const release = memory.take(20 * megabyte);
    expect((await hub.post('/videos', aRecordingBody())).status).toBe(201);
    const film = Buffer.concat([Buffer.from('\0\0\0\x20ftypisom', 'latin1'), Buffer.alloc(100_000)]);
    expect((await hub.send('PUT', '/media/a.mp4', film)).status).toBe(201);
    release();
  });
});
