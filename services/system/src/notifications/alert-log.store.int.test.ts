import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeLog } from './alert-log.store.js';

const now = Date.parse('2026-05-10T12:00:00Z');
const daysAgo = (days: number) => new Date(now - days * 86_400_000);

describe('writeLog', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const add = (count: number, loggedAt: Date) =>
    database.pool.query(
      `INSERT INTO alert_log (subject, kind, about, logged_at, title, notified)
       SELECT $2::timestamptz || ' ' || number, 'notice', $2, $2, 'Robin', false FROM generate_series(1, $1::int) number`,
      [count, loggedAt],
    );
  const write = (key: string) => {
    const subject = { visitId: null, videoId: null, speciesId: null, speciesName: 'Robin', from: now };
    const outcome = { now, notified: false, reason: null, verdicts: [] };
    return writeLog(database.pool, { ...subject, key, kind: 'notice' }, outcome);
  };
  const summary = async () => {
    const { rows } = await database.pool.query(
      'SELECT count(*)::int AS count, min(logged_at) AS oldest FROM alert_log',
    );
    return rows[0];
  };

  it('with entries older than 30 days, deletes them', async () => {
    await add(2, daysAgo(31));
    await add(2, daysAgo(29));
    await write('notice:1');
    expect(await summary()).toEqual({ count: 3, oldest: daysAgo(29) });
  });

  it('with more than 50,000 entries, keeps the newest 50,000', async () => {
    await add(50_000, daysAgo(1));
    await write('notice:2');
    expect(await summary()).toEqual({ count: 50_000, oldest: daysAgo(1) });
  });
});
