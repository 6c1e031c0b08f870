import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../db/index.js';
import { lockOutbox, nameDatabase } from './outbox.store.js';

let one: TestDatabase;
let other: TestDatabase;
beforeAll(async () => {
  one = await createTestDatabase();
  other = await createTestDatabase();
});
afterAll(async () => {
  await one?.drop();
  await other?.drop();
});

describe('nameDatabase', () => {
  test('nameDatabase, two clones on one server, have different, stable names', async () => {
    const name = await nameDatabase(one.pool);
    expect(name).toMatch(/^[\da-z]+-[\da-z]+$/);
    expect(await nameDatabase(one.pool)).toBe(name);
    expect(await nameDatabase(other.pool)).not.toBe(name);
  });

  test('nameDatabase, for a role without special rights, returns the name', async () => {
    const expected = await nameDatabase(one.pool);
    await inTransaction(one.pool, async (client) => {
      await client.query('CREATE ROLE plain_outbox_reader; SET LOCAL ROLE plain_outbox_reader');
      expect(await nameDatabase(client)).toBe(expected);
      await client.query('RESET ROLE; DROP ROLE plain_outbox_reader');
    });
  });
});

describe('lockOutbox', () => {
  test('lockOutbox, two transactions, is held by one and free after its end', async () => {
    await inTransaction(one.pool, async (client) => {
      expect(await lockOutbox(client)).toBe(true);
      await inTransaction(one.pool, async (second) => expect(await lockOutbox(second)).toBe(false));
    });
    await inTransaction(one.pool, async (client) => expect(await lockOutbox(client)).toBe(true));
  });
});
