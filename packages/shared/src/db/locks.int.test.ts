import { createTestDatabase, startDatabaseProxy, type TestDatabase } from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from './database.js';
import { lockNames, withAdvisoryLock } from './locks.js';

describe('withAdvisoryLock', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const hold = (lost: AbortSignal) =>
    new Promise<string>((resolve) => lost.addEventListener('abort', () => resolve('lost')));

  it('on a connection that stops responding without being closed, fires its signal and ends', async () => {
    const proxy = await startDatabaseProxy(database.url);
    const log = pino({ level: 'silent' });
    const { pool, close } = openDatabase({ url: proxy.url, max: 1, name: 'holder', log });
    try {
      const work = (lost: AbortSignal) => {
        proxy.stopForwarding();
        return hold(lost);
      };
      expect(await withAdvisoryLock(pool, lockNames.sources, work, 100)).toEqual({ result: 'lost' });
    } finally {
      proxy.close();
      await close();
    }
  });
});
