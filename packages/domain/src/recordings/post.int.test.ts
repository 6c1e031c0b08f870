import {
  aDetection,
  aRecording,
  createTestDatabase,
  createTestWriter,
  type TestDatabase,
  type TestWriter,
} from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { beginExclusive } from '../visits/locks.js';

describe('post', () => {
  let database: TestDatabase;
  let hub: TestWriter;
  beforeAll(async () => {
    database = await createTestDatabase();
    hub = createTestWriter(database.pool);
  });
  afterAll(() => database.drop());

  describe('visit events', () => {
    const start = Date.UTC(2026, 4, 1, 8);

    /** Posts a great tit of two seconds, `at` seconds into the morning; returns the visit events. */
    async function postAt(at: number, given = {}) {
      await database.pool.query('TRUNCATE outbox');
      const detections = [aDetection(given)];
      await hub.writer.post(
        aRecording({ start: start + at * 1000, videoPath: `${at}.mp4`, detections }),
        'test',
      );
      const { rows } = await database.pool.query(
        `SELECT subject, payload FROM outbox WHERE subject LIKE 'hub.v1.visit.%'`,
      );
      return rows;
    }

    it('posts that start a visit, extend its end and extend its start, publish one event each', async () => {
      const [started] = await postAt(0);
      expect(started.subject).toBe('hub.v1.visit.started');
      const { visit_id } = started.payload;
      expect(await postAt(30)).toMatchObject([
        {
          subject: 'hub.v1.visit.extended',
          payload: {
            visit_id,
            species_name: 'Great Tit',
            start_time: new Date(start).toISOString(),
            end_time: new Date(start + 32_000).toISOString(),
          },
        },
      ]);
      expect(await postAt(-30)).toMatchObject([
        {
          subject: 'hub.v1.visit.extended',
          payload: { visit_id, start_time: new Date(start - 30_000).toISOString() },
        },
      ]);
    });

    it('a post within a visit, publishes no visit event', async () => {
      expect(await postAt(10, { endOffset: 1 })).toEqual([]);
    });
  });

  it('a recording of a further camera, when the hub has 1,000, is refused; those of known cameras are stored', async () => {
    const full = await createTestDatabase();
    onTestFinished(() => full.drop());
    await full.pool.query(`INSERT INTO camera (id) SELECT 'camera ' || n FROM generate_series(1, 999) n`);
    const { writer } = createTestWriter(full.pool);
    const post = (cameraId: string, videoPath: string) =>
      writer.post(aRecording({ cameraId, videoPath }), 'test');
    expect(await post('garden', '1.mp4')).toMatchObject({ created: true });
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(post('street', `${attempt}.mp4`)).rejects.toMatchObject({
        code: 'invalid_request',
        details: [{ path: '/camera_id' }],
      });
    expect(await post('garden', '2.mp4')).toMatchObject({ created: true });
    expect(await post('camera 7', '1.mp4')).toMatchObject({ created: true });
    expect(await post('', '3.mp4')).toMatchObject({ created: true });
  });

  describe('a post waiting for a lock', () => {
    async function waitForWaiters(count: number): Promise<void> {
      const waiting = `SELECT count(*) AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
      for (;;) {
        const { rows } = await database.pool.query<{ count: number }>(waiting);
        if (rows[0]?.count === count) return;
      }
    }

    it('while the same recording is deleted, does not store it again', async () => {
      const recording = aRecording({ videoPath: 'twin.mp4' });
      const blocker = await database.pool.connect();
      await blocker.query(beginExclusive);
      const late = hub.writer.post(recording, 'late');
      await waitForWaiters(1);
      await blocker.query(`INSERT INTO deleted_video (id, camera_id, video_path) VALUES (4711, $1, $2)`, [
        recording.cameraId,
        recording.videoPath,
      ]);
      await blocker.query('COMMIT');
      blocker.release();
      expect(await late).toMatchObject({ videoId: 4711, created: false, deleted: true, detections: 0 });
      const { rows } = await database.pool.query('SELECT id FROM video WHERE video_path = $1', [
        recording.videoPath,
      ]);
      expect(rows).toEqual([]);
    });
  });
});
