import { executionAsyncResource } from 'node:async_hooks';
import { readFile } from 'node:fs/promises';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from './database.js';
import { translateDatabaseError } from './db-errors.js';
import { Prisma } from './generated/client.js';

const log = pino({ level: 'silent' });
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The columns in schema.prisma without relations, as `table.column`, with `?` if nullable and `[]` for lists. */
async function listSchemaColumns(): Promise<string[]> {
  const schema = await readFile(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');
  const models = [...schema.matchAll(/^model (?<name>\w+) \{\n(?<body>.*?)^\}/gms)].map(({ groups }) => ({
    name: groups?.['name'] ?? '',
    body: groups?.['body'] ?? '',
  }));
  const names = new Set(models.map(({ name }) => name));
  return models.flatMap(({ body }) => {
    const table = /@@map\("(\w+)"\)/.exec(body)?.[1];
    const fields = [...body.matchAll(/^ {2}(\w+) +(\w+)(\?|\[\])?(.*)$/gm)];
    return fields
      .filter(([, , type]) => !names.has(type ?? ''))
      .map(([, field, , suffix, rest]) => {
        const column = / @map\("(\w+)"\)/.exec(rest ?? '')?.[1] ?? field;
        return `${table}.${column}${suffix ?? ''}`;
      });
  });
}

describe('schema.prisma', () => {
  it('its columns, match the migrated database', async () => {
    const { rows } = await database.pool.query<{ column: string }>(
      `SELECT table_name || '.' || column_name || CASE WHEN data_type = 'ARRAY' THEN '[]' WHEN is_nullable = 'YES' THEN '?' ELSE '' END AS column
       FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> '_prisma_migrations'`,
    );
    expect((await listSchemaColumns()).sort()).toEqual(rows.map(({ column }) => column).sort());
  });
});

describe('Prisma client', () => {
  it.each(Object.values(Prisma.ModelName))('%s, in the migrated database, can be read', async (model) => {
    const name = `${model.charAt(0).toLowerCase()}${model.slice(1)}` as Uncapitalize<typeof model>;
    const delegate = database.prisma[name] as unknown as {
      findMany(query: { take: number }): Promise<unknown[]>;
    };
    await expect(delegate.findMany({ take: 1 })).resolves.toBeInstanceOf(Array);
  });

  it('a row with a bigint, a time, JSON and null, is read back unchanged, the bigint as a number', async () => {
    const data = {
      kind: 'test',
      parameters: { list: [1, { deep: null }], text: 'a' },
      total: 7,
      position: 2 ** 52,
      startedAt: new Date('2026-05-01T08:00:00.123Z'),
    };
    const { id } = await database.prisma.job.create({ data });
    expect(await database.prisma.job.findUniqueOrThrow({ where: { id } })).toMatchObject({
      ...data,
      id: expect.any(Number),
      currentVideoId: null,
    });
  });

  it('bytes, are read back unchanged', async () => {
    const image = new Uint8Array([0, 1, 254, 255]);
    const row = { speciesName: 'Great Tit', image, notifiedAt: new Date(0) };
    const { id } = await database.prisma.detectionNotice.create({ data: row });
    const found = await database.prisma.detectionNotice.findUniqueOrThrow({ where: { id } });
    expect(Buffer.from(found.image ?? [])).toEqual(Buffer.from(image));
  });

  it('a bigint in a related row, is a number', async () => {
    const { prisma } = database;
    const at = new Date(0);
    const { id } = await prisma.notification.create({
      data: {
        messageKey: 'm',
        speciesKey: 's',
        about: at,
        message: {},
        expiresAt: at,
        createdAt: at,
        deliveries: { create: [{ channel: 'web_push', nextAttemptAt: at }] },
      },
    });
    const found = await prisma.notification.findUniqueOrThrow({
      where: { id },
      include: { deliveries: true },
    });
    expect(found.deliveries.map(({ notificationId }) => notificationId)).toEqual([id]);
  });

  it('findUnique calls batched in one tick, each return their own row', async () => {
    await database.prisma.camera.createMany({ data: [{ id: 'a' }, { id: 'b' }] });
    const ids = ['b', 'none', 'a'];
    const found = await Promise.all(ids.map((id) => database.prisma.camera.findUnique({ where: { id } })));
    expect(found.map((camera) => camera?.id)).toEqual(['b', undefined, 'a']);
  });
});

describe('transaction', () => {
  beforeEach(() => database.pool.query('TRUNCATE camera'));

  const add = 'INSERT INTO camera (id) VALUES ($1)';
  const cameras = async () => (await database.pool.query('SELECT id FROM camera ORDER BY id')).rows;

  it("SQL and Prisma in one transaction, see each other's writes, and both are committed", async () => {
    const seen = await database.transaction(async ({ client, prisma }) => {
      await client.query(add, ['sql']);
      const bySql = await prisma.camera.count();
      await prisma.camera.create({ data: { id: 'prisma' } });
      const { rows } = await client.query<{ count: number }>('SELECT count(*) FROM camera');
      expect(await cameras()).toEqual([]);
      return [bySql, rows[0]?.count];
    });
    expect(seen).toEqual([1, 2]);
    expect(await cameras()).toEqual([{ id: 'prisma' }, { id: 'sql' }]);
  });

  it('SQL and Prisma in a transaction that throws, are both rolled back', async () => {
    const error = new Error('no');
    const work = database.transaction(async ({ client, prisma }) => {
      await prisma.camera.create({ data: { id: 'prisma' } });
      await client.query(add, ['sql']);
      throw error;
    });
    await expect(work).rejects.toBe(error);
    expect(await cameras()).toEqual([]);
  });

  it('a failed statement of Prisma, rolls back what SQL wrote', async () => {
    const work = database.transaction(async ({ client, prisma }) => {
      await client.query(add, ['sql']);
      await prisma.camera.create({ data: { id: 'sql' } });
    });
    await expect(work).rejects.toMatchObject({ code: 'P2002' });
    expect(await cameras()).toEqual([]);
  });

  it('a failed, unawaited SQL statement, rolls back what Prisma wrote and is the error', async () => {
    const work = database.transaction(async ({ client, prisma, send }) => {
      await prisma.camera.create({ data: { id: 'a' } });
      send(client.query(add, ['a']));
    });
    await expect(work).rejects.toMatchObject({ code: '23505' });
    expect(await cameras()).toEqual([]);
  });

  it('options of BEGIN, apply to Prisma', async () => {
    const work = database.transaction(
      ({ prisma }) => prisma.camera.create({ data: { id: 'a' } }),
      'BEGIN READ ONLY',
    );
    expect(translateDatabaseError(await work.catch((error: unknown) => error))?.code).toBe(
      'database_unavailable',
    );
  });

  it('concurrent transactions, are committed or rolled back separately', async () => {
    const write = (id: string) =>
      database.transaction(async ({ client, prisma }) => {
        await prisma.camera.create({ data: { id } });
        await client.query(add, [`${id}${id}`]);
        if (id > 'c') throw new Error(id);
      });
    await Promise.allSettled(['a', 'b', 'c', 'd', 'e', 'f'].map(write));
    expect(await cameras()).toEqual(['a', 'aa', 'b', 'bb', 'c', 'cc'].map((id) => ({ id })));
  });

  it('Prisma outside of an open transaction, neither sees nor joins it', async () => {
    await expect(
      database.transaction(async ({ prisma }) => {
        await prisma.camera.create({ data: { id: 'inside' } });
        expect(await database.prisma.camera.count()).toBe(0);
        await database.prisma.camera.create({ data: { id: 'outside' } });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await cameras()).toEqual([{ id: 'outside' }]);
  });

  it('twenty failures in a row, leave no connection in use', async () => {
    for (let round = 0; round < 20; round += 1) {
      await database
        .transaction(({ prisma }) => prisma.camera.create({ data: { id: 'x'.repeat(1e6) } }))
        .catch(() => undefined);
    }
    expect(database.pool.idleCount).toBe(database.pool.totalCount);
  });
});

describe('two services on one database', () => {
  it('when one is closed, the other still reads and writes by Prisma, each on its own pool', async () => {
    await database.pool.query('TRUNCATE camera');
    const open = (name: string) => openDatabase({ url: database.url, max: 2, name, log });
    const [first, second] = [open('first'), open('second')];
    await first.prisma.camera.create({ data: { id: 'a' } });
    expect([first.pool.totalCount, second.pool.totalCount]).toEqual([1, 0]);
    await first.close();
    await second.transaction(({ prisma }) => prisma.camera.create({ data: { id: 'b' } }));
    expect((await second.prisma.camera.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id)).toEqual([
      'a',
      'b',
    ]);
    await second.close();
    const third = open('third');
    expect(await third.prisma.camera.count()).toBe(2);
    await third.close();
  });
});

/** How many storages Node copies to each new promise. */
async function countStorages(): Promise<number> {
  await null;
  const symbols = Object.getOwnPropertySymbols(executionAsyncResource());
  return symbols.filter(({ description }) => description === 'kResourceStore').length;
}

describe('a closed database', () => {
  it('after queries and transactions of Prisma, leaves no storage that slows promises down', async () => {
    const before = await countStorages();
    const temporary = await createTestDatabase();
    await temporary.transaction(({ prisma }) => prisma.camera.findMany());
    expect(await countStorages()).toBe(before + 1);
    await temporary.drop();
    expect(await countStorages()).toBe(before);
  });
});
