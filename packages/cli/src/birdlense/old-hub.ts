import { constants } from 'node:fs';
import { copyFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import sqlite from 'node-sqlite3-wasm';

/** The highest ids of the old tables, limited to {@link maxId}. */
export interface OldIds {
  readonly video: number;
  readonly detection: number;
  readonly species: number;
  readonly bird_food: number;
}

/** Higher ids are replaced by new ones, as ids of species are 32-bit integers. */
const maxId = 2_000_000_000;

const foodLinks = 'video_bird_food_association';

/** The database of an old hub, read row by row. Tables that its version does not have are treated as empty. */
export class OldHub {
  readonly #database: sqlite.Database;
  readonly #tables: ReadonlySet<unknown>;

  constructor(database: sqlite.Database) {
    this.#database = database;
    const tables = this.#all(`SELECT name FROM sqlite_master WHERE type = 'table'`);
    this.#tables = new Set(tables.map(({ name }) => name));
    database.exec('CREATE INDEX birdhub_detections ON video_species (video_id)');
    if (this.#tables.has(foodLinks)) database.exec(`CREATE INDEX birdhub_foods ON ${foodLinks} (video_id)`);
  }

  readIds(): OldIds {
    const maxIdOf = (table: string) => {
      if (!this.#columnsOf(table).has('id')) return 0;
      const [row = {}] = this.#all(`SELECT max(id) AS id FROM ${table} WHERE id <= ${maxId}`);
      return Math.max(0, idOf(row, 'id') ?? 0);
    };
    return {
      video: maxIdOf('video'),
      detection: maxIdOf('video_species'),
      species: maxIdOf('species'),
      bird_food: maxIdOf('bird_food'),
    };
  }

  /** Reads all species, and the ids of those that were detected. */
  readSpecies(): { readonly rows: readonly OldRow[]; readonly detected: ReadonlySet<number> } {
    const detected = this.#all('SELECT DISTINCT species_id FROM video_species');
    const ids = detected.flatMap((row) => idOf(row, 'species_id') ?? []);
    return { rows: this.#all('SELECT * FROM species'), detected: new Set(ids) };
  }

  readFoods(): readonly OldRow[] {
    return this.#tables.has('bird_food') ? this.#all('SELECT * FROM bird_food ORDER BY id') : [];
  }

  /** Counts the detections without a recording. */
  countOrphans(): number {
    const [row = {}] = this.#all(
      'SELECT count(*) AS count FROM video_species WHERE video_id IS NULL OR video_id NOT IN (SELECT id FROM video)',
    );
    return idOf(row, 'count') ?? 0;
  }

  /** Reads the recordings in the order of their start, in pages. */
  *readRecordings(pageSize: number): Generator<OldRecording[]> {
    const videos = this.#database.prepare('SELECT * FROM video ORDER BY start_time, id');
    try {
      let page: OldRecording[] = [];
      for (const video of videos.iterate() as Iterable<OldRow>) {
        page.push(this.#readRecording(video));
        if (page.length < pageSize) continue;
        yield page;
        page = [];
      }
      if (page.length) yield page;
    } finally {
      videos.finalize();
    }
  }

  #readRecording(video: OldRow): OldRecording {
    const id = idOf(video, 'id') ?? null;
    const detections = this.#all('SELECT * FROM video_species WHERE video_id = ? ORDER BY rowid', id);
    if (!this.#tables.has(foodLinks)) return { video, detections, foods: [] };
    const links = this.#all(`SELECT birdfood_id FROM ${foodLinks} WHERE video_id = ?`, id);
    return { video, detections, foods: links.flatMap((link) => idOf(link, 'birdfood_id') ?? []) };
  }

  #columnsOf(table: string): ReadonlySet<unknown> {
    return new Set(this.#all('SELECT name FROM pragma_table_info(?)', table).map(({ name }) => name));
  }

  #all(statement: string, value?: string | number | null): OldRow[] {
    return this.#database.all(statement, value === undefined ? [] : [value]) as OldRow[];
  }
}

const requiredColumns: Readonly<Record<string, readonly string[]>> = {
  video: ['id', 'start_time', 'end_time', 'video_path'],
  video_species: ['video_id', 'species_id', 'start_time', 'end_time', 'confidence', 'source'],
  species: ['id', 'name'],
};

const copyPrefix = 'birdhub-import-';
const maxCopyAgeMs = 24 * 60 * 60 * 1000;

/** Works on a copy of an old hub's database. @throws LauncherError when the file is not such a database */
export async function withOldHub<T>(file: string, work: (old: OldHub) => Promise<T>): Promise<T> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new LauncherError(`There is no file ${file}.`);
  await removeAbandonedCopies();
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

/** Removes the copies of killed imports, recognised by an age that no running import reaches. */
async function removeAbandonedCopies(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(copyPrefix));
  for (const folder of names.map((name) => join(tmpdir(), name))) {
    const found = await stat(folder).catch(() => undefined);
    const isAbandoned = found !== undefined && Date.now() - found.mtimeMs > maxCopyAgeMs;
    // A copy of another user cannot be removed.
    if (isAbandoned) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Copies the write-ahead log too, which may hold the latest rows. */
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
    throw new LauncherError(`${file} cannot be read by the user who runs this command.`, { cause: error });
  };
}

function openCopy(file: string, copy: string): sqlite.Database {
  const database = new sqlite.Database(copy);
  try {
    // The write-ahead log of a copy can only be read with an exclusive lock.
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    checkIntegrity(database, file);
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

function checkIntegrity(database: sqlite.Database, file: string): void {
  const { quick_check: result } = database.get('PRAGMA quick_check(1)') ?? {};
  if (result === 'ok') return;
  throw new LauncherError(`${file} is damaged, or is being written to: stop the old hub first.`);
}

function checkLayout(database: sqlite.Database, file: string): void {
  for (const [table, columns] of Object.entries(requiredColumns)) {
    const found = database.all('SELECT name FROM pragma_table_info(?)', [table]).map(({ name }) => name);
    const missing = columns.filter((column) => !found.includes(column));
    if (!missing.length) continue;
    const reason = found.length
      ? `its table ${table} has no ${missing.join(', ')}`
      : `it has no table ${table}`;
    throw new LauncherError(`${file} is not a database of a BirdLense hub: ${reason}.`);
  }
}

/** A value of a SQLite column. */
export type OldValue = number | bigint | string | Uint8Array | null;

/** A row of the old database; columns that its version does not have are absent. */
export type OldRow = Readonly<Record<string, OldValue>>;

/** A recording of the old database with its related rows. */
export interface OldRecording {
  readonly video: OldRow;
  readonly detections: readonly OldRow[];
  /** The old ids of the foods that were offered. */
  readonly foods: readonly number[];
}

const control = /\p{Cc}/gu;
const trueValues: readonly unknown[] = [1, '1', 'true', 't'];

/** Returns the text of a column without control characters, cut to a maximum length; undefined when it has none. */
export function textOf(row: OldRow, column: string, maxLength = 10_000): string | undefined {
  const value = row[column];
  if (typeof value !== 'string') return undefined;
  return value.replace(control, ' ').toWellFormed().trim().slice(0, maxLength).toWellFormed() || undefined;
}

/** Returns a finite number; undefined for anything else. */
export function numberOf(row: OldRow, column: string): number | undefined {
  const value = row[column];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Returns an integer; undefined for anything else. */
export function idOf(row: OldRow, column: string): number | undefined {
  const value = numberOf(row, column);
  return Number.isSafeInteger(value) ? value : undefined;
}

export const isTrue = (row: OldRow, column: string): boolean => trueValues.includes(row[column]);

/** Returns the values of columns that this hub does not know. */
export function restOf(row: OldRow, known: ReadonlySet<string>): Record<string, unknown> | null {
  const rest = Object.keys(row)
    .filter((column) => !known.has(column))
    .map((column) => [column, textOf(row, column) ?? numberOf(row, column)] as const)
    .filter(([, value]) => value !== undefined);
  return rest.length ? Object.fromEntries(rest) : null;
}
