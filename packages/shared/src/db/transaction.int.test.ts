import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { translateDatabaseError } from './db-errors.js';
import { inTransaction } from './transaction.js';

describe('inTransaction', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.pool.query('CREATE TABLE note (text text PRIMARY KEY)');
  });
  beforeEach(() => database.pool.query('TRUNCATE note'));
  afterAll(() => database.drop());

  const add = 'INSERT INTO note VALUES ($1)';
  const notes = async () => (await database.pool.query('SELECT text FROM note ORDER BY text')).rows;

  it('work that succeeds, is committed and its result returned', async () => {
    const response = await inTransaction(database.pool, async (client) => {
      await client.query(add, ['a']);
      expect(await notes()).toEqual([]);
      return 7;
    });
    expect([response, await notes()]).toEqual([7, [{ text: 'a' }]]);
  });

  it('work that throws, is rolled back and rejects with the same error', async () => {
    const error = new Error('no');
    const work = inTransaction(database.pool, async (client) => {
      await client.query(add, ['a']);
      throw error;
    });
    await expect(work).rejects.toBe(error);
    expect(await notes()).toEqual([]);
  });

  it('a failed sent statement, rolls back the transaction and is its error', async () => {
    const work = inTransaction(database.pool, async (client, send) => {
      send(client.query(add, ['a']));
      send(client.query(add, ['a']));
      send(client.query(add, ['b']));
    });
    await expect(work).rejects.toMatchObject({ code: '23505' });
    expect(await notes()).toEqual([]);
    await inTransaction(database.pool, (client) => client.query(add, ['c']));
    expect(await notes()).toEqual([{ text: 'c' }]);
  });

  it('a failed BEGIN, rejects and runs nothing', async () => {
    const work = inTransaction(database.pool, (client) => client.query(add, ['a']), 'BEGIN; SELECT 1 / 0');
    await expect(work).rejects.toMatchObject({ code: '22012' });
    expect(await notes()).toEqual([]);
  });

  it('a deferred constraint that fails at COMMIT, rejects', async () => {
    await database.pool.query(
      'CREATE TABLE later (text text REFERENCES note (text) DEFERRABLE INITIALLY DEFERRED)',
    );
    const work = inTransaction(database.pool, (client) => client.query(`INSERT INTO later VALUES ('x')`));
    await expect(work).rejects.toMatchObject({ code: '23503' });
    await database.pool.query('DROP TABLE later');
  });

  it('a connection lost in the transaction, rejects with database_unavailable and is removed from the pool', async () => {
    const work = inTransaction(database.pool, async (client) => {
      await client.query(add, ['a']);
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      await client.query(add, ['b']);
    });
    const error: unknown = await work.catch((reason: unknown) => reason);
    expect(translateDatabaseError(error)?.code).toBe('database_unavailable');
    expect(await notes()).toEqual([]);
    await Promise.all(Array.from({ length: 20 }, () => notes()));
  });

  it('twenty failures in a row, leave no connection in use', async () => {
    for (let round = 0; round < 20; round += 1) {
      await inTransaction(database.pool, (client) => client.query('SELECT 1 / 0')).catch(() => undefined);
    }
    expect(database.pool.totalCount).toBeGreaterThan(0);
    expect(database.pool.idleCount).toBe(database.pool.totalCount);
  });
});
