import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, type HubApp } from '@birdhub/shared/app';
import { createMetrics } from '@birdhub/shared/metrics';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { logsRoutes } from './logs.routes.js';

describe('GET /system/logs', () => {
  let database: TestDatabase;
  let app: HubApp;
  let folder: string;
  let file: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'hub-logs-'));
    file = join(folder, 'detector.log');
    app = createApp({ log: pino({ level: 'silent' }), metrics: createMetrics('system') });
    logsRoutes(app, { pool: database.pool, processorLog: file });
  });
  beforeEach(async () => {
    await rm(file, { force: true });
    await database.pool.query('TRUNCATE processor_activity');
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true });
    await database.drop();
  });

  const get = async (query = '') => (await app.inject(`/api/ui/system/logs${query}`)).json();
  const post = (data: unknown, ago = 0, type = 'log') =>
    database.pool.query(
      `INSERT INTO processor_activity (type, data, updated_at) VALUES ($1, $2, now() - $3 * interval '1 second')`,
      [type, JSON.stringify(data), ago],
    );

  it('with a file, shows its last lines and only its name', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index}`);
    await writeFile(file, `${lines.join('\n')}\n`);
    expect(await get()).toEqual({ lines: lines.slice(-200), path: 'detector.log' });
    expect(await get('?lines=2')).toEqual({ lines: ['line 298', 'line 299'], path: 'detector.log' });
  });

  it('with a file, ignores posted lines', async () => {
    await writeFile(file, '');
    await post({ lines: ['posted'] });
    expect(await get()).toEqual({ lines: [], path: 'detector.log' });
  });

  it('without a file, shows the posted lines, newest last', async () => {
    await post({ lines: ['c', 'd\x1b[0m'] }, 10);
    await post({ lines: ['a', 'b'] }, 20);
    await post({ lines: ['no log'] }, 5, 'status');
    expect(await get()).toEqual({ lines: ['a', 'b', 'c', 'd\\u001b[0m'], path: 'activity_log' });
    expect((await get('?lines=3')).lines).toEqual(['b', 'c', 'd\\u001b[0m']);
  });

  it('with rows of another shape, skips them or shows them as text', async () => {
    for (const data of ['text', 7, null, [], {}, { lines: 'no list' }, { lines: [] }]) await post(data, 9);
    await post({ lines: [null, 1, { a: 'b' }, 'ü'.repeat(5_000)] });
    const { lines } = await get();
    expect(lines.slice(0, 3)).toEqual(['null', '1', '{"a": "b"}']);
    expect(lines[3]).toBe(`${'ü'.repeat(2_048)}…`);
  });

  it('without any lines, is empty', async () => {
    expect(await get()).toEqual({ lines: [], path: 'activity_log' });
  });

  it.each(['0', '5001', 'all'])('with %s lines requested, is refused', async (lines) => {
    expect(await get(`?lines=${lines}`)).toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'lines' }],
    });
  });

  it('with an unreadable file, is an error that names no folder', async () => {
    const inFile = join(file, 'below.log');
    await writeFile(file, '');
    const other = createApp({ log: pino({ level: 'silent' }), metrics: createMetrics('system') });
    logsRoutes(other, { pool: database.pool, processorLog: inFile });
    const response = await other.inject('/api/ui/system/logs');
    expect(response.statusCode).toBe(500);
    expect(response.body).not.toContain(folder);
    await other.close();
  });
});
