import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { copyIn, copyOut } from './copy.js';
import { type Connection, openConnection } from './database.js';

describe('copyOut and copyIn', () => {
  let database: TestDatabase;
  let client: Connection;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.pool.query('CREATE TABLE given (id integer, text text); CREATE TABLE target (LIKE given)');
    client = await openConnection({ url: database.url, name: 'test' });
  });
  beforeEach(() => database.pool.query('TRUNCATE given, target'));
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const fill = (count: number, text: string) =>
    database.pool.query('INSERT INTO given SELECT n, $2 || n FROM generate_series(1, $1::int) n', [
      count,
      text,
    ]);
  async function* once(text: string) {
    yield Buffer.from(text);
  }
  const countTarget = async () => (await database.pool.query('SELECT count(*) AS n FROM target')).rows[0]?.n;

  it('rows of many chunks with a slow reader, are copied out and in unchanged', async () => {
    await fill(100_000, 'tab\t, line\n, backslash\\, ÄЖ鳥 ');
    const source = copyOut(client, 'COPY given TO STDOUT');
    const chunks: Buffer[] = [];
    for await (const chunk of source) {
      chunks.push(chunk);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(source.rowCount).toBe(100_000);
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.every((chunk) => chunk.at(-1) === 10)).toBe(true);
    async function* read() {
      yield* chunks;
    }
    expect(await copyIn(client, 'COPY target FROM STDIN', read())).toBe(100_000);
    const { rows } = await client.query(
      '(TABLE given EXCEPT ALL TABLE target) UNION ALL (TABLE target EXCEPT ALL TABLE given)',
    );
    expect(rows).toEqual([]);
  });

  it('a row larger than a chunk, is copied whole, and an empty table as nothing', async () => {
    await fill(1, 'x'.repeat(3_000_000));
    await fill(1, 'after');
    const read = async () => Buffer.concat(await copyOut(client, 'COPY given TO STDOUT').toArray());
    expect((await read()).length).toBe(3_000_000 + '1\t1\n1\tafter1\n'.length);
    await database.pool.query('TRUNCATE given');
    expect((await read()).length).toBe(0);
    expect(await copyIn(client, 'COPY target FROM STDIN', once(''))).toBe(0);
  });

  it('a statement that the server refuses, fails and leaves the connection usable', async () => {
    await expect(copyOut(client, 'COPY nothing TO STDOUT').toArray()).rejects.toThrow('nothing');
    await expect(copyIn(client, 'COPY nothing FROM STDIN', once('1\ta\n'))).rejects.toThrow('nothing');
    await expect(copyIn(client, 'COPY target FROM STDIN', once('one\ta\n'))).rejects.toThrow('integer');
    expect(await countTarget()).toBe(0);
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('chunks that the server refuses half-way, are no longer sent', async () => {
    let sent = 0;
    async function* endless() {
      for (; ; sent += 1) yield Buffer.from(sent === 0 ? 'no number\ta\n' : '1\ta\n'.repeat(10_000));
    }
    await expect(copyIn(client, 'COPY target FROM STDIN', endless())).rejects.toThrow('integer');
    const before = sent;
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(sent - before).toBeLessThan(2);
  });

  it('chunks that fail, make the statement fail with their error and store nothing', async () => {
    async function* broken() {
      yield Buffer.from('1\ta\n');
      throw new Error('the source broke');
    }
    await expect(copyIn(client, 'COPY target FROM STDIN', broken())).rejects.toThrow('the source broke');
    expect(await countTarget()).toBe(0);
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('a connection lost half-way, fails both', async () => {
    const lost = await openConnection({ url: database.url, name: 'lost' });
    const { rows } = await lost.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    async function* untilLost() {
      yield Buffer.from('1\ta\n');
      await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      for (;;) yield Buffer.from('1\ta\n'.repeat(100_000));
    }
    await expect(copyIn(lost, 'COPY target FROM STDIN', untilLost())).rejects.toThrow();
    await expect(copyOut(lost, 'COPY given TO STDOUT').toArray()).rejects.toThrow();
    expect(await countTarget()).toBe(0);
    await lost.end();
  });
});
