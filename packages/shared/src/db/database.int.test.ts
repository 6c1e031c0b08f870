import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from './database.js';
import { translateDatabaseError } from './db-errors.js';

it('a lost idle connection, is logged with its reason only', async () => {
  const test = await createTestDatabase();
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) });
  const { pool, close } = openDatabase({ url: test.url, max: 1, name: 'lost', log });
  await pool.query('SELECT 1');
  await test.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE '%lost%'`,
  );
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 40,
    reason: 'terminating connection due to administrator command',
    msg: 'idle database connection lost',
  });
  await close();
  await test.drop();
});

it('pools, keep connections alive, so that those that are lost without being closed are noticed', async () => {
  const log = pino({ level: 'silent' });
  const url = 'postgres://127.0.0.1:9/none';
  const { pool, readPool, close } = openDatabase({ url, readUrl: `${url}2`, max: 1, name: 'test', log });
  for (const { options } of [pool, readPool])
    expect(options).toMatchObject({ keepAlive: true, keepAliveInitialDelayMillis: 10_000 });
  await close();
});

describe('a database with a query timeout', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  it('a statement beyond the timeout, fails as database_unavailable, and the next one succeeds', async () => {
    const log = pino({ level: 'silent' });
    const { pool, close } = openDatabase({ url: test.url, max: 1, name: 'test', log, queryTimeoutMs: 200 });
    try {
      const error: unknown = await pool.query('SELECT pg_sleep(30)').catch((reason: unknown) => reason);
      expect(translateDatabaseError(error)).toMatchObject({ code: 'database_unavailable' });
      expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    } finally {
      await close();
    }
  });

  it('a statement that waits for a lock beyond the timeout, leaves no session in the database', async () => {
    const log = pino({ level: 'silent' });
    const name = 'waiting';
    const { pool, close } = openDatabase({ url: test.url, max: 1, name, log, queryTimeoutMs: 200 });
    const holder = await test.pool.connect();
    try {
      await holder.query('SELECT pg_advisory_lock(4711)');
      await expect(pool.query('SELECT pg_advisory_xact_lock(4711)')).rejects.toThrow('timeout');
      const sessions = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`;
      await vi.waitFor(async () =>
        expect((await test.pool.query(sessions, [`birdhub-${name}`])).rowCount).toBe(0),
      );
    } finally {
      holder.release(true);
      await close();
    }
  });
});
