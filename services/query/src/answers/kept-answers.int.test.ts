import { aRecording } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';

const path = '/api/ui/timeline?date=2026-05-01';

describe('a read route', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
    await query.post();
  });
  afterAll(() => query.close());

  it('the same again, takes no statement', async () => {
    const first = await query.get(path);
    expect(await query.countStatements(path)).toBe(0);
    expect((await query.get(path)).body).toEqual(first.body);
  });

  it('first read, is JSON with a weak tag and is to be asked for again', async () => {
    const { headers } = await query.get(path);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      etag: expect.stringMatching(/^W\/"[\w-]+"$/),
    });
  });

  it('the caller has it, is 304 without a body', async () => {
    const { headers } = await query.get(path);
    const again = await query.get(path, { 'if-none-match': `"x", ${headers['etag']}` });
    expect([again.status, again.body, again.headers['etag']]).toEqual([304, '', headers['etag']]);
    expect(again.headers['cache-control']).toBe('no-cache');
    expect((await query.get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('a recording of that day is posted, shows it to the one who posted', async () => {
    const before = await query.get(path);
    await query.post(aRecording({ start: Date.UTC(2026, 4, 1, 20) }));
    const after = await query.get(path, { 'if-none-match': String(before.headers['etag']) });
    expect([after.status, after.body.length]).toEqual([200, before.body.length + 1]);
  });

  it('a recording of that day is posted, shows it to others soon', async () => {
    const before = (await query.get(path)).body.length;
    await query.writer.post(aRecording({ start: Date.UTC(2026, 4, 1, 21) }), 'test');
    const others = async () => (await query.get(path, { 'x-hub-bell': '' })).body.length;
    await vi.waitUntil(async () => (await others()) === before + 1);
  });

  it('a recording of another day is posted, still takes no statement', async () => {
    await query.get(path);
    await query.post(aRecording({ start: Date.UTC(2026, 4, 9) }));
    expect(await query.countStatements(path)).toBe(0);
  });

  it('a recording that lengthens a visit from before the window, shows the visit in it', async () => {
    const start = Date.UTC(2026, 4, 3, 8);
    const window = `/api/ui/timeline?start_time=${start / 1000 + 50}&end_time=${start / 1000 + 80}`;
    await query.post(aRecording({ start }));
    expect((await query.get(window)).body).toEqual([]);
    await query.post(aRecording({ start: start + 52_000 }));
    expect((await query.get(window)).body).toMatchObject([{ start_time: '2026-05-03T08:00:00+00:00' }]);
  });

  it('the connection of the listener is killed, still shows what was posted since', async () => {
    await query.get(path);
    const before = (await query.get(path)).body.length;
    await query.database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'birdhub-bell' AND datname = current_database()`,
    );
    await query.post(aRecording({ start: Date.UTC(2026, 4, 1, 22) }));
    expect((await query.get(path)).body).toHaveLength(before + 1);
  });
});
