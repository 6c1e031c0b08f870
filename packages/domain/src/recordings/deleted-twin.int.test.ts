import {
  aRecording,
  createTestDatabase,
  createTestWriter,
  type TestDatabase,
  type TestWriter,
} from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginAlone } from '../visits/writer-locks.js';

describe('a post that waits for a lock', () => {
  let database: TestDatabase;
  let hub: TestWriter;

  beforeAll(async () => {
    database = await createTestDatabase();
    hub = createTestWriter(database.pool);
  });
  afterAll(() => database.drop());

  async function waitForWaiters(count: number): Promise<void> {
    const waiting = `SELECT count(*) AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    for (;;) {
      const { rows } = await database.pool.query<{ count: number }>(waiting);
      if (rows[0]?.count === count) return;
    }
  }

  it('while its twin is deleted, does not bring the recording back', async () => {
    const recording = aRecording({ videoPath: 'twin.mp4' });
    const blocker = await database.pool.connect();
    await blocker.query(beginAlone);
    const late = hub.writer.post(recording, 'late');
    await waitForWaiters(1);
    await blocker.query(`INSERT INTO deleted_video (id, camera_id, video_path) VALUES (4711, $1, $2)`, [
      recording.cameraId,
      recording.videoPath,
    ]);
    await blocker.query('COMMIT');
    blocker.release();
    expect(await late).toMatchObject({ videoId: 4711, created: false, deleted: true, detections: 0 });
    const { rows } = await database.pool.query('SELECT id FROM video');
    expect(rows).toEqual([]);
  });
});
