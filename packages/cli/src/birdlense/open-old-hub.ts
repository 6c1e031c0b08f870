import { constants } from 'node:fs';
import { copyFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import sqlite from 'node-sqlite3-wasm';
import { OldHub } from './old-hub.js';

const needed: Readonly<Record<string, readonly string[]>> = {
  video: ['id', 'start_time', 'end_time', 'video_path'],
  video_species: ['video_id', 'species_id', 'start_time', 'end_time', 'confidence', 'source'],
  species: ['id', 'name'],
};

const copyPrefix = 'birdhub-import-';
const maxCopyAgeMs = 24 * 60 * 60 * 1000;

/**
 * Works on a copy of an old hub's database, which stays as it is.
 * @throws LauncherError when the file is none
 */
export async function withOldHub<T>(file: string, work: (old: OldHub) => Promise<T>): Promise<T> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new LauncherError(`There is no file ${file}.`);
  await removeLeftCopies();
  const folder = await mkdtemp(join(tmpdir(), copyPrefix));
  try {
    const database = openCopy(file, await copyDatabase(file, folder));
    try {
      return await work(new OldHub(database));
    } finally {
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Removes the copies of imports that were killed, which last longer than any import takes. */
async function removeLeftCopies(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(copyPrefix));
  for (const folder of names.map((name) => join(tmpdir(), name))) {
    const found = await stat(folder).catch(() => undefined);
    const isLeft = found !== undefined && Date.now() - found.mtimeMs > maxCopyAgeMs;
    // It may be another user's, who removes it.
    if (isLeft) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** What was written last may still be in the log beside the database. */
async function copyDatabase(file: string, folder: string): Promise<string> {
  const copy = join(folder, 'old.db');
  await copyFile(file, copy, constants.COPYFILE_FICLONE).catch(refuseUnreadable(file));
  await copyFile(`${file}-wal`, `${copy}-wal`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') refuseUnreadable(`${file}-wal`)(error);
  });
  return copy;
}

function refuseUnreadable(file: string) {
  return (error: NodeJS.ErrnoException): never => {
    if (error.code !== 'EACCES') throw error;
    throw new LauncherError(`${file} cannot be read by the user who runs this.`, { cause: error });
  };
}

function openCopy(file: string, copy: string): sqlite.Database {
  const database = new sqlite.Database(copy);
  try {
    // A log beside it can only be read by whoever has the database alone.
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    checkWhole(database, file);
    checkLayout(database, file);
    return database;
  } catch (error) {
    database.close();
    if (!(error instanceof sqlite.SQLite3Error)) throw error;
    throw new LauncherError(`${file} cannot be read as a SQLite database: ${error.message}.`, {
      cause: error,
    });
  }
}

function checkWhole(database: sqlite.Database, file: string): void {
  const { quick_check: verdict } = database.get('PRAGMA quick_check(1)') ?? {};
  if (verdict === 'ok') return;
  throw new LauncherError(`${file} is damaged, or was written to just now: stop the old hub first.`);
}

function checkLayout(database: sqlite.Database, file: string): void {
  for (const [table, columns] of Object.entries(needed)) {
    const found = database.all('SELECT name FROM pragma_table_info(?)', [table]).map(({ name }) => name);
    const missing = columns.filter((column) => !found.includes(column));
    if (!missing.length) continue;
    const lack = found.length
      ? `its table ${table} has no ${missing.join(', ')}`
      : `it has no table ${table}`;
    throw new LauncherError(`${file} is no database of a BirdLense hub: ${lack}.`);
  }
}
