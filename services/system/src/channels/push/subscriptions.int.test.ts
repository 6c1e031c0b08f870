import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSubscription, recordOutcome } from './subscriptions.store.js';

describe('subscriptions', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    await database.pool.query('TRUNCATE push_subscription');
  });
  afterAll(() => database.drop());

  const add = (endpoint: string, keys = { p256dh: 'p', auth: 'a' }, address: string | null = null) =>
    addSubscription(database, { endpoint, ...keys, address });
  const addFrom = (address: string, endpoint: string) => add(endpoint, undefined, address);
  const note = async (endpoint: string, isTaken: boolean, times = 1) => {
    let isRemoved = false;
    for (let time = 0; time < times; time += 1)
      isRemoved = await recordOutcome(database.prisma, { endpoint, isTaken, at: Date.now() });
    return isRemoved;
  };
  const stored = async () =>
    (await database.pool.query('SELECT endpoint FROM push_subscription ORDER BY id')).rows.map(
      (row) => row.endpoint,
    );

  it('without any success, are deleted after ten failures in a row', async () => {
    await add('junk');
    expect(await note('junk', false, 9)).toBe(false);
    expect(await stored()).toEqual(['junk']);
    expect(await note('junk', false)).toBe(true);
    expect(await stored()).toEqual([]);
  });

  it('with earlier successes, are deleted after twenty failures and a week', async () => {
    await add('phone');
    await note('phone', true);
    expect(await note('phone', false, 40)).toBe(false);
    await database.pool.query(`UPDATE push_subscription SET last_ok_at = now() - interval '8 days'`);
    expect(await note('phone', false)).toBe(true);
    expect(await stored()).toEqual([]);
  });

  it('after a success, have their count reset', async () => {
    await add('phone');
    await note('phone', false, 9);
    await note('phone', true);
    await database.pool.query(`UPDATE push_subscription SET last_ok_at = now() - interval '8 days'`);
    expect(await note('phone', false, 19)).toBe(false);
    expect(await stored()).toEqual(['phone']);
  });

  it('with other keys, have their count reset, and with the same keys not', async () => {
    await add('phone');
    await note('phone', false, 9);
    await add('phone');
    expect(await note('phone', false)).toBe(true);
    await add('phone');
    await note('phone', false, 9);
    await add('phone', { p256dh: 'q', auth: 'b' });
    expect(await note('phone', false)).toBe(false);
  });

  it('beyond fifty, replace one that fails, and never one that works or is new', async () => {
    for (let number = 0; number < 50; number += 1) await add(`n${number}`);
    await expect(add('late')).rejects.toMatchObject({ code: 'too_many_subscriptions' });
    await note('n7', true);
    await note('n7', false, 5);
    await note('n8', false, 2);
    await expect(add('late')).rejects.toMatchObject({ code: 'too_many_subscriptions' });
    await note('n20', false, 3);
    await note('n30', false, 4);
    expect(await add('late')).toBe(true);
    const after = await stored();
    expect(after).toHaveLength(50);
    expect(after).not.toContain('n30');
    expect(after).toEqual(expect.arrayContaining(['n7', 'n8', 'n20', 'late']));
  });

  it('of one address without unlocking, are at most five, and replace one that fails', async () => {
    for (let number = 0; number < 5; number += 1) await addFrom('192.0.2.1', `n${number}`);
    await expect(addFrom('192.0.2.1', 'sixth')).rejects.toMatchObject({ code: 'too_many_subscriptions' });
    expect(await addFrom('192.0.2.1', 'n0')).toBe(false);
    expect(await addFrom('192.0.2.2', 'other')).toBe(true);
    await note('other', false, 4);
    await note('n3', false, 3);
    expect(await addFrom('192.0.2.1', 'sixth')).toBe(true);
    expect(await stored()).toEqual(['n0', 'n1', 'n2', 'n4', 'other', 'sixth']);
  });

  it('of unlocked callers, replace beyond fifty the oldest made without unlocking', async () => {
    for (let number = 0; number < 50; number += 1)
      await addFrom(`192.0.2.${Math.floor(number / 5)}`, `n${number}`);
    await expect(addFrom('192.0.2.99', 'late')).rejects.toMatchObject({ code: 'too_many_subscriptions' });
    await add('n0');
    expect(await add('late')).toBe(true);
    const after = await stored();
    expect(after).toHaveLength(50);
    expect(after).not.toContain('n1');
    expect(after).toEqual(expect.arrayContaining(['n0', 'n2', 'late']));
  });
});
