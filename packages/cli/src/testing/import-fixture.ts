import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { type ImportRequest, importHub } from '../birdlense/import-hub.js';
import type { ImportReport } from '../birdlense/import-report.js';

/** An empty hub to import into and a folder for an old hub; both are removed by `drop`. */
export interface ImportFixture {
  readonly pool: TestDatabase['pool'];
  /** The path for the database of the old hub. */
  readonly file: string;
  readonly folder: string;
  readonly recordingsDir: string;
  importNow(given?: Partial<ImportRequest>): Promise<ImportReport>;
  rowsOf(sql: string): Promise<Record<string, unknown>[]>;
  /** Writes a file of the old hub; the path is relative to its recordings folder. */
  writeOldFile(path: string, content: string): void;
  drop(): Promise<void>;
}

/** Creates an empty hub, and a folder for an old one. */
export async function createImportFixture(): Promise<ImportFixture> {
  const database = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'birdhub-old-'));
  const file = join(folder, 'birdlense.db');
  const trees = { from: join(folder, 'old'), recordingsDir: join(folder, 'recordings') };
  mkdirSync(trees.recordingsDir);
  const plain = { file, trees, signal: new AbortController().signal, onProgress: () => undefined };
  return {
    pool: database.pool,
    file,
    folder,
    recordingsDir: trees.recordingsDir,
    importNow: (given) => importHub(database.url, { ...plain, ...given }),
    rowsOf: async (sql) => (await database.pool.query(sql)).rows,
    writeOldFile: (path, content) => {
      mkdirSync(dirname(join(trees.from, path)), { recursive: true });
      writeFileSync(join(trees.from, path), content);
    },
    drop: async () => {
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
}
