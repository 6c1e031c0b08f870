import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createJobMetrics,
  type ItemJobKind,
  type ItemResult,
  type Jobs,
  jobProblem,
  startJobs,
} from '@birdhub/domain/jobs';
import { createApp, type HubApp } from '@birdhub/shared/app';
import { openDatabase } from '@birdhub/shared/db';
import { createMetrics, type ServiceMetrics } from '@birdhub/shared/metrics';
import { systemClock } from '@birdhub/shared/time';
import {
  aRecording,
  createTestDatabase,
  createTestWriter,
  findMetricMistakes,
  type TestDatabase,
  type TestWriter,
} from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { jobsRoutes } from './jobs.routes.js';

const log = pino({ level: 'silent' });
const day = Date.UTC(2026, 4, 1, 8);
const soon = { interval: 10 };
const tracks = '/api/ui/system/regenerate-tracks';

describe('jobs', () => {
  let database: TestDatabase;
  let hub: TestWriter;
  let app: HubApp;
  let jobs: Jobs;
  let registry: ServiceMetrics['registry'];
  let videoIds: number[];
  let worked: number[];
  let work: ItemJobKind['work'];

  beforeAll(async () => {
    database = await createTestDatabase();
    hub = createTestWriter(database.pool);
    videoIds = [];
    for (let hour = 0; hour < 5; hour += 1) {
      const start = day + hour * 86_400_000;
      videoIds.push((await hub.writer.post(aRecording({ start }), 'test')).videoId);
    }
  });
  beforeEach(async () => {
    await database.pool.query('TRUNCATE job, outbox');
    worked = [];
    work = async () => ({ outcome: 'generated', frames: 3 });
    open();
  });
  afterEach(close);
  afterAll(() => database.drop());

  const openRunner = (metrics = createMetrics('other')) => {
    const kind: ItemJobKind = {
      name: 'tracks',
      async work(videoId, options) {
        worked.push(videoId);
        return work(videoId, options);
      },
    };
    const jobMetrics = createJobMetrics(metrics.registry, ['tracks', 'visits']);
    const parts = { ...database, notifier: hub.notifier, log, clock: systemClock, metrics: jobMetrics };
    return startJobs({ ...parts, kinds: [kind], pollIntervalMs: 50 });
  };
  function open(): void {
    const metrics = createMetrics('system');
    registry = metrics.registry;
    jobs = openRunner(metrics);
    app = createApp({ log, metrics });
    jobsRoutes(app, { ...database, jobs, settings: hub.settings });
  }
  async function close(): Promise<void> {
    await app.close();
    await jobs.close();
  }
  const post = async (payload?: object, url = tracks) => {
    const response = await app.inject({ method: 'POST', url, ...(payload && { payload }) });
    return { status: response.statusCode, body: response.json() };
  };
  const get = async (url = `${tracks}/status`) => (await app.inject({ method: 'GET', url })).json();
  const ended = (status: string) => vi.waitFor(async () => expect((await get()).status).toBe(status), soon);
  /** Work that ends only when aborted. */
  const hang: ItemJobKind['work'] = (_videoId, { signal }) =>
    new Promise<ItemResult>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });

  it('before the first, are idle', async () => {
    expect(await get()).toEqual({
      status: 'idle',
      result: null,
      error: null,
      progress: null,
      started_at: null,
      finished_at: null,
    });
  });

  it('without a body, work on all recordings once, count them, and publish an event', async () => {
    const started = await post();
    expect(started).toEqual({
      status: 202,
      body: { message: expect.any(String), started: true, job_id: expect.any(Number) },
    });
    await ended('done');
    expect(worked).toEqual(videoIds);
    expect(await get()).toMatchObject({
      status: 'done',
      result: { generated: 5, failed: 0, skipped: 0, frames_updated: 15 },
      progress: null,
      error: null,
      started_at: expect.any(String),
      finished_at: expect.any(String),
    });
    const { rows } = await database.pool.query('SELECT subject, payload FROM outbox');
    const payload = { job_id: started.body.job_id, kind: 'tracks', state: 'done' };
    expect(rows).toEqual([{ subject: 'hub.v1.job.finished', payload }]);
  });

  it('with days and ids, work on the recordings that match both', async () => {
    const [first, second, third, fourth] = videoIds;
    await post({
      start_date: '2026-05-02',
      end_date: '2026-05-03',
      video_ids: [first, second, fourth, 999_999],
    });
    await ended('done');
    expect(worked).toEqual([second]);
    await post({ start_date: '2026-05-02', end_date: '2026-05-03' });
    await vi.waitFor(() => expect(worked).toEqual([second, second, third]), soon);
  });

  it('while one runs, are refused with its progress', async () => {
    work = hang;
    await post();
    await vi.waitFor(() => expect(worked).toHaveLength(1), soon);
    expect(await post()).toEqual({
      status: 409,
      body: expect.objectContaining({
        code: 'job_running',
        error: expect.any(String),
        status: expect.objectContaining({
          status: 'running',
          progress: {
            processed: 0,
            total: 5,
            generated: 0,
            failed: 0,
            skipped: 0,
            current_video_id: videoIds[0],
          },
        }),
      }),
    });
  });

  it('started ten times at once, are one', async () => {
    work = hang;
    const responses = await Promise.all(Array.from({ length: 10 }, () => post()));
    expect(responses.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(9);
  });

  it('with recordings that fail, count and list them, and continue', async () => {
    work = async (videoId) => {
      if (videoId === videoIds[1]) throw new Error('out of tune');
      if (videoId === videoIds[2]) return { outcome: 'failed', reason: jobProblem('file_missing') };
      return videoId === videoIds[3] ? { outcome: 'skipped' } : { outcome: 'generated' };
    };
    await post();
    await ended('done');
    expect((await get()).result).toMatchObject({ generated: 2, failed: 2, skipped: 1, frames_updated: 0 });
    expect((await get('/api/ui/system/jobs')).jobs).toMatchObject([
      {
        kind: 'tracks',
        state: 'done',
        failures: [
          {
            video_id: videoIds[1],
            path: null,
            reason: 'An unexpected error occurred: out of tune',
            sentences: [{ code: 'unexpected', values: { message: 'out of tune' } }],
          },
          {
            video_id: videoIds[2],
            path: null,
            reason: 'The file is missing',
            sentences: [{ code: 'file_missing', values: {} }],
          },
        ],
        result: { generated: 2, failed: 2, skipped: 1, frames_updated: 0 },
      },
    ]);
  });

  it('with unusable files, list the recording without the path on the host', async () => {
    work = async (videoId) => {
      if (videoId === videoIds[0]) await readFile('/nowhere/video.mp4');
      return { outcome: 'skipped' };
    };
    await post();
    await ended('done');
    const { rows } = await database.pool.query('SELECT failures FROM job');
    expect(rows).toEqual([
      {
        failures: [
          {
            video_id: videoIds[0],
            reason: 'Its files cannot be used (ENOENT)',
            sentences: [{ code: 'files_unusable', values: { code: 'ENOENT' } }],
          },
        ],
      },
    ]);
  });

  it('of any kind, have valid metrics by kind', async () => {
    work = async (videoId, options) => {
      if (videoId === videoIds[3]) return hang(videoId, options);
      return videoId === videoIds[1] ? { outcome: 'skipped' } : { outcome: 'generated' };
    };
    const { body } = await post();
    await vi.waitFor(() => expect(worked).toHaveLength(4), soon);
    const measured = async () =>
      (await registry.metrics()).replaceAll(/,service="system"|service="system",/g, '');
    expect(await measured()).toContain('hub_jobs_running{kind="tracks"} 1\n');
    await post(undefined, `/api/ui/system/jobs/${body.job_id}/cancel`);
    await ended('error');
    const samples = [
      'hub_jobs_started_total{kind="tracks"} 1',
      'hub_jobs_started_total{kind="visits"} 0',
      'hub_jobs_finished_total{kind="tracks",state="cancelled"} 1',
      'hub_jobs_finished_total{kind="tracks",state="error"} 0',
      'hub_jobs_running{kind="tracks"} 0',
      'hub_job_items_total{kind="tracks",outcome="generated"} 2',
      'hub_job_items_total{kind="tracks",outcome="skipped"} 1',
      'hub_job_duration_seconds_count{kind="tracks"} 1',
    ];
    // The end of a job is stored before it is counted.
    const text = await vi.waitFor(async () => {
      const now = await measured();
      for (const sample of samples) expect(now).toContain(`${sample}\n`);
      return now;
    }, soon);
    expect(findMetricMistakes(text)).toEqual([]);
  });

  it('that crash, have an error that refers to the log', async () => {
    await database.pool.query(
      `INSERT INTO job (kind, parameters, total) VALUES ('tracks', '{"from": "never"}', 1)`,
    );
    await ended('error');
    expect(await get()).toMatchObject({
      error: 'It failed. The log of the hub says why.',
      result: { failure: [{ code: 'crashed', values: {} }] },
    });
  });

  it('with a missing program, end with an error', async () => {
    work = async () => {
      throw Object.assign(new Error('spawn ffmpeg ENOENT'), { code: 'ENOENT', syscall: 'spawn ffmpeg' });
    };
    await post();
    await ended('error');
    const failure = [{ code: 'program_missing', values: { program: 'ffmpeg' } }];
    expect(await get()).toMatchObject({
      error: 'ffmpeg cannot be run. Is it installed?',
      result: { generated: 0, failure },
    });
    expect(worked).toHaveLength(1);
  });

  it('cancelled, end after the current recording, and another can begin', async () => {
    work = async (videoId, options) =>
      videoId === videoIds[2] ? hang(videoId, options) : { outcome: 'generated' };
    const { body } = await post();
    await vi.waitFor(() => expect(worked).toHaveLength(3), soon);
    const cancel = `/api/ui/system/jobs/${body.job_id}/cancel`;
    expect((await post(undefined, cancel)).status).toBe(200);
    await ended('error');
    expect(await get()).toMatchObject({ error: 'It was cancelled.', result: { generated: 2 } });
    expect(worked).toHaveLength(3);
    expect((await post()).status).toBe(202);
    expect((await post(undefined, '/api/ui/system/jobs/999999/cancel')).status).toBe(404);
  });

  it('paused, stop with the current recording, and continue with it when resumed', async () => {
    work = async (videoId, options) =>
      videoId === videoIds[2] ? hang(videoId, options) : { outcome: 'generated' };
    const { body } = await post();
    await vi.waitFor(() => expect(worked).toHaveLength(3), soon);
    const job = `/api/ui/system/jobs/${body.job_id}`;
    expect(await post(undefined, `${job}/pause`)).toMatchObject({ status: 200, body: { state: 'paused' } });
    expect(await get()).toMatchObject({ status: 'paused', progress: { processed: 2 }, result: null });
    work = async () => ({ outcome: 'generated' });
    expect(await post(undefined, `${job}/resume`)).toMatchObject({ status: 200, body: { state: 'running' } });
    await ended('done');
    expect(worked.slice(2)).toEqual(videoIds.slice(2, 3).concat(videoIds.slice(2)));
    expect(await get()).toMatchObject({ result: { generated: 5, failed: 0 } });
  });

  it('paused, wait while another runs, and can be cancelled', async () => {
    work = hang;
    const { body } = await post();
    await vi.waitFor(() => expect(worked).toHaveLength(1), soon);
    const job = `/api/ui/system/jobs/${body.job_id}`;
    await post(undefined, `${job}/pause`);
    const other = await post();
    expect(other.status).toBe(202);
    expect(await post(undefined, `${job}/resume`)).toMatchObject({
      status: 409,
      body: { code: 'job_running' },
    });
    expect(await post(undefined, `${job}/cancel`)).toMatchObject({
      status: 200,
      body: { state: 'cancelled' },
    });
    expect(await post(undefined, `${job}/resume`)).toMatchObject({ body: { state: 'cancelled' } });
    const { rows } = await database.pool.query('SELECT payload FROM outbox');
    expect(rows).toEqual([{ payload: { job_id: body.job_id, kind: 'tracks', state: 'cancelled' } }]);
  });

  it('of a kind that cannot be paused, are refused with 409', async () => {
    const { rows } = await database.pool.query(
      `INSERT INTO job (kind, parameters, total) VALUES ('visits', '{}', 0) RETURNING id`,
    );
    const refused = await post(undefined, `/api/ui/system/jobs/${rows[0]?.id}/pause`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'job_not_pausable' } });
  });

  it('of a scan that was confirmed, are listed with the confirmation', async () => {
    const parameters = { background: false, confirm: true };
    const insert = `INSERT INTO job (kind, parameters, total) VALUES ('scan', $1, 0)`;
    await database.pool.query(insert, [parameters]);
    expect((await get('/api/ui/system/jobs?kind=scan')).jobs).toMatchObject([{ parameters }]);
  });

  it('listed by kind, are only those of this kind', async () => {
    await post();
    await ended('done');
    expect((await get('/api/ui/system/jobs?kind=tracks')).jobs).toHaveLength(1);
    expect((await get('/api/ui/system/jobs?kind=scan')).jobs).toEqual([]);
  });

  it('cancelled after their end, are unchanged', async () => {
    const { body } = await post();
    await ended('done');
    const response = await post(undefined, `/api/ui/system/jobs/${body.job_id}/cancel`);
    expect(response).toMatchObject({
      status: 200,
      body: { job_id: body.job_id, state: 'done', error: null },
    });
    expect(await get()).toMatchObject({ status: 'done', error: null });
    const { rows } = await database.pool.query('SELECT cancel_requested FROM job');
    expect(rows).toEqual([{ cancel_requested: false }]);
  });

  it('listed with a limit, are the newest of all kinds', async () => {
    await database.pool.query(
      `INSERT INTO job (kind, state, parameters, total, finished_at)
       VALUES ('scan', 'done', '{"background": true}', 1, now()), ('visits', 'error', '{"gapMs": 9000, "timezone": "UTC"}', 2, now()),
         ('scan', 'done', '{"background": false}', 3, now())`,
    );
    const { jobs: listed } = await get('/api/ui/system/jobs?limit=2');
    expect(listed).toMatchObject([
      { kind: 'scan', parameters: { background: false }, progress: { total: 3, current_video_id: null } },
      { kind: 'visits', state: 'error', parameters: { gap_seconds: 9, timezone: 'UTC' } },
    ]);
  });

  it('with given recordings, have their number as total from the start', async () => {
    work = hang;
    await post({ video_ids: [videoIds[1], videoIds[3], 999_999] });
    expect((await get()).progress).toMatchObject({ total: 2, processed: 0 });
  });

  it('whose service stops, are resumed with the recording that was in progress', async () => {
    work = async (videoId, options) =>
      videoId === videoIds[2] ? hang(videoId, options) : { outcome: 'generated' };
    await post();
    await vi.waitFor(() => expect(worked).toHaveLength(3), soon);
    await close();
    const { rows } = await database.pool.query('SELECT state, generated FROM job');
    expect(rows).toEqual([{ state: 'running', generated: 2 }]);
    work = async () => ({ outcome: 'generated' });
    open();
    await ended('done');
    expect(worked.slice(3)).toEqual(videoIds.slice(2));
    expect((await get()).result).toMatchObject({ generated: 5 });
  });

  it('with two processes, are worked on by one at a time', async () => {
    const other = openRunner();
    work = async () => {
      await pause(30);
      return { outcome: 'generated' };
    };
    await post();
    await ended('done');
    await other.close();
    expect(worked).toEqual(videoIds);
  });

  it('without a database, are 503', async () => {
    const away = openDatabase({ url: 'postgres://127.0.0.1:1/none', max: 1, name: 'test', log });
    const cutOff = createApp({ log, metrics: createMetrics('system') });
    jobsRoutes(cutOff, { ...away, jobs, settings: hub.settings });
    for (const url of [`${tracks}/status`, '/api/ui/system/jobs']) {
      const response = await cutOff.inject({ method: 'GET', url });
      expect([response.statusCode, response.json().code]).toEqual([503, 'database_unavailable']);
    }
    await cutOff.close();
    await away.close();
  });

  it.each([{ video_ids: ['one'] }, { force: 'yes' }, { colour: 1 }, { start_date: 'x' }])(
    'with %j, are refused naming the field',
    async (body) => {
      const response = await post(body);
      expect([response.status, response.body.code]).toEqual([400, 'invalid_request']);
      expect(response.body.details[0].path).toContain(Object.keys(body)[0]);
    },
  );
});
