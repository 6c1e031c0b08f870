import { type Connection, copyIn, migrateWithin } from '@birdhub/shared/db';
import { readArchive } from './archive.js';
import type { CheckedBackup } from './check-backup.js';
import { type Manifest, notCarried, sectionOfTable } from './manifest.js';
import { readSections } from './sections.js';
import {
  advanceSequences,
  clearSchema,
  closeTables,
  copyStatement,
  listFaults,
  listSequences,
  listTables,
  openTables,
  type Table,
} from './tables.store.js';

/** What became of the database. */
export type Loaded = {
  /** The migrations that came after those of the backup. */
  readonly migrated: readonly string[];
  /** Tables of the backup that no migration makes; their rows are not put back. */
  readonly unknownTables: readonly string[];
};

/**
 * Makes the database what it was, in the caller's transaction: the tables as they were then, with their rows, and
 * from there on as any database is brought up to date.
 */
export async function loadBackup(
  client: Connection,
  backup: CheckedBackup,
  signal: AbortSignal,
): Promise<Loaded> {
  const { manifest } = backup;
  const given = await listSequences(client);
  await clearSchema(client);
  await migrateWithin(client, manifest.migrations);
  const tables = await listTables(client);
  const unknownTables = compareTables(tables, manifest);
  const keys = await openTables(client, tables);
  await loadTables(client, backup, unknownTables, signal);
  await closeTables(client, tables, keys);
  // Numbers that were given since are not given again: browsers, brokers and processors may know them.
  await advanceSequences(client, [...manifest.sequences, ...given]);
  const migrated = await migrateWithin(client);
  const faults = await listFaults(client);
  if (faults.length > 0) throw new Error(faults.join(', '));
  await client.query('ANALYZE');
  return { migrated, unknownTables };
}

/** The names of those that only the backup has. @throws when it lacks one */
function compareTables(tables: readonly Table[], manifest: Manifest): string[] {
  const here = tables.map(({ name }) => name);
  const there = manifest.tables.map(({ name }) => name);
  const lacking = here.filter((name) => !there.includes(name) && !notCarried.includes(name));
  if (lacking.length > 0) throw new Error(`it knows nothing of ${lacking.join(', ')}`);
  return there.filter((name) => !here.includes(name));
}

async function loadTables(
  client: Connection,
  { file, manifest }: CheckedBackup,
  left: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const wanted = manifest.tables.filter(({ name, bytes }) => bytes > 0 && !left.includes(name));
  const tables = new Map(wanted.map((table) => [sectionOfTable(table.name), table]));
  for await (const { name, chunks } of readSections(readArchive(file))) {
    const table = tables.get(name);
    if (table === undefined) continue;
    const rows = await copyIn(client, copyStatement(client, table, 'in'), until(signal, chunks));
    if (rows !== table.rows) throw new Error(`${table.name} has ${rows} rows instead of ${table.rows}`);
    tables.delete(name);
  }
  if (tables.size > 0) throw new Error(`${file} has changed since it was checked`);
}

async function* until(signal: AbortSignal, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
  }
}
