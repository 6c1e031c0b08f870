import { inTransaction } from '@birdhub/shared/db';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.js';
import { countStatements } from './statements.js';

describe('countStatements', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('consecutive and concurrent statements of a pool, are each counted once', async () => {
    const ask = () => database.pool.query({ text: 'SELECT $1::int', values: [1] });
    expect(await countStatements(database.pool, ask)).toBe(1);
    const many = async () => {
      for (let turn = 0; turn < 3; turn += 1) await ask();
      await Promise.all([ask(), ask()]);
    };
    expect(await countStatements(database.pool, many)).toBe(5);
  });

  it('a transaction, is counted without BEGIN and COMMIT', async () => {
    const work = () => inTransaction(database.pool, (client) => client.query('SELECT 1'));
    expect(await countStatements(database.pool, work)).toBe(1);
  });

  it('statements before the call, are not counted', async () => {
    expect(await countStatements(database.pool, async () => undefined)).toBe(0);
  });
});
