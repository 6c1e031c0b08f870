import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isMissingFile, undefinedIfMissing } from '@birdhub/shared/errors';
import type { Digest } from './archive.js';

/** Incremented when a reader of the previous format would misread the new one. */
export const backupFormat = 1;

/** The first entry of a backup, from which a reader knows whether it can read the rest. */
export interface Heading {
  readonly format: number;
  readonly hub_version: string;
  /** RFC 3339. */
  readonly created_at: string;
  /** The migrations applied to its database, oldest first. */
  readonly migrations: readonly string[];
}

export type BackedUpTable = Digest & {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
};

/** The last entry of a backup, which describes all others. */
export type Manifest = Heading & {
  readonly tables: readonly BackedUpTable[];
  readonly sequences: readonly SequenceState[];
  readonly settings_keys: Digest;
  readonly recordings: Digest & { readonly files: number };
};

/** The last number of a sequence, as text because it may exceed 2^53. */
export interface SequenceState {
  readonly name: string;
  readonly last: string;
}

/** The names of the entries; the rows of a table are below `data/<table>`. */
export const entryNames = {
  heading: 'backup.json',
  settingsKeys: 'settings-keys.json',
  recordings: 'recordings.jsonl',
  manifest: 'manifest.json',
} as const;

export const sectionOfTable = (name: string) => `data/${name}`;

/**
 * Tables that are not backed up: sessions must not be revived, attempts to unlock expire within a minute, and an uploaded
 * file may have been posted since the backup, so that a restored row would let the hub remove it.
 */
export const excludedTables: readonly string[] = ['session', 'unlock_attempt', 'uploaded_file'];

/** A file below the recordings folder: its relative path with slashes, its size in bytes, RFC 3339. */
interface RecordingFile {
  readonly path: string;
  readonly size: number;
  readonly mtime: string;
}

const linesPerChunk = 1000;

/** The list of a recordings folder as JSON lines; `fileCount` is final once the list was read to its end. */
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

/** Counts the files in a chunk of a list that are missing in the folder or have another size there. */
export async function countMissing(chunk: Buffer, folder: string): Promise<number> {
  let missing = 0;
  for (const line of chunk.toString('utf8').trimEnd().split('\n')) {
    const { path, size }: RecordingFile = JSON.parse(line);
    if ((await undefinedIfMissing(lstat(join(folder, path))))?.size !== size) missing += 1;
  }
  return missing;
}

async function* listFiles(root: string, folder: string): AsyncGenerator<RecordingFile> {
  for await (const entry of readFolder(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* listFiles(root, path);
    const stats = entry.isFile() ? await undefinedIfMissing(lstat(path)) : undefined;
    if (stats === undefined) continue;
    const mtime = stats.mtime.toISOString();
    yield { path: relative(root, path).replaceAll('\\', '/'), size: stats.size, mtime };
  }
}

// Recordings may be added and deleted while the folder is listed.
async function* readFolder(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder);
  } catch (error) {
    if (!isMissingFile(error)) throw error;
  }
}
