import { setTimeout as pause } from 'node:timers/promises';
import { createJobMetrics, type Job, type Jobs, startJobs } from '@birdhub/domain/jobs';
import { SettingsReader } from '@birdhub/domain/settings';
import { createSpeciesDirectory } from '@birdhub/domain/species';
import type { Change } from '@birdhub/shared/db';
import { createMetrics } from '@birdhub/shared/metrics';
import { systemClock } from '@birdhub/shared/time';
import {
  aRecording,
  createTestDatabase,
  createTestWriter,
  readExpectedState,
  readStoredState,
  storeSettings,
  type TestDatabase,
} from '@birdhub/testing';
import { manualClock } from '@birdhub/testing/clocks';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createVisitJob, startVisitAlignment } from './visit-rebuild.js';

const log = pino({ level: 'silent' });

describe('startVisitAlignment', () => {
  let database: TestDatabase;
  let settings: SettingsReader;
  let jobs: Jobs;
  let stops: (() => Promise<void>)[];
  let notified: Change[];
  beforeEach(async () => {
    notified = [];
    const notifier = { notify: (change: Change) => void notified.push(change), wake: () => undefined };
    database = await createTestDatabase();
    const { pool, prisma } = database;
    settings = new SettingsReader({ pool, timezone: 'UTC', log });
    const metrics = createJobMetrics(createMetrics('system').registry, ['visits']);
    const kinds = [createVisitJob({ pool, directory: createSpeciesDirectory(pool), notifier })];
    jobs = startJobs({ pool, prisma, notifier, log, clock: systemClock, metrics, kinds, pollIntervalMs: 50 });
    stops = [watch(), watch()];
  });
  afterEach(async () => {
    await Promise.all(stops.map((stop) => stop()));
    settings.close();
    await jobs.close();
    await database.drop();
  });

  const watch = () => startVisitAlignment({ pool: database.pool, settings, jobs, log, retryMs: 50 });
  async function change(value: object): Promise<void> {
    await storeSettings(database.pool, value);
    settings.forget();
  }
  const rule = async () =>
    (await database.pool.query('SELECT gap_ms, timezone FROM visit_rule')).rows[0] as unknown;
  const becomes = (gapMs: number, timezone: string) =>
    vi.waitFor(async () => expect(await rule()).toEqual({ gap_ms: gapMs, timezone }), 5_000);
  const jobRows = async () =>
    (await database.pool.query('SELECT state, parameters FROM job ORDER BY id')).rows as unknown;
  const done = (gapMs: number, timezone = 'UTC') => ({ state: 'done', parameters: { gapMs, timezone } });

  it('after a change of gap or zone, rebuilds the visits by one job and publishes it', async () => {
    await change({ visits: { gap_seconds: 0.5 } });
    await becomes(500, 'UTC');
    await change({ visits: { gap_seconds: 90 }, general: { timezone: 'Asia/Tehran' } });
    await becomes(90_000, 'Asia/Tehran');
    await vi.waitFor(() => expect(notified).toEqual([{ kind: 'everything' }, { kind: 'everything' }]));
    await vi.waitFor(async () => expect(await jobRows()).toEqual([done(500), done(90_000, 'Asia/Tehran')]));
  });

  it('after another change, rebuilds nothing', async () => {
    await change({ mqtt: { port: 5 } });
    await change({ visits: { gap_seconds: 7 } });
    await becomes(7_000, 'UTC');
    await vi.waitFor(async () => expect(await jobRows()).toEqual([done(7_000)]));
  });

  it('after a change and its reversal during a rebuild, ends with the last', async () => {
    const { pool } = database;
    const client = await pool.connect();
    await client.query('BEGIN; SELECT pg_advisory_xact_lock(7201, 0)');
    await change({ visits: { gap_seconds: 5 } });
    await vi.waitFor(async () => expect(await jobRows()).toMatchObject([{ state: 'running' }]), 5_000);
    await change({ visits: { gap_seconds: 60 } });
    await pause(150);
    await client.query('COMMIT');
    client.release();
    await vi.waitFor(async () => expect(await jobRows()).toEqual([done(5_000), done(60_000)]), 5_000);
    expect(await rule()).toEqual({ gap_ms: 60_000, timezone: 'UTC' });
  });

  it('after a cancellation, does not restart until the settings change or the service starts', async () => {
    const client = await database.pool.connect();
    await client.query('BEGIN; SELECT pg_advisory_xact_lock(7201, 0)');
    await change({ visits: { gap_seconds: 5 } });
    await vi.waitFor(async () => expect(await jobRows()).toMatchObject([{ state: 'running' }]), 5_000);
    await pause(150);
    const [{ id }] = (await database.pool.query('SELECT id FROM job')).rows;
    await jobs.cancel(id);
    await client.query('COMMIT');
    client.release();
    await vi.waitFor(async () => expect(await jobRows()).not.toMatchObject([{ state: 'running' }]), 5_000);
    await pause(300);
    expect(await jobRows()).toHaveLength(1);
  });

  it('after it has ended, leaves changes to the next start', async () => {
    await change({ visits: { gap_seconds: 5 } });
    await becomes(5_000, 'UTC');
    await Promise.all(stops.map((stop) => stop()));
    await change({ visits: { gap_seconds: 6 } });
    await settings.current();
    await pause(200);
    expect(await rule()).toEqual({ gap_ms: 5_000, timezone: 'UTC' });
    stops = [watch()];
    await becomes(6_000, 'UTC');
  });
});

const start = Date.UTC(2026, 4, 1, 8);

describe('the rebuild job', () => {
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
    const { directory, notifier } = createTestWriter(pool);
    const metrics = createJobMetrics(createMetrics('system').registry, ['visits']);
    const kinds = [createVisitJob({ pool, directory, notifier })];
    return startJobs({ pool, prisma, notifier, log, clock, metrics, kinds, pollIntervalMs: 50 });
  }
  const ended = (id: number) => jobs.waitUntilFinished(id, AbortSignal.timeout(10_000));
  const begin = (gapSeconds: number) => jobs.start('visits', { gapMs: gapSeconds * 1000, timezone: 'UTC' });
  const rowOf = async (id: number) =>
    (await database.pool.query<Job>('SELECT * FROM job WHERE id = $1', [id])).rows[0];
  /** Blocks a rebuild until the returned function is called. */
  async function hold() {
    const client = await database.pool.connect();
    await client.query('BEGIN; SELECT pg_advisory_xact_lock(7201, 0)');
    return async () => {
      await client.query('COMMIT');
      client.release();
    };
  }

  it('with another gap, counts detections and visits and publishes an event', async () => {
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

  it('whose process ended in the middle, is started again by the next', async () => {
    const release = await hold();
    const { id } = await begin(60);
    await vi.waitFor(async () => expect(await rowOf(id)).toMatchObject({ runner: expect.any(String) }));
    const first = jobs.close();
    await release();
    await first;
    expect(await rowOf(id)).toMatchObject({ state: 'running' });
    jobs = open();
    expect(await ended(id)).toMatchObject({ state: 'done', result: { visits: 3 } });
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
  });

  it('cancelled from another process, leaves everything unchanged', async () => {
    const before = await readStoredState(database.pool);
    const release = await hold();
    const { id } = await begin(300);
    await pause(100);
    await database.pool.query('UPDATE job SET cancel_requested = true');
    clock.advance(1_000);
    await release();
    expect(await ended(id)).toMatchObject({ state: 'cancelled', result: null });
    expect(await readStoredState(database.pool)).toEqual(before);
  });
});
