import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from './database.js';
import { isTransient, translateDatabaseError } from './db-errors.js';
import type { PrismaClient } from './prisma.js';

const log = pino({ level: 'silent' });
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('errors that Prisma wraps', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const write = (prisma: PrismaClient) => prisma.camera.create({ data: { id: 'a' } });

  it.each([
    ['connection refused', 'postgres://127.0.0.1:9/none'],
    ['no socket', 'postgres:///none?host=/nowhere'],
    ['an unknown host name', 'postgres://database.invalid/none'],
  ])('%s, is database_unavailable', async (_, url) => {
    const absent = openDatabase({ url, max: 1, name: 'test', log });
    const error = await failureOf(write(absent.prisma));
    expect(translateDatabaseError(error)).toMatchObject({ code: 'database_unavailable', status: 503 });
    await absent.close();
  });

  it('a connection lost during a statement, is database_unavailable, and the next statement succeeds', async () => {
    const { url } = database;
    const one = openDatabase({ url, max: 1, name: 'lost', log });
    const locked = await database.pool.connect();
    await locked.query('BEGIN; LOCK TABLE camera');
    const failure = failureOf(write(one.prisma));
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'birdhub-lost' AND wait_event_type = 'Lock' AND datname = current_database()`;
    while ((await database.pool.query(end)).rowCount === 0);
    const error = await failure;
    await locked.query('ROLLBACK');
    locked.release();
    expect(translateDatabaseError(error)?.code).toBe('database_unavailable');
    await expect(one.prisma.camera.count()).resolves.toBe(0);
    await one.close();
  });

  it('a connection lost in a transaction, is database_unavailable', async () => {
    const work = database.transaction(async ({ client, prisma }) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      await write(prisma);
    });
    expect(translateDatabaseError(await failureOf(work))?.code).toBe('database_unavailable');
    await expect(database.prisma.camera.count()).resolves.toBe(0);
  });

  it('a database that times out, is database_unavailable', async () => {
    const hurried = openDatabase({ url: database.url, max: 1, name: 'test', log, queryTimeoutMs: 100 });
    const locked = await database.pool.connect();
    await locked.query('BEGIN; LOCK TABLE camera');
    const error = await failureOf(write(hurried.prisma));
    await locked.query('ROLLBACK');
    locked.release();
    expect(translateDatabaseError(error)?.code).toBe('database_unavailable');
    await hurried.close();
  });

  it.each([
    ['53100', 'storage_full', false],
    ['53200', 'overloaded', false],
    ['40001', 'overloaded', true],
    ['40P01', 'overloaded', true],
    ['25006', 'database_unavailable', false],
    ['57P01', 'database_unavailable', false],
    ['53300', 'database_unavailable', false],
    ['23514', undefined, false],
  ])('%s of PostgreSQL, becomes %s', async (code, expected, mayRepeat) => {
    await database.pool.query(
      `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${code}'; END $$;
       CREATE OR REPLACE TRIGGER refuse BEFORE INSERT ON camera FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    const error = await failureOf(write(database.prisma));
    expect(error).toBeInstanceOf(Error);
    expect([translateDatabaseError(error)?.code, isTransient(error)]).toEqual([expected, mayRepeat]);
    await database.pool.query('DROP TRIGGER refuse ON camera');
  });
});
