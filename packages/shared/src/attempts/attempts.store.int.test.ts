import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countAttempt, forgetLatestAttempt } from './attempts.store.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const limit = { max: 100, windowMs: 60_000 };
const attempt = (address = 'a') => countAttempt(database.pool, address, limit);

describe('forgetLatestAttempt', () => {
  test('called at the same time as often as attempts were counted, leaves none', async () => {
    for (let round = 0; round < 5; round += 1) {
      await attempt('b');
      await Promise.all(Array.from({ length: 12 }, () => attempt()));
      await Promise.all(Array.from({ length: 12 }, () => forgetLatestAttempt(database.pool, 'a')));
      expect(await attempt()).toMatchObject({ current: 1 });
      await forgetLatestAttempt(database.pool, 'a');
    }
    expect(await attempt('b')).toMatchObject({ current: 6 });
  });
});
