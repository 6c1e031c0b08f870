import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Options, readOptions } from '@birdhub/launcher/options';
import { openConnection } from '@birdhub/shared/db';
import { createTestDatabase } from '@birdhub/testing';
import { makeBackup } from '../backup/make-backup.js';
import type { Manifest } from '../backup/manifest.js';
import { openBackup, type RestoredHub, restoreHub } from '../backup/restore-backup.js';

type Rows = Record<string, unknown>[];

/** A stopped hub with its own database and data folder, which `drop` deletes. */
export interface StoredHub {
  readonly url: string;
  readonly folder: string;
  readonly options: Options;
  query(statement: string, values?: unknown[]): Promise<Rows>;
  /** Returns the number of rows and a digest of the content for each table, by name. */
  readTables(): Promise<Record<string, string>>;
  backUp(file: string, passphrase?: string): Promise<Manifest>;
  restore(file: string, passphrase?: string): Promise<RestoredHub>;
  drop(): Promise<void>;
}

/** A signal that is never aborted. */
export const noSignal = new AbortController().signal;

const listTables = `SELECT relname AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '_prisma_migrations' ORDER BY 1`;

/** Creates a hub in the state after its first start. */
export async function createStoredHub(env: NodeJS.ProcessEnv = {}): Promise<StoredHub> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-backup-'));
  const options = readOptions({ DATA_DIR: folder, DATABASE_URL: database.url, ...env }, '/');
  const query: StoredHub['query'] = async (statement, values) => {
    const client = await openConnection({ url: database.url, name: 'test' });
    return client
      .query(statement, values)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  };
  const readTables = async () => {
    const contents = (await query(listTables)).map(
      ({ name }) => `SELECT '${name}' AS name, count(*) || ' ' ||
        md5(string_agg(t::text, E'\\n' ORDER BY t::text COLLATE "C")) AS text FROM "${name}" t`,
    );
    const rows = await query(contents.join(' UNION ALL '));
    return Object.fromEntries(rows.map(({ name, text }) => [String(name), String(text ?? 'empty')]));
  };
  return {
    url: database.url,
    folder,
    options,
    query,
    readTables,
    backUp: (file, passphrase) => makeBackup(database.url, options, { file, passphrase }, noSignal),
    restore: async (file, passphrase) => {
      const restorable = await openBackup(options, { file, passphrase }, noSignal);
      return restoreHub(database.url, options, restorable, noSignal);
    },
    drop: async () => {
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}
