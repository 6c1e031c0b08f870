import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { manualClock } from '@birdhub/testing/clocks';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../db/index.js';
import { HubError } from '../errors/index.js';
import { TokenAttempts } from './attempt-limit.js';

const log = pino({ level: 'silent' });
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.pool.query('DELETE FROM unlock_attempt');
});

const open = (kind: 'bearer' | 'processor' = 'bearer', clock = manualClock(0)) =>
  new TokenAttempts({ pool: database.pool, log, kind, clock });

/** Returns the error code of a failed attempt, or that it was counted. */
async function fail(attempts: TokenAttempts, address = 'a'): Promise<string> {
  return attempts.countFailure(address).then(
    () => 'counted',
    (error) => (error instanceof HubError ? error.code : 'broken'),
  );
}
async function failOften(count: number, all: TokenAttempts[], address?: string): Promise<string[]> {
  const tries = Array.from({ length: count }, (_, index) => all[index % all.length] as TokenAttempts);
  return (await Promise.all(tries.map((attempts) => fail(attempts, address)))).sort();
}
const isWaiting = (attempts: TokenAttempts, address = 'a') => {
  try {
    attempts.requireNotBlocked(address);
    return false;
  } catch {
    return true;
  }
};

describe('wrong tokens', () => {
  test('fifty at once in two processes, count five and refuse forty-five', async () => {
    const found = await failOften(50, [open(), open()]);
    expect(found).toEqual([...Array(5).fill('counted'), ...Array(45).fill('too_many_attempts')]);
  });

  test('four, do not block the address; a fifth blocks it and no other', async () => {
    const attempts = open();
    await failOften(4, [attempts]);
    expect(isWaiting(attempts)).toBe(false);
    await fail(attempts);
    expect([isWaiting(attempts), isWaiting(attempts, 'b')]).toEqual([true, false]);
  });

  test('of another kind, are counted separately', async () => {
    await failOften(5, [open('bearer')]);
    expect(await fail(open('processor'))).toBe('counted');
  });

  test('before a restart of the process, block the address after the next wrong one', async () => {
    await failOften(5, [open()]);
    const restarted = open();
    expect([await fail(restarted), isWaiting(restarted)]).toEqual(['too_many_attempts', true]);
  });

  test('after the window, are allowed again', async () => {
    const clock = manualClock(0);
    const attempts = open('bearer', clock);
    await failOften(5, [attempts]);
    clock.advance(59_000);
    expect(isWaiting(attempts)).toBe(true);
    clock.advance(1_001);
    expect(isWaiting(attempts)).toBe(false);
    await database.pool.query(`UPDATE unlock_attempt SET attempted_at = attempted_at - interval '1 minute'`);
    expect(await fail(attempts)).toBe('counted');
  });

  test('without the database, are limited to the same rate', async () => {
    const absent = openDatabase({ url: 'postgres://127.0.0.1:9/none', max: 1, name: 'test', log });
    const clock = manualClock(0);
    const attempts = new TokenAttempts({ pool: absent.pool, log, kind: 'bearer', clock });
    expect(await failOften(6, [attempts])).toEqual(['counted', ...Array(5).fill('too_many_attempts')]);
    clock.advance(12_001);
    expect(await failOften(2, [attempts])).toEqual(['counted', 'too_many_attempts']);
    await absent.close();
  });
});
