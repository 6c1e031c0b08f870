import { createApp, type HubApp } from '@birdhub/shared/app';
import { createMetrics } from '@birdhub/shared/metrics';
import {
  aDetection,
  aRecording,
  countStatements,
  createTestDatabase,
  createTestWriter,
  findMetricMistakes,
  type TestDatabase,
} from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHubMetrics } from './hub-metrics.js';
import { hubMetricsRoutes } from './hub-metrics.routes.js';

const log = pino({ level: 'silent' });
const usage = { totalBytes: 100, usedBytes: 25, percent: 25 };
const reading = { cpuPercent: 5, cpuTemperature: null, memory: usage, disk: usage, gpuPercent: null };

describe('GET /metrics', () => {
  let database: TestDatabase;
  let app: HubApp;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    app = createApp({ log, metrics: createMetrics('system') });
    const { pool } = database;
    const hubMetrics = createHubMetrics({ pool, log, host: { snapshot: () => reading } });
    hubMetricsRoutes(app, { hubMetrics });
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  async function scrape(path = '/metrics'): Promise<Record<string, number>> {
    const { body } = await app.inject(path);
    const samples = body.split('\n').filter((line) => line && !line.startsWith('#'));
    return Object.fromEntries(samples.map((line) => [line.split(' ')[0], Number(line.split(' ')[1])]));
  }

  it('of a new hub, has zeros and no age of a heartbeat', async () => {
    const metrics = await scrape();
    expect(metrics).toMatchObject({
      birdhub_detections: 0,
      birdhub_videos: 0,
      birdhub_species: 0,
      birdhub_visits: 0,
      birdhub_recordings_bytes: 0,
      birdhub_outbox_pending: 0,
    });
    expect(metrics).not.toHaveProperty('birdhub_processor_heartbeat_age_seconds');
  });

  it('after posts and a heartbeat, counts them', async () => {
    const { writer } = createTestWriter(database.pool);
    const detections = [
      aDetection(),
      aDetection({ speciesName: 'Blue Tit' }),
      aDetection({ speciesName: 'Bird' }),
    ];
    await writer.post(aRecording({ detections }), 'test');
    await writer.post(aRecording({ start: Date.UTC(2026, 4, 2), detections: [] }), 'test');
    await database.pool.query(
      `INSERT INTO processor_heartbeat (data, updated_at)
       VALUES ('{}', now() - interval '42 seconds'), ('{}', now() - interval '1 hour')`,
    );
    const metrics = await scrape();
    expect(metrics).toMatchObject({
      birdhub_detections: 3,
      birdhub_videos: 2,
      birdhub_species: 2,
      birdhub_visits: 3,
    });
    expect(metrics['birdhub_outbox_pending']).toBeGreaterThan(0);
    expect(metrics['birdhub_processor_heartbeat_age_seconds']).toBeGreaterThanOrEqual(42);
    expect(metrics['birdhub_processor_heartbeat_age_seconds']).toBeLessThan(60);
    expect(metrics['birdhub_recordings_bytes']).toBe(0);
  });

  it('after the recordings were measured, has their size', async () => {
    await database.pool.query(
      `INSERT INTO hub_counter VALUES ('recordings_bytes', 1, 3000000000), ('recordings_bytes', 2, -1000)`,
    );
    expect((await scrape())['birdhub_recordings_bytes']).toBe(2_999_999_000);
  });

  it('at both paths, returns valid text format', async () => {
    for (const path of ['/metrics', '/api/metrics']) {
      const response = await app.inject(path);
      expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(findMetricMistakes(response.body)).toEqual([]);
    }
  });

  it('with many scrapes at once, takes few statements', async () => {
    const scrapes = () => Promise.all(Array.from({ length: 50 }, () => scrape()));
    expect(await countStatements(database.pool, scrapes)).toBeLessThan(10);
  });

  it('right after a scrape and a change, shows the change', async () => {
    const count = async () => (await scrape())['birdhub_visits'];
    await count();
    await database.pool.query(
      `INSERT INTO hub_counter (name, shard, value) VALUES ('visits', 63, 7)
       ON CONFLICT (name, shard) DO UPDATE SET value = 7`,
    );
    const before = await count();
    await database.pool.query(`UPDATE hub_counter SET value = 8 WHERE name = 'visits' AND shard = 63`);
    expect(await count()).toBe((before ?? 0) + 1);
  });

  it('with any amount of history, reads no table that grows with it', async () => {
    const { pool } = database;
    let statement = '';
    const query = (asked: { text: string }) => {
      statement = asked.text;
      return pool.query(asked);
    };
    const watched = { query } as unknown as typeof pool;
    await createHubMetrics({ pool: watched, log, host: { snapshot: () => reading } }).text();
    const { rows } = await pool.query(`EXPLAIN ${statement}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('hub_counter');
    expect(plan).not.toMatch(/ on (video|detection|species_visit|visit_day|visit_month)\b/);
  });

  it('without the database, still has the host', async () => {
    const pool = { query: () => Promise.reject(new Error('no database')) } as unknown as typeof database.pool;
    const text = await createHubMetrics({ pool, log, host: { snapshot: () => reading } }).text();
    expect(text).toContain('birdhub_cpu_usage_percent 5');
    expect(text).not.toContain('birdhub_videos');
  });
});
