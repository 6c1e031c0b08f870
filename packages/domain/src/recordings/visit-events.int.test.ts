import {
  aDetection,
  aRecording,
  createTestDatabase,
  createTestWriter,
  type TestDatabase,
  type TestWriter,
} from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const start = Date.UTC(2026, 4, 1, 8);

describe('events of visits', () => {
  let database: TestDatabase;
  let hub: TestWriter;
  beforeAll(async () => {
    database = await createTestDatabase();
    hub = createTestWriter(database.pool);
  });
  afterAll(() => database.drop());

  /** Posts a great tit seen for two seconds, `at` seconds into the morning; answers what is told of visits. */
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

  it('a visit that a post begins, lengthens at its end and at its start, is told of each time', async () => {
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

  it('a post within a visit, tells nothing of it', async () => {
    expect(await postAt(10, { endOffset: 1 })).toEqual([]);
  });
});
