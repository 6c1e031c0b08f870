import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jobProblem } from './job-problems.js';
import {
  addJob,
  findJob,
  findRunning,
  finishItem,
  finishJob,
  leaseJob,
  maxFailures,
  requestCancel,
  saveProgress,
  startItem,
} from './jobs.store.js';

const everything = { force: false, from: null, to: null, videoIds: null };
const counts = {
  ...{ total: 9, processed: 4, generated: 1, failed: 1, skipped: 2 },
  failures: [{ path: 'a/video.mp4', reason: 'not a video' }],
};

describe('a job and its runner', () => {
  let database: TestDatabase;
  let jobId: number;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    await database.pool.query('TRUNCATE job, outbox');
    jobId = (await addJob(database, 'tracks', everything))?.id ?? 0;
  });
  afterAll(() => database.drop());

  const take = (runner: string) => leaseJob(database.prisma, 'tracks', runner);
  const stored = () => findJob(database.prisma, jobId);
  const deps = () => ({
    pool: database.pool,
    notifier: { notify: () => undefined, wake: () => undefined },
  });

  it('a second job of a kind, is refused while the first runs', async () => {
    expect(await addJob(database, 'tracks', everything)).toBeUndefined();
    expect(await addJob(database, 'scan', { background: true })).toMatchObject({ kind: 'scan', total: 0 });
    expect(await findRunning(database.pool, 'tracks')).toEqual(everything);
    expect(await findRunning(database.pool, 'visits')).toBeUndefined();
  });

  it('leased for the first time, is not resumed; leased again, it is', async () => {
    expect(await take('a')).toMatchObject({ id: jobId, runner: 'a', isResumed: false, position: 0 });
    expect(await take('b')).toMatchObject({ id: jobId, runner: 'b', isResumed: true });
    expect(await leaseJob(database.prisma, 'scan', 'a')).toBeUndefined();
  });

  it('leased by another runner, is lost to the first, which can change nothing any more', async () => {
    await take('a');
    await take('b');
    const before = await stored();
    const run = { jobId, runner: 'a' };
    expect(await startItem(database.pool, run, 5)).toBe('lost');
    await finishItem(database.pool, run, 5, { outcome: 'skipped' });
    expect(await saveProgress(database.prisma, run, counts)).toBe('lost');
    expect(await finishJob(deps(), run, 'tracks', { state: 'done', error: null })).toBeUndefined();
    expect(await stored()).toEqual(before);
    expect((await database.pool.query('SELECT FROM outbox')).rowCount).toBe(0);
  });

  it('cancelled, stops at the next item and at the next progress report', async () => {
    await take('a');
    const run = { jobId, runner: 'a' };
    expect(await startItem(database.pool, run, 5)).toBe('held');
    expect(await saveProgress(database.prisma, run, counts)).toBe('held');
    expect(await stored()).toMatchObject({ ...counts, currentVideoId: 5 });
    await requestCancel(database.prisma, jobId);
    expect(await startItem(database.pool, run, 6)).toBe('cancelled');
    expect(await saveProgress(database.prisma, run, counts)).toBe('cancelled');
  });

  it('with more failures than are stored, counts all of them', async () => {
    await take('a');
    const failures = Array.from({ length: maxFailures }, () => ({ reason: 'silent' }));
    await saveProgress(database.prisma, { jobId, runner: 'a' }, { ...counts, failed: maxFailures, failures });
    await finishItem(database.pool, { jobId, runner: 'a' }, 7, {
      outcome: 'failed',
      reason: jobProblem('file_missing'),
    });
    const job = await stored();
    expect(job).toMatchObject({ failed: maxFailures + 1, position: 7 });
    expect(job?.failures).toEqual(failures);
  });

  it('failed, keeps its result so far beside the reason', async () => {
    await take('a');
    const run = { jobId, runner: 'a' };
    await saveProgress(database.prisma, run, counts, { checkpoint: {}, result: { visits: 2 } });
    const failure = [jobProblem('crashed')];
    await finishJob(deps(), run, 'tracks', { state: 'error', error: 'It failed.', failure });
    expect(await stored()).toMatchObject({
      state: 'error',
      error: 'It failed.',
      result: { visits: 2, failure },
    });
  });

  it('finished, has a result and no runner, and an event is published', async () => {
    await take('a');
    const end = { state: 'done', error: null, result: { visits: 3 } } as const;
    const seconds = await finishJob(deps(), { jobId, runner: 'a' }, 'tracks', end);
    expect(seconds).toBeGreaterThanOrEqual(0);
    expect(await stored()).toMatchObject({ state: 'done', result: { visits: 3 }, runner: null });
    expect((await database.pool.query('SELECT payload FROM outbox')).rows).toEqual([
      { payload: { job_id: jobId, kind: 'tracks', state: 'done' } },
    ]);
  });
});
