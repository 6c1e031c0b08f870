import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestIngest, type TestIngest } from '../testing/create-test-ingest.js';

describe('POST /activity_log, the uptime of processors', () => {
  let hub: TestIngest;
  beforeAll(async () => {
    hub = await createTestIngest();
  });
  beforeEach(async () => {
    await hub.database.pool.query('TRUNCATE processor_uptime, processor_heartbeat');
  });
  afterAll(() => hub.close());

  const beat = (type = 'heartbeat') => hub.post('/activity_log', { type, data: {} });
  const stretches = () =>
    hub.rows<{ seconds: number }>(
      'SELECT extract(epoch FROM ended_at - started_at) AS seconds FROM processor_uptime ORDER BY started_at',
    );
  const past = (started: string, ended: string) =>
    hub.database.pool.query(
      'INSERT INTO processor_uptime VALUES (now() - $1::interval, now() - $2::interval)',
      [started, ended],
    );

  it('a first heartbeat, begins a stretch, and rows of other types do not', async () => {
    await beat('log');
    expect(await stretches()).toEqual([]);
    await beat();
    expect(await stretches()).toEqual([{ seconds: 0 }]);
  });

  it('a heartbeat within five minutes, lengthens the stretch', async () => {
    await past('1 hour', '4 minutes 50 seconds');
    await beat();
    const [stretch, ...others] = await stretches();
    expect(others).toEqual([]);
    expect(stretch?.seconds).toBeGreaterThanOrEqual(3_600);
    expect(stretch?.seconds).toBeLessThan(3_605);
  });

  it('a heartbeat after five minutes of silence, begins another stretch', async () => {
    await past('1 hour', '5 minutes 1 second');
    await beat();
    expect((await stretches()).map(({ seconds }) => Math.round(seconds))).toEqual([3_299, 0]);
  });

  it('heartbeats one right after the other, write no more than the first', async () => {
    const version = async () =>
      (await hub.rows<{ v: string }>('SELECT xmin::text AS v FROM processor_uptime'))[0]?.v;
    await beat();
    const before = await version();
    await Promise.all(Array.from({ length: 10 }, () => beat()));
    expect(await version()).toBe(before);
  });
});
