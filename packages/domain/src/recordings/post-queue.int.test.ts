import { translateDatabaseError } from '@birdhub/shared/db';
import {
  aDetection,
  aRecording,
  createTestDatabase,
  readExpectedState,
  readStoredState,
  type TestDatabase,
  testAuthor,
} from '@birdhub/testing';
import { anySteps, historySpecies } from '@birdhub/testing/arbitrary-steps';
import { createHistory } from '@birdhub/testing/history';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginExclusive } from '../visits/locks.js';
import type { PostedRecording } from './recording.js';

const start = Date.UTC(2026, 4, 1, 8);

/** A recording of one species, `seconds` into the morning. */
function at(seconds: number, speciesName = 'Stranger', given: Partial<PostedRecording> = {}) {
  const detections = [aDetection({ speciesName })];
  return aRecording({ start: start + seconds * 1000, videoPath: `${seconds}.mp4`, detections, ...given });
}

describe('concurrent posts', () => {
  let database: TestDatabase;
  let history: Awaited<ReturnType<typeof createHistory>>;

  beforeAll(async () => {
    database = await createTestDatabase();
    history = await createHistory(database.pool);
  });
  afterAll(() => database.drop());
  beforeEach(() => history.clear());

  const post = (recording: PostedRecording, options = {}) => history.writer.post(recording, 'test', options);
  const rowsOf = async <T extends object>(sql: string) => (await database.pool.query<T>(sql)).rows;
  const expectTheRule = async () =>
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
  const countTransactions = async () => (await rowsOf('SELECT DISTINCT xmin::text FROM video')).length;

  it('of new recordings, share a transaction, and each gets its own rows and result', async () => {
    const seconds = Array.from({ length: 12 }, (_, index) => index * 40);
    const results = await Promise.all(
      seconds.map((second) => post(at(second, historySpecies[second % historySpecies.length]))),
    );
    expect(results.every(({ created, detections }) => created && detections === 1)).toBe(true);
    expect(await countTransactions()).toBe(1);
    const stored = await rowsOf<{ videoId: number; visitId: number; path: string }>(
      `SELECT video.id AS "videoId", visit_id AS "visitId", video_path AS path
       FROM video JOIN detection ON video_id = video.id ORDER BY video.start_time`,
    );
    expect(stored).toEqual(
      results.map(({ videoId, visitIds: [visitId] }, index) => ({
        videoId,
        visitId,
        path: `${seconds[index]}.mp4`,
      })),
    );
    await expectTheRule();
  });

  it('with more rows than a group may have, are stored in several groups', async () => {
    const detections = Array.from({ length: 50 }, () => aDetection({ speciesName: 'Stranger' }));
    await Promise.all([0, 100, 200, 300].map((second) => post(at(second, '', { detections }))));
    expect(await countTransactions()).toBeGreaterThan(1);
    await expectTheRule();
  });

  it('in random bursts, result in the visits of the rule', async () => {
    const spread = { keys: 6, cameras: ['', 'north'], starts: 600, tracks: [null, '1'], steps: 24 };
    const property = fc.asyncProperty(anySteps(spread), async (steps) => {
      await history.clear();
      const posts = steps.flatMap((step) => (step.kind === 'post' ? [step] : []));
      const bursts = [posts.slice(0, 8), posts.slice(8)];
      for (const burst of bursts) {
        const results = burst.map(({ key, camera, start: after, rows }) =>
          post(
            at(after, '', {
              videoPath: `${key}.mp4`,
              cameraId: camera,
              detections: rows.map(({ length, ...row }) =>
                aDetection({ ...row, endOffset: row.startOffset + length }),
              ),
            }),
          ),
        );
        await Promise.all(results);
        await expectTheRule();
      }
    });
    await fc.assert(property, { numRuns: 25 });
  }, 120_000);

  it('one of which cannot be stored, leave the others stored', async () => {
    const fail = () => {
      throw new Error('no room for it');
    };
    const results = await Promise.allSettled([
      post(at(0)),
      post(at(30), { alsoWrite: fail }),
      post(at(60, 'Parent')),
    ]);
    expect(results).toMatchObject([
      { status: 'fulfilled', value: { created: true } },
      { status: 'rejected', reason: { message: 'no room for it' } },
      { status: 'fulfilled', value: { created: true } },
    ]);
    expect(await rowsOf('SELECT video_path FROM video ORDER BY 1')).toEqual([
      { video_path: '0.mp4' },
      { video_path: '60.mp4' },
    ]);
    await expectTheRule();
  });

  it('of new, identical, changed, only-new and deleted recordings, each get their own result', async () => {
    const [same, changed, kept, gone] = await Promise.all([0, 30, 60, 90].map((second) => post(at(second))));
    await history.writer.remove(gone?.videoId ?? 0, testAuthor);
    const results = await Promise.all([
      post(at(120)),
      post(at(0)),
      post(at(30, 'Parent')),
      post(at(60, 'Parent'), { onlyNew: true }),
      post(at(90, 'Parent')),
    ]);
    expect(results).toMatchObject([
      { created: true, deleted: false },
      { videoId: same?.videoId, created: false, deleted: false },
      { videoId: changed?.videoId, created: false, deleted: false },
      { videoId: kept?.videoId, created: false, deleted: false },
      { videoId: gone?.videoId, created: false, deleted: true },
    ]);
    const names = await rowsOf<{ name: string }>(
      'SELECT posted_name AS name FROM detection JOIN video ON video.id = video_id ORDER BY video.start_time',
    );
    expect(names.map(({ name }) => name)).toEqual(['Stranger', 'Parent', 'Stranger', 'Stranger']);
    await expectTheRule();
  });

  it('of the same recording, store it once', async () => {
    const results = await Promise.all([post(at(0)), post(at(0)), post(at(30)), post(at(0))]);
    expect(results.filter(({ created }) => created)).toHaveLength(2);
    expect(new Set(results.map(({ videoId }) => videoId)).size).toBe(2);
    await expectTheRule();
  });

  it('within one visit, publish an event per recording and one for the visit', async () => {
    const [first] = await Promise.all([post(at(0)), post(at(30)), post(at(60))]);
    const events = await rowsOf<{ subject: string; payload: object }>('SELECT subject, payload FROM outbox');
    expect(events.map(({ subject }) => subject).sort()).toEqual([
      ...Array(3).fill('hub.v1.recording.upserted'),
      'hub.v1.visit.started',
    ]);
    const started = events.find(({ subject }) => subject === 'hub.v1.visit.started');
    expect(started?.payload).toMatchObject({
      video_id: first?.videoId,
      start_time: new Date(start).toISOString(),
      end_time: new Date(start + 62_000).toISOString(),
    });
  });

  it('whose connection is lost, fail as unavailable and can be repeated', async () => {
    const { pool } = database;
    const blocker = await pool.connect();
    await blocker.query(beginExclusive);
    const recordings = [0, 30, 60].map((second) => at(second));
    const posts = Promise.allSettled(recordings.map((recording) => post(recording)));
    const terminate = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    for (let count = 0; count === 0; ) count = (await blocker.query(terminate)).rows.length;
    const outcomes = await posts;
    await blocker.query('COMMIT');
    blocker.release();
    const codes = outcomes.map(
      (outcome) => outcome.status === 'rejected' && translateDatabaseError(outcome.reason)?.code,
    );
    expect(codes).toEqual(Array(3).fill('database_unavailable'));
    expect(
      (await Promise.all(recordings.map((recording) => post(recording)))).every(({ created }) => created),
    ).toBe(true);
    await expectTheRule();
  });
});
