import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, type HubApp } from '@birdhub/shared/app';
import { createMetrics } from '@birdhub/shared/metrics';
import { countStatements, createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { type ManualClock, manualClock } from '@birdhub/testing/clocks';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addHostSample, type HostMetrics, startHostMetrics, startSampling } from './host-history.js';
import { hostMetricsRoutes } from './host-metrics.routes.js';
import type { HostReading } from './host-reader.js';

const now = Date.UTC(2026, 4, 10, 12);
const minuteMs = 60_000;
const log = pino({ level: 'silent' });
const usage = (percent: number) => ({ totalBytes: 200, usedBytes: 2 * percent, percent });
const reading = (cpuPercent: number, gpuPercent: number | null = null): HostReading => ({
  cpuPercent,
  cpuTemperature: 48.5,
  memory: usage(40),
  disk: usage(60),
  gpuPercent,
});

describe('GET /system/metrics', () => {
  let database: TestDatabase;
  let clock: ManualClock;
  let app: HubApp;
  let snapshot: HostReading;

  beforeAll(async () => {
    database = await createTestDatabase();
    clock = manualClock(now);
    app = createApp({ log, metrics: createMetrics('system') });
    const host: HostMetrics = { encoding: 'intel', snapshot: () => snapshot, close: async () => undefined };
    hostMetricsRoutes(app, { host, pool: database.pool, clock });
  });
  beforeEach(async () => {
    clock.set(now);
    await database.pool.query('TRUNCATE host_sample');
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const history = async (query = '') => (await app.inject(`/api/ui/system/metrics/history${query}`)).json();
  const add = (minutesAgo: number, cpu = 5, host = 'garden') =>
    addHostSample(database.pool, host, {
      at: now - minutesAgo * minuteMs,
      cpu,
      memory: 40,
      disk: 60,
      gpu: null,
    });

  it('with a reading, shows the last one without a statement', async () => {
    snapshot = {
      ...reading(12.5),
      memory: { totalBytes: 8_589_934_592, usedBytes: 3_221_225_472, percent: 37.5 },
    };
    const get = async () => (await app.inject('/api/ui/system/metrics')).json();
    expect(await get()).toEqual({
      cpu: { percent: 12.5, temperature: 48.5 },
      memory: { total: 8, used: 3, percent: 37.5, total_bytes: 8_589_934_592, used_bytes: 3_221_225_472 },
      disk: { total: 0, used: 0, percent: 60, total_bytes: 200, used_bytes: 120 },
      encoding: 'intel',
      gpu_percent: null,
    });
    expect(await countStatements(database.pool, get)).toBe(0);
  });

  it('with a new hub, has an empty history', async () => {
    expect(await history()).toEqual({
      samples: [],
      sample_interval_seconds: 60,
      retention_hours: 720,
      hours_requested: 24,
    });
  });

  it('with hours requested, has their history, oldest first', async () => {
    for (const minutesAgo of [2, 61, 59, 1_439]) await add(minutesAgo);
    const times = async (query: string) =>
      (await history(query)).samples.map(({ t }: { t: string }) => (now - Date.parse(t)) / minuteMs);
    expect(await times('')).toEqual([1_439, 61, 59, 2]);
    expect(await times('?hours=1')).toEqual([59, 2]);
    expect((await history('?hours=1')).samples[0]).toEqual({
      t: '2026-05-10T11:01:00.000Z',
      cpu: 5,
      memory: 40,
      disk: 60,
      gpu: null,
    });
  });

  it('with a month of samples, thins them and keeps the peak', async () => {
    await database.pool.query(
      `INSERT INTO host_sample SELECT $1::timestamptz - n * interval '1 minute', 'garden',
         CASE n WHEN 31234 THEN 99 ELSE n % 10 END, 40, 60, NULL FROM generate_series(1, 43190) n`,
      [new Date(now)],
    );
    const { samples } = await history('?hours=720&max_points=100');
    expect(samples.length).toBeLessThanOrEqual(100);
    expect(Math.max(...samples.map(({ cpu }: { cpu: number }) => cpu))).toBe(99);
  });

  it.each(['hours=0', 'hours=721', 'max_points=49', 'max_points=2001', 'hours=x'])(
    'with %s, is refused',
    async (query) => {
      const [name] = query.split('=');
      expect(await history(`?${query}`)).toMatchObject({
        code: 'invalid_request',
        details: [{ path: name }],
      });
    },
  );

  it('with two services of one host, has one row a minute, and none of another host meanwhile', async () => {
    await add(5, 1);
    await add(5, 2);
    await add(4, 3, 'cellar');
    await add(2, 4, 'cellar');
    expect((await history()).samples.map(({ cpu }: { cpu: number }) => cpu)).toEqual([1, 4]);
  });

  it('with samples older than 30 days, drops them with the next one', async () => {
    const rows = async () => (await database.pool.query('SELECT FROM host_sample')).rowCount;
    await add(43_205);
    await add(43_195);
    expect(await rows()).toBe(2);
    await add(0);
    expect(await rows()).toBe(2);
  });

  it('with a running sampler, has the maxima of each complete minute', async () => {
    const readings = [reading(10), reading(90, 30), reading(20, 10), reading(5)];
    const read = async () => {
      const next = readings.shift() ?? reading(7);
      if (next.cpuPercent === 5) clock.advance(minuteMs);
      return next;
    };
    const { pool } = database;
    const sampling = startSampling({ pool, clock, log, host: 'a', first: reading(0), read, intervalMs: 1 });
    await vi.waitFor(async () => expect((await history()).samples).toHaveLength(1));
    expect(sampling.snapshot().cpuPercent).toBeLessThanOrEqual(7);
    await sampling.close();
    const { samples } = await history();
    expect(samples).toMatchObject([
      { t: '2026-05-10T12:00:00.000Z', cpu: 90, memory: 40, disk: 60, gpu: 30 },
      { t: '2026-05-10T12:01:00.000Z', cpu: 7, gpu: null },
    ]);
  });

  it('of the real host, is read at once and then measured', async () => {
    const { pool } = database;
    const host = startHostMetrics({ pool, clock, log, dataDir: join(tmpdir(), 'not', 'made', 'yet') });
    const first = host.snapshot();
    expect(first.memory.totalBytes).toBeGreaterThan(first.memory.usedBytes);
    expect(first.disk.totalBytes).toBeGreaterThan(0);
    await vi.waitFor(() => expect(host.snapshot()).not.toBe(first), 5_000);
    const { cpuPercent, memory, disk } = host.snapshot();
    for (const percent of [cpuPercent, memory.percent, disk.percent]) {
      expect(percent).toBeGreaterThanOrEqual(0);
      expect(percent).toBeLessThanOrEqual(100);
    }
    await host.close();
    expect((await history()).samples).toHaveLength(1);
  });
});
