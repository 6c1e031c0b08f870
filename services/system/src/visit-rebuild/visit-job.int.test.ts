import { setTimeout as pause } from 'node:timers/promises';
import { createMetrics } from '@birdhub/shared/metrics';
import { manualClock } from '@birdhub/shared/time';
import {
  aRecording,
  createTestDatabase,
  createTestWriter,
  readExpectedState,
  readStoredState,
  type TestDatabase,
} from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job } from '../jobs/job.js';
import { createJobMetrics } from '../jobs/job-metrics.js';
import { type Jobs, startJobs } from '../jobs/job-runner.js';
import { createVisitJob } from './visit-job.js';

const log = pino({ level: 'silent' });
const start = Date.UTC(2026, 4, 1, 8);

describe('the job that rebuilds visits', () => {
  let database: TestDatabase;
  let jobs: Jobs;
  const clock = manualClock(start);

  beforeAll(async () => {
    database = await createTestDatabase();
    const { writer } = createTestWriter(database.pool);
    for (let minute = 0; minute < 6; minute += 2) {
      await writer.post(aRecording({ start: start + minute * 60_000 }), 'test');
    }
  });
  beforeEach(() => {
    jobs = open();
  });
  afterEach(async () => {
    await jobs.close();
    await database.pool.query('TRUNCATE job, outbox');
  });
  afterAll(() => database.drop());

  function open(): Jobs {
    const { pool, prisma } = database;
    const { directory } = createTestWriter(pool);
    const metrics = createJobMetrics(createMetrics('system').registry);
    const kinds = [createVisitJob({ pool, directory, notifier: { notify: () => 'a:1' } })];
    return startJobs({ pool, prisma, log, clock, metrics, kinds, pollIntervalMs: 50 });
  }
  const ended = (id: number) => jobs.waitUntilFinished(id, AbortSignal.timeout(10_000));
  const begin = (gapSeconds: number) => jobs.start('visits', { gapMs: gapSeconds * 1000, timezone: 'UTC' });
  const rowOf = async (id: number) =>
    (await database.pool.query<Job>('SELECT * FROM job WHERE id = $1', [id])).rows[0];
  /** Keeps a rebuild from going on. */
  async function hold() {
    const client = await database.pool.connect();
    await client.query('BEGIN; SELECT pg_advisory_xact_lock(7201, 0)');
    return async () => {
      await client.query('COMMIT');
      client.release();
    };
  }

  it('by another gap, counts detections and visits and publishes an event', async () => {
    const job = await begin(300);
    expect(await ended(job.id)).toMatchObject({
      state: 'done',
      result: { visits: 1 },
      total: 3,
      processed: 3,
      generated: 1,
    });
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
    const { rows } = await database.pool.query('SELECT payload FROM outbox WHERE subject = $1', [
      'hub.v1.job.finished',
    ]);
    expect(rows).toEqual([{ payload: { job_id: job.id, kind: 'visits', state: 'done' } }]);
  });

  it('whose process ended in its middle, is begun again by the next', async () => {
    const letGo = await hold();
    const { id } = await begin(60);
    await vi.waitFor(async () => expect(await rowOf(id)).toMatchObject({ runner: expect.any(String) }));
    const first = jobs.close();
    await letGo();
    await first;
    expect(await rowOf(id)).toMatchObject({ state: 'running' });
    jobs = open();
    expect(await ended(id)).toMatchObject({ state: 'done', result: { visits: 3 } });
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
  });

  it('cancelled from another process, leaves everything as it was', async () => {
    const before = await readStoredState(database.pool);
    const letGo = await hold();
    const { id } = await begin(300);
    await pause(100);
    await database.pool.query('UPDATE job SET cancel_requested = true');
    clock.advance(1_000);
    await letGo();
    expect(await ended(id)).toMatchObject({ state: 'cancelled', result: null });
    expect(await readStoredState(database.pool)).toEqual(before);
  });
});
