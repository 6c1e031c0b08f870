import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { aRecordingBody, createTestIngest, type TestIngest } from '../testing/create-test-ingest.js';

describe('POST /videos, aborted by its client', () => {
  let ingest: TestIngest;
  let address: string;

  beforeAll(async () => {
    ingest = await createTestIngest();
    address = await ingest.listen();
  });
  afterAll(() => ingest.close());

  const post = (name: string, signal: AbortSignal | null = null) =>
    fetch(`${address}/api/processor/videos`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(aRecordingBody({ video_path: name })),
      signal,
    });
  const waitingForLocks = async () =>
    (await ingest.rows(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).length;

  it('while another one is being stored, is not stored until it is posted again', async () => {
    await post('first.mp4');
    const { pool } = ingest.database;
    const holder = await pool.connect();
    await holder.query('BEGIN; SELECT pg_advisory_xact_lock(7201, 0)');
    const inHand = post('in-hand.mp4');
    await vi.waitUntil(async () => (await waitingForLocks()) === 1);
    const leaving = new AbortController();
    const abandoned = post('abandoned.mp4', leaving.signal);
    await pause(200);
    leaving.abort();
    await expect(abandoned).rejects.toThrow('abort');
    await pause(200);
    await holder.query('COMMIT');
    holder.release();

    expect((await inHand).status).toBe(201);
    const after = await post('after.mp4');
    expect(after.status).toBe(201);
    const paths = await ingest.rows<{ path: string }>('SELECT video_path AS path FROM video');
    expect(paths.map(({ path }) => path)).not.toContain('abandoned.mp4');
    expect((await post('abandoned.mp4')).status).toBe(201);
  });
});
