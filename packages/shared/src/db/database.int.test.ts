import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.js';
import { openDatabase } from './database.js';
import { translateDatabaseError } from './db-errors.js';

describe('a database that answers within a time', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  it('a statement that takes longer, is given up as not reachable and the next one is answered', async () => {
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
});
