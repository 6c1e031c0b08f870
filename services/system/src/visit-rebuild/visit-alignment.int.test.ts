import { setTimeout as pause } from 'node:timers/promises';
import { createSettingsReader, type SettingsReader } from '@birdhub/domain/settings';
import { createSpeciesDirectory } from '@birdhub/domain/species';
import type { Change } from '@birdhub/shared/db';
import { createMetrics } from '@birdhub/shared/metrics';
import { systemClock } from '@birdhub/shared/time';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createJobMetrics } from '../jobs/job-metrics.js';
import { type Jobs, startJobs } from '../jobs/job-runner.js';
import { startVisitAlignment } from './visit-alignment.js';
import { createVisitJob } from './visit-job.js';

const log = pino({ level: 'silent' });

describe('startVisitAlignment', () => {
  let database: TestDatabase;
  let settings: SettingsReader;
  let jobs: Jobs;
  let stops: (() => Promise<void>)[];
  let notified: Change[];
  beforeEach(async () => {
    notified = [];
    const notifier = { notify: (change: Change) => `a:${notified.push(change)}` };
    database = await createTestDatabase();
    const { pool, prisma } = database;
    settings = createSettingsReader({ pool, timezone: 'UTC', log });
    const metrics = createJobMetrics(createMetrics('system').registry);
    const kinds = [createVisitJob({ pool, directory: createSpeciesDirectory(pool), notifier })];
    jobs = startJobs({ pool, prisma, log, clock: systemClock, metrics, kinds, pollIntervalMs: 50 });
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
    await database.pool.query(`UPDATE setting SET value = $1, version = version + 1 WHERE key = 'hub'`, [
      value,
    ]);
    settings.forget();
  }
  const rule = async () =>
    (await database.pool.query('SELECT gap_ms, timezone FROM visit_rule')).rows[0] as unknown;
  const becomes = (gapMs: number, timezone: string) =>
    vi.waitFor(async () => expect(await rule()).toEqual({ gap_ms: gapMs, timezone }), 5_000);
  const jobRows = async () =>
    (await database.pool.query('SELECT state, parameters FROM job ORDER BY id')).rows as unknown;
  const done = (gapMs: number, timezone = 'UTC') => ({ state: 'done', parameters: { gapMs, timezone } });

  it('a gap or zone that changes while it runs, becomes the rule of the visits by one job and is published', async () => {
    await change({ visits: { gap_seconds: 0.5 } });
    await becomes(500, 'UTC');
    await change({ visits: { gap_seconds: 90 }, general: { timezone: 'Asia/Tehran' } });
    await becomes(90_000, 'Asia/Tehran');
    await vi.waitFor(() => expect(notified).toEqual([{ kind: 'everything' }, { kind: 'everything' }]));
    await vi.waitFor(async () => expect(await jobRows()).toEqual([done(500), done(90_000, 'Asia/Tehran')]));
  });

  it('another setting that changes, rebuilds nothing', async () => {
    await change({ mqtt: { port: 5 } });
    await change({ visits: { gap_seconds: 7 } });
    await becomes(7_000, 'UTC');
    await vi.waitFor(async () => expect(await jobRows()).toEqual([done(7_000)]));
  });

  it('changed and changed back during a rebuild, ends with the last', async () => {
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

  it('cancelled by an administrator, is not restarted until the settings change or the service starts', async () => {
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

  it('changes after it has ended, are left to the next start', async () => {
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
