import type { Dirent, Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Digest } from './archive.js';

/** Raised when a reader of the last one would misread the new one. */
export const backupFormat = 1;

/** The first entry of a backup: whether this version can read it. */
export type Heading = {
  readonly format: number;
  readonly hub_version: string;
  /** RFC 3339. */
  readonly created_at: string;
  /** The migrations that its database had, oldest first. */
  readonly migrations: readonly string[];
};

export type BackedUpTable = Digest & {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
};

/** The last entry of a backup: what all the others must be. */
export type Manifest = Heading & {
  readonly tables: readonly BackedUpTable[];
  readonly sequences: readonly SequenceState[];
  readonly settings_keys: Digest;
  readonly recordings: Digest & { readonly files: number };
};

/** The number a sequence gave last, as text, as it may be larger than a double holds. */
export type SequenceState = { readonly name: string; readonly last: string };

/** The names of the entries; a table's rows are parts of `data/<table>`. */
export const entryNames = {
  heading: 'backup.json',
  settingsKeys: 'settings-keys.json',
  recordings: 'recordings.jsonl',
  manifest: 'manifest.json',
} as const;

export const sectionOfTable = (name: string) => `data/${name}`;

/**
 * Tables whose rows stay where they are: sessions must not come back to life, and who is locked out for a minute is
 * no history.
 */
export const notCarried: readonly string[] = ['session', 'unlock_attempt'];

/** A file below the recordings folder: its path there with slashes, bytes, RFC 3339. */
type RecordingFile = { readonly path: string; readonly size: number; readonly mtime: string };

const linesPerChunk = 1000;

/** The list of a recordings folder as JSON lines; `fileCount` is right when all of it was read. */
export class RecordingsList implements AsyncIterable<Buffer> {
  fileCount = 0;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    let lines: string[] = [];
    for await (const file of listFiles(this.#folder, this.#folder)) {
      this.fileCount += 1;
      lines.push(`${JSON.stringify(file)}\n`);
      if (lines.length < linesPerChunk) continue;
      yield Buffer.from(lines.join(''));
      lines = [];
    }
    if (lines.length > 0) yield Buffer.from(lines.join(''));
  }
}

/** How many of the files in a chunk of a list are not in the folder, or are of another size there. */
export async function countMissing(chunk: Buffer, folder: string): Promise<number> {
  let missing = 0;
  for (const line of chunk.toString('utf8').trimEnd().split('\n')) {
    const { path, size }: RecordingFile = JSON.parse(line);
    if ((await findStats(join(folder, path)))?.size !== size) missing += 1;
  }
  return missing;
}

async function* listFiles(root: string, folder: string): AsyncGenerator<RecordingFile> {
  for await (const entry of readFolder(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* listFiles(root, path);
    const stats = entry.isFile() ? await findStats(path) : undefined;
    if (stats === undefined) continue;
    const mtime = stats.mtime.toISOString();
    yield { path: relative(root, path).replaceAll('\\', '/'), size: stats.size, mtime };
  }
}

// Recordings come and go while the list is made.
async function* readFolder(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function findStats(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
