import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import { migrateWithin, openConnection } from '@birdhub/shared/db';
import { createTestDatabase, insertManyVisits } from '@birdhub/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { refuseToRestore } from '../testing/refused-restore.js';
import { createStoredHub, noSignal, type StoredHub } from '../testing/stored-hub.js';
import { makeBackup } from './make-backup.js';
import { openBackup, restoreHub } from './restore-backup.js';

let here: StoredHub;
let made: string;
let file: string;
let before: Record<string, string>;

beforeAll(async () => {
  here = await createStoredHub();
  made = join(here.folder, 'made.backup');
  file = join(here.folder, 'other.backup');
  await here.query(`INSERT INTO video (video_path, start_time, end_time, content_hash)
    SELECT n || md5(n::text), now(), now(), '' FROM generate_series(1, 20000) n`);
  await here.backUp(made);
  await here.query('UPDATE video SET favorite = true');
  before = await here.readTables();
});
afterEach(async () => expect(await here.readTables()).toEqual(before));
afterAll(() => here.drop());

describe('restoreHub and makeBackup, an unsuitable database', () => {
  it('with a service of the hub connected to it, is left unchanged', async () => {
    const service = await openConnection({ url: here.url, name: 'ingest' });
    expect(await refuseToRestore(here, made)).toBe(
      'The hub is using this database (birdhub-ingest): stop it first.',
    );
    await service.end();
  });

  it('with tables of another program, is left unchanged', async () => {
    const other = await createStoredHub();
    await other.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE mine ()');
    expect(await refuseToRestore(other, made)).toContain('contains tables that do not belong to a hub');
    expect(await other.readTables()).toEqual({ mine: 'empty' });
    await other.drop();
  });

  it('that cannot be reached, is reported as such', async () => {
    const gone = { ...here.options, databaseUrl: 'postgresql://nobody@127.0.0.1:1/hub' };
    const backingUp = makeBackup(gone.databaseUrl, gone, { file, passphrase: undefined }, noSignal);
    await expect(backingUp).rejects.toThrow('The database cannot be reached');
  });

  it('without a hub, has nothing to back up', async () => {
    const empty = await createStoredHub();
    await empty.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await expect(empty.backUp(join(empty.folder, 'x'))).rejects.toThrow('nothing to back up');
    expect(await readdir(empty.folder)).toEqual([]);
    await empty.drop();
  });
});

describe('restoreHub, a backup of an earlier version', () => {
  let old: StoredHub;

  beforeAll(async () => {
    old = await createStoredHub();
    await old.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const client = await openConnection({ url: old.url, name: 'test' });
    await client.query('BEGIN');
    await migrateWithin(client, ['20261121000000_ground_floor']);
    await client.query(`INSERT INTO species (name) VALUES ('Great Tit');
      INSERT INTO species_visit (species_id, start_time, end_time, max_simultaneous, detection_count, video_count)
        VALUES (1, '2026-05-01 08:00', '2026-05-01 08:01', 2, 1, 1);
      INSERT INTO visit_day SELECT '2026-05-01', 1, 1, 2, 1, 1, 60;
      INSERT INTO species_total VALUES (1, 1, 2); COMMIT`);
    await client.end();
  });
  afterAll(() => old.drop());

  it('is migrated, and newer tables are filled from the older ones', async () => {
    await old.backUp(file);
    const { migrated } = await old.restore(file);
    expect(migrated).toContain('20261121140000_visit_month');
    const months = await old.query('SELECT year, month, individuals FROM visit_month ORDER BY year');
    expect(months).toEqual([0, 2026].map((year) => ({ year, month: 5, individuals: 2 })));
  });

  it('whose rows make a later migration fail, is not restored', async () => {
    const empty = await createStoredHub();
    const untouched = await empty.readTables();
    await old.query(`DROP SCHEMA public CASCADE; CREATE SCHEMA public`);
    const client = await openConnection({ url: old.url, name: 'test' });
    await client.query('BEGIN');
    await migrateWithin(client, ['20261121000000_ground_floor']);
    await client.query(`INSERT INTO species (name) VALUES ('Great Tit');
      INSERT INTO visit_day SELECT '40000-05-01', 1, 1, 2, 1, 1, 60; COMMIT`);
    await client.end();
    await old.backUp(file);
    await expect(empty.restore(file)).rejects.toThrow('migration 20261121140000_visit_month failed');
    expect(await empty.readTables()).toEqual(untouched);
    await empty.drop();
  });
});

describe('restoreHub, interrupted half-way', () => {
  it('by a signal, changes nothing', async () => {
    const stopping = new AbortController();
    const restorable = await openBackup(here.options, { file: made, passphrase: undefined }, noSignal);
    const restoring = restoreHub(here.url, here.options, restorable, stopping.signal);
    stopping.abort(new LauncherError('enough'));
    await expect(restoring).rejects.toThrow();
  });

  it('by kill -9 while rows come in, changes nothing', async () => {
    const database = await createTestDatabase();
    await insertManyVisits(database.pool, { count: 40_000, from: 0, everyMs: 600_000 });
    const program = `const { runCli } = await import('@birdhub/cli/cli'); process.exitCode = await runCli(process.argv.slice(1))`;
    const env = { ...process.env, DATABASE_URL: here.url, DATA_DIR: here.folder };
    await makeBackup(database.url, here.options, { file, passphrase: undefined }, noSignal);
    const node = ['--input-type=module', '-e', program];
    const child = spawn(process.execPath, [...node, 'restore', file], { env });
    const isLoading = `SELECT count(*)::int AS n FROM pg_stat_progress_copy
      WHERE datname = $1 AND command = 'COPY FROM' AND tuples_processed > 1000`;
    const name = new URL(here.url).pathname.slice(1);
    const seeLoading = async () => (await database.pool.query(isLoading, [name])).rows[0]?.n === 1;
    await vi.waitUntil(seeLoading, { interval: 5 });
    child.kill('SIGKILL');
    await once(child, 'exit');
    await database.drop();
  }, 120_000);
});
