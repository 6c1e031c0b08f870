import { countStatements, createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  endSessions,
  endSessionsOf,
  findSession,
  openSession,
  removeExpiredSessions,
  type SessionRole,
} from './index.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  await database.pool.query('DELETE FROM session');
  await database.pool.query(
    `UPDATE setting SET value = '{"general": {"settings_password": "a", "contributor_password": "c"}}' WHERE key = 'hub'`,
  );
});

async function open(role: SessionRole = 'admin', replacedTokens: string[] = []): Promise<string> {
  const storedPassword = role === 'admin' ? 'a' : 'c';
  const token = await openSession(database.pool, { role, storedPassword, replacedTokens });
  if (token === undefined) throw new Error('the session was not opened');
  return token;
}

const find = (tokens: string[], idleMinutes = 30) => findSession(database.pool, tokens, idleMinutes);
const age = (column: 'used_at' | 'created_at', interval: string) =>
  database.pool.query(`UPDATE session SET ${column} = now() - $1::interval`, [interval]);
const count = async () =>
  (await database.pool.query<{ n: number }>('SELECT count(*) AS n FROM session')).rows[0]?.n;

describe('openSession', () => {
  test('called twice, returns different tokens of 256 bits that are not stored', async () => {
    const tokens = [await open(), await open('contributor')];
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const { rows } = await database.pool.query<{ text: string }>('SELECT session::text AS text FROM session');
    const written = rows.map(({ text }) => text).join();
    for (const token of tokens) {
      expect(written).not.toContain(token);
      expect(written).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
    }
  });

  test('in place of another session, ends that one', async () => {
    const first = await open();
    const second = await open('contributor', [first]);
    expect([await find([first]), await find([second])]).toEqual([undefined, 'contributor']);
  });

  test('during a change of the password, waits for it and opens nothing', async () => {
    let opening: Promise<string | undefined> | undefined;
    await database.transaction(async ({ client, prisma }) => {
      await client.query(`SELECT FROM setting WHERE key = 'hub' FOR UPDATE`);
      await endSessionsOf(prisma, 'admin');
      opening = openSession(database.pool, { role: 'admin', storedPassword: 'a', replacedTokens: [] });
      await new Promise((resolve) => setTimeout(resolve, 50));
      await client.query(
        `UPDATE setting SET value = jsonb_set(value, '{general,settings_password}', '"b"') WHERE key = 'hub'`,
      );
    });
    expect([await opening, await count()]).toEqual([undefined, 0]);
  });
});

describe('findSession', () => {
  test('with several tokens, returns the highest role among them', async () => {
    const token = await open('contributor');
    expect(await find(['other', token, 'another'])).toBe('contributor');
    expect(await find([token, await open('admin')])).toBe('admin');
    expect(await find(['other'])).toBeUndefined();
  });

  test.each([
    ['29 minutes', 30, 'admin'],
    ['31 minutes', 30, undefined],
    ['31 minutes', 0, 'admin'],
    ['61 seconds', 1, undefined],
  ])(
    '%s after its last use, with an idle limit of %i minutes, returns %s',
    async (idle, minutes, expected) => {
      const token = await open();
      await age('used_at', idle);
      expect(await find([token], minutes)).toBe(expected);
    },
  );

  test.each([
    ['30 days 23 hours', 'admin'],
    ['31 days 1 second', undefined],
  ])('%s after it was opened, though in use, returns %s', async (interval, expected) => {
    const token = await open();
    await age('created_at', interval);
    expect(await find([token], 0)).toBe(expected);
  });

  test('with repeated use, stores the time at most once a minute', async () => {
    const token = await open();
    expect(await countStatements(database.pool, () => find([token]))).toBe(1);
    await age('used_at', '61 seconds');
    expect(await countStatements(database.pool, () => find([token]))).toBe(2);
    expect(await countStatements(database.pool, () => find([token]))).toBe(1);
    await age('used_at', '29 minutes');
    await find([token]);
    await age('created_at', '1 hour');
    expect(await find([token])).toBe('admin');
  });
});

describe('ending sessions', () => {
  test('of one session, keeps the others', async () => {
    const [first, second] = [await open(), await open()];
    await endSessions(database.prisma, [first]);
    expect([await find([first]), await find([second])]).toEqual([undefined, 'admin']);
  });

  test('of a role, keeps those of the other', async () => {
    const [admin, contributor] = [await open(), await open('contributor')];
    await endSessionsOf(database.prisma, 'admin');
    expect([await find([admin]), await find([contributor])]).toEqual([undefined, 'contributor']);
  });

  test('of expired sessions, deletes only those', async () => {
    await open();
    await age('used_at', '2 hours');
    await open();
    await removeExpiredSessions(database.prisma, 0, Date.now());
    expect(await count()).toBe(2);
    await removeExpiredSessions(database.prisma, 60, Date.now());
    expect(await count()).toBe(1);
    await age('created_at', '32 days');
    await removeExpiredSessions(database.prisma, 0, Date.now());
    expect(await count()).toBe(0);
  });
});
