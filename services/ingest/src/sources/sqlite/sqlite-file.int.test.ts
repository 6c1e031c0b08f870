import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteFile } from './sqlite-file.js';

let folder: string;
const opened: { close(): unknown }[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sqlite-file-'));
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  rmSync(folder, { recursive: true });
});

const keep = <T extends { close(): unknown }>(one: T): T => {
  opened.push(one);
  return one;
};

function write(name: string, sql: string): Database.Database {
  const database = keep(new Database(join(folder, name)));
  database.exec(sql);
  return database;
}

const table = { name: 'birds', columns: ['name'] };
const reader = (name: string, options = {}, expected = table) =>
  keep(new SqliteFile(join(folder, name), expected, options));
const birds = 'CREATE TABLE birds (name TEXT, score FLOAT)';

describe('SqliteFile', () => {
  it('a table with rows, is returned as arrays with their types', async () => {
    write('a b#?%.db', `${birds}; INSERT INTO birds VALUES ('Tit', 0.5), (NULL, 'x')`);
    const rows = await reader('a b#?%.db').query('SELECT rowid, name, score FROM birds WHERE rowid > ?', [0]);
    expect(rows).toEqual([
      [1, 'Tit', 0.5],
      [2, null, 'x'],
    ]);
  });

  it.each(['delete', 'wal'])(
    'a database in mode %s, during a write, shows what was committed',
    async (mode) => {
      const writer = write('live.db', `PRAGMA journal_mode = ${mode}; ${birds}`);
      const file = reader('live.db');
      const counts: unknown[] = [];
      for (let count = 1; count <= 3; count += 1) {
        writer.exec("INSERT INTO birds VALUES ('Tit', 1)");
        counts.push((await file.query('SELECT count(*) FROM birds'))[0]);
      }
      writer.exec("BEGIN; INSERT INTO birds VALUES ('Robin', 1)");
      counts.push((await file.query('SELECT count(*) FROM birds'))[0]);
      expect(counts).toEqual([[1], [2], [3], [3]]);
    },
  );

  /** In a folder that may not be written SQLite cannot create this file, without which it opens no database in WAL mode. */
  const blockWal = (name: string) => symlinkSync('/nowhere/x', join(folder, `${name}-shm`));

  it('a copy in WAL mode in a folder that may not be written, is read', async () => {
    write('copy.db', `PRAGMA journal_mode = wal; ${birds}; INSERT INTO birds VALUES ('Tit', 1)`).close();
    blockWal('copy.db');
    expect(await reader('copy.db').query('SELECT name FROM birds')).toEqual([['Tit']]);
  });

  it('a database in WAL mode with changes in such a folder, is refused', async () => {
    write('live.db', `PRAGMA journal_mode = wal; ${birds}`).close();
    blockWal('live.db');
    writeFileSync(join(folder, 'live.db-wal'), 'changes');
    await expect(reader('live.db').query('SELECT name FROM birds')).rejects.toMatchObject({
      stage: 'permission',
      message: expect.stringContaining('WAL mode'),
    });
  });

  it('a statement that writes, is refused', async () => {
    write('birds.db', birds);
    const file = reader('birds.db');
    await expect(file.query("INSERT INTO birds VALUES ('Tit', 1)")).rejects.toMatchObject({
      name: 'UpstreamError',
    });
    expect(await file.query('SELECT * FROM birds')).toEqual([]);
  });

  it('a database replaced by another, is read from then on', async () => {
    write('birds.db', `${birds}; INSERT INTO birds VALUES ('old', 1)`);
    const file = reader('birds.db');
    const before = await file.query('SELECT name FROM birds');
    write('new.db', `${birds}; INSERT INTO birds VALUES ('new', 1)`);
    renameSync(join(folder, 'new.db'), join(folder, 'birds.db'));
    expect([before, await file.query('SELECT name FROM birds')]).toEqual([[['old']], [['new']]]);
  });

  it.each([
    'CREATE TABLE IF NOT EXISTS birds(name)',
    'CREATE TABLE "birds" (name)',
    'CREATE TABLE [Birds] (name)',
    'CREATE TABLE other (name); ALTER TABLE other RENAME TO birds',
  ])('a table made by %s, is read', async (sql) => {
    write('birds.db', sql);
    expect(await reader('birds.db').query('SELECT name FROM birds')).toEqual([]);
  });

  it.each([
    ['a view', "CREATE VIEW birds AS SELECT 'endless' AS name"],
    ['a virtual table', 'CREATE VIRTUAL TABLE birds USING fts5 (name)'],
  ])('%s that replaces the table, is not read', async (_case, sql) => {
    const database = write('birds.db', birds);
    const file = reader('birds.db');
    await file.query('SELECT * FROM birds');
    database.exec(`DROP TABLE birds; ${sql}`);
    await expect(file.query('SELECT name FROM birds')).rejects.toMatchObject({
      stage: 'version',
      message: 'The database has no table "birds": it is that of another program.',
    });
  });

  it('a view with the type of a table, is not read', async () => {
    const database = write('birds.db', "CREATE VIEW birds AS SELECT 'endless' AS name");
    database.exec("PRAGMA writable_schema = ON; UPDATE sqlite_master SET type = 'table'");
    await expect(reader('birds.db').query('SELECT name FROM birds')).rejects.toMatchObject({
      message: expect.stringMatching(/damaged/),
    });
  });

  it('a database locked by a writer, is a temporary error', async () => {
    const writer = write('birds.db', birds);
    const file = reader('birds.db');
    writer.exec('BEGIN EXCLUSIVE');
    await expect(file.query('SELECT * FROM birds')).rejects.toMatchObject({
      stage: 'birds',
      message: 'The database is being written; it is read again later.',
    });
    writer.exec('COMMIT');
    expect(await file.query('SELECT * FROM birds')).toEqual([]);
  });

  it.each<[string, () => unknown, string, RegExp]>([
    ['that does not exist', () => undefined, 'address', /no file .*must be mounted/],
    ['that is a folder', () => mkdirSync(join(folder, 'x.db')), 'address', /is not a file/],
    ['that is empty', () => writeFileSync(join(folder, 'x.db'), ''), 'address', /is empty/],
    [
      'of text',
      () => writeFileSync(join(folder, 'x.db'), 'a,b,c\n'.repeat(40)),
      'address',
      /not an SQLite database/,
    ],
    [
      'that breaks off after its header',
      () => writeFileSync(join(folder, 'x.db'), `SQLite format 3\0${'x'.repeat(300)}`),
      'birds',
      /damaged/,
    ],
  ] as const)('a file %s, is refused by its path', async (_case, make, stage, message) => {
    make();
    const query = reader('x.db').query('SELECT * FROM birds');
    await expect(query).rejects.toMatchObject({ stage, message: expect.stringMatching(message) });
  });

  it('a relative path, is refused', async () => {
    await expect(keep(new SqliteFile('birds.db', table)).query('SELECT 1')).rejects.toMatchObject({
      stage: 'address',
      message: 'The path must be absolute: it begins with a slash.',
    });
  });

  it('a query that takes too long, fails, and later ones work again', async () => {
    write('birds.db', birds);
    const file = reader('birds.db', { timeoutMs: 700 });
    const endless =
      'WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 6000000) SELECT count(*) FROM n';
    await expect(file.query(endless)).rejects.toMatchObject({
      message: 'The database does not respond in time.',
    });
    await expect.poll(() => file.query('SELECT * FROM birds').catch(() => 'not yet')).toEqual([]);
  });

  it('an aborted query, rejects with the reason of the signal, and the next gets its own rows', async () => {
    write('birds.db', birds);
    const file = reader('birds.db');
    const ending = new AbortController();
    const first = file.query('SELECT 1', [], ending.signal);
    ending.abort(new Error('ended'));
    await expect(first).rejects.toThrow('ended');
    expect(await file.query('SELECT 2')).toEqual([[2]]);
  });
});

describe('SqliteFile.requireTable', () => {
  it('a database with the table and its columns in another case, passes', async () => {
    write('birds.db', birds);
    await expect(
      reader('birds.db', {}, { name: 'Birds', columns: ['NAME'] }).requireTable(),
    ).resolves.toBeUndefined();
  });

  it.each([
    [
      'another table',
      'CREATE TABLE other (a)',
      'The database has no table "birds": it is that of another program.',
    ],
    [
      'a view of its name',
      'CREATE TABLE t (name); CREATE VIEW birds AS SELECT * FROM t',
      'The database has no table "birds": it is that of another program.',
    ],
    ['other columns', 'CREATE TABLE birds (name)', 'The table "birds" is missing columns: score, sex.'],
  ])('a database with %s, is refused naming what is missing', async (_case, sql, message) => {
    write('birds.db', sql);
    const check = reader('birds.db', {}, { name: 'birds', columns: ['name', 'score', 'sex'] }).requireTable();
    await expect(check).rejects.toMatchObject({ stage: 'version', message });
  });
});
