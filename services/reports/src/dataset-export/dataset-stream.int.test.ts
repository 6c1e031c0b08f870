import { readdir } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { insertManyVisits } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestReports, type TestReports } from '../testing/create-test-reports.js';
import { createFakeCrops } from '../testing/fake-crops.js';

const pictureBytes = 100_000;
const count = 1_000;
const megabyte = 1_000_000;

describe('a large data set', () => {
  const crops = createFakeCrops(pictureBytes);
  let reports: TestReports;

  beforeAll(async () => {
    reports = await createTestReports({ crops });
    vi.stubEnv('TMPDIR', reports.dataDir);
    const { pool } = reports.database;
    await insertManyVisits(pool, { count, from: Date.UTC(2026, 0, 1), everyMs: 600_000 });
    await pool.query(
      `INSERT INTO detection_track SELECT id, '[{"t":1,"bbox":[0.1,0.1,0.4,0.4]}]' FROM detection`,
    );
    await reports.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await reports.close();
  });

  function begin(query = ''): Promise<IncomingMessage> {
    const { port } = reports.app.server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      request({ port, path: `/api/ui/dataset/export?${query}`, agent: false }, resolve)
        .on('error', reject)
        .end();
    });
  }

  async function expectNothingLeft() {
    const { pool } = reports.database;
    await vi.waitFor(() => expect(pool.idleCount).toBe(pool.totalCount), 5_000);
    await vi.waitFor(async () => {
      const left = (await readdir(reports.dataDir)).filter((name) => name.startsWith('birdhub-dataset-'));
      expect(left).toEqual([]);
    }, 5_000);
  }

  it.each(['crops', 'yolo'])('as %s, is complete', async (format) => {
    const response = await begin(`format=${format}`);
    let bytes = 0;
    for await (const chunk of response) bytes += chunk.length;
    expect(bytes).toBeGreaterThan(count * pictureBytes);
    await expectNothingLeft();
  });

  it('for a client that does not read, is not read ahead', async () => {
    const before = crops.returnedCount;
    const response = await begin();
    response.pause();
    await vi.waitFor(() => expect(crops.returnedCount).toBeGreaterThan(before));
    await wait(1_000);
    expect((crops.returnedCount - before) * pictureBytes).toBeLessThan(20 * megabyte);
    response.destroy();
    await expectNothingLeft();
  });

  it('for a client that disconnects, ends its work', async () => {
    const before = crops.returnedCount;
    const response = await begin();
    await new Promise<void>((resolve) => void response.once('data', () => resolve()));
    response.destroy();
    await expectNothingLeft();
    expect(crops.returnedCount - before).toBeLessThan(count);
  });
});
