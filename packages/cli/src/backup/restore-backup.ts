import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { resealIn } from '@birdhub/domain/settings';
import { pathsIn } from '@birdhub/launcher/data-folder';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import { hubVersion, type Options, secretsConfigOf } from '@birdhub/launcher/options';
import { type Connection, copyIn, listMigrations, migrateWithin } from '@birdhub/shared/db';
import { createSecretBox, type KeySource, secretKeys } from '@birdhub/shared/secrets';
import { type Digest, digest, readArchive, readSections } from './archive.js';
import { explainRestoreError } from './explain-failure.js';
import { type BackupFile, makeBackup } from './make-backup.js';
import {
  backupFormat,
  countMissing,
  entryNames,
  excludedTables,
  type Heading,
  type Manifest,
  sectionOfTable,
} from './manifest.js';
import {
  advanceSequences,
  clearSchema,
  copyStatement,
  finishLoad,
  listFaults,
  listOtherConnections,
  listSequences,
  listTables,
  prepareLoad,
  recognise,
  type Table,
  withConnection,
} from './tables.store.js';
import { unwrapKeys } from './wrapped-keys.js';

/** A backup that can be restored. */
export type Restorable = BackupFile & { readonly backup: CheckedBackup; readonly keys: readonly string[] };

/** The result of a restore; the safety copy exists only if there was data before. */
export type RestoredHub = Restored & { readonly safetyCopy: string };

/** Reads a backup to its end before anything is changed. @throws LauncherError when it cannot be restored */
export async function openBackup(
  options: Options,
  { file, passphrase }: BackupFile,
  signal: AbortSignal,
): Promise<Restorable> {
  const migrations = await listMigrations();
  const hub = { version: hubVersion(), migrations, recordingsDir: options.recordingsDir };
  const backup = await checkBackup(file, hub, signal);
  return { file, passphrase, backup, keys: await unwrapKeys(backup.settingsKeys, passphrase) };
}

/** Replaces the data of a stopped hub by a backup. */
export async function restoreHub(
  databaseUrl: string,
  options: Options,
  { backup, keys, passphrase }: Restorable,
  signal: AbortSignal,
): Promise<RestoredHub> {
  const { backups, nats } = pathsIn(options.dataDir);
  const file = join(backups, `before-restore-${new Date().toISOString().replaceAll(':', '-')}.backup`);
  const makeSafetyCopy = async () => {
    await mkdir(backups, { recursive: true, mode: 0o700 });
    await makeBackup(databaseUrl, options, { file, passphrase }, signal);
  };
  const ownKeys = secretKeys(secretsConfigOf(options));
  const restored = await restoreBackup(databaseUrl, { backup, keys, ownKeys, makeSafetyCopy, signal });
  // The stream holds events of the replaced data; unpublished events of the backup are in its outbox.
  if (options.natsUrl === undefined) await rm(nats, { recursive: true, force: true });
  return { ...restored, safetyCopy: file };
}

/** The new content of a database and how to install it. */
interface Replacement {
  readonly backup: CheckedBackup;
  /** The keys with which the secrets of the backup are sealed. */
  readonly keys: readonly string[];
  /** The keys of this hub. */
  readonly ownKeys: KeySource;
  /** Saves the current content; not called for an empty database. */
  readonly makeSafetyCopy: () => Promise<void>;
  readonly signal: AbortSignal;
}

type Restored = Loaded & {
  /** Whether previous data was saved in the safety copy. */
  readonly hasSafetyCopy: boolean;
  /** The dotted names of the secrets that no key can open. */
  readonly lostSecrets: readonly string[];
};

/** Replaces the content of the database by a backup, atomically. */
function restoreBackup(databaseUrl: string, replacement: Replacement): Promise<Restored> {
  return withConnection(databaseUrl, 'restore', async (client) => {
    const hasSafetyCopy = await prepare(client, replacement.makeSafetyCopy);
    const restored = await replace(client, replacement);
    await client.query('COMMIT');
    return { ...restored, hasSafetyCopy };
  });
}

async function prepare(client: Connection, makeSafetyCopy: () => Promise<void>): Promise<boolean> {
  const others = await listOtherConnections(client);
  if (others.length > 0) {
    throw new LauncherError(`The hub is using this database (${others.join(', ')}): stop it first.`);
  }
  const found = await recognise(client);
  if (found === 'something else') {
    throw new LauncherError('The database contains tables that do not belong to a hub: use an empty one.');
  }
  if (found === 'hub') await makeSafetyCopy();
  return found === 'hub';
}

async function replace(client: Connection, { backup, keys, ownKeys, signal }: Replacement) {
  await client.query('BEGIN');
  try {
    const loaded = await loadBackup(client, backup, signal);
    const lostSecrets = await resealSettings(client, keys, ownKeys);
    signal.throwIfAborted();
    return { ...loaded, lostSecrets };
  } catch (error) {
    // A lost connection has rolled back already.
    await client.query('ROLLBACK').catch(() => undefined);
    throw explainRestoreError(error);
  }
}

/** The effect of loading a backup. */
interface Loaded {
  /** The migrations that were applied after loading. */
  readonly migrated: readonly string[];
  /** Tables of the backup that no migration creates; their rows are not restored. */
  readonly unknownTables: readonly string[];
}

/**
 * Recreates the tables of the backup with their rows in the caller's transaction, then migrates them to this version.
 */
async function loadBackup(client: Connection, backup: CheckedBackup, signal: AbortSignal): Promise<Loaded> {
  const { manifest } = backup;
  const given = await listSequences(client);
  await clearSchema(client);
  await migrateWithin(client, manifest.migrations);
  const tables = await listTables(client);
  const unknownTables = compareTables(tables, manifest);
  const keys = await prepareLoad(client, tables);
  await loadTables(client, backup, unknownTables, signal);
  await finishLoad(client, tables, keys);
  // Ids assigned since the backup are not reused: browsers, brokers and processors may know them.
  await advanceSequences(client, [...manifest.sequences, ...given]);
  const migrated = await migrateWithin(client);
  const faults = await listFaults(client);
  if (faults.length > 0) throw new Error(faults.join(', '));
  await client.query('ANALYZE');
  return { migrated, unknownTables };
}

/** Returns the names of tables that only the backup has. @throws when a table is missing in the backup */
function compareTables(tables: readonly Table[], manifest: Manifest): string[] {
  const here = tables.map(({ name }) => name);
  const there = manifest.tables.map(({ name }) => name);
  const missing = here.filter((name) => !there.includes(name) && !excludedTables.includes(name));
  if (missing.length > 0) throw new Error(`these tables are missing: ${missing.join(', ')}`);
  return there.filter((name) => !here.includes(name));
}

async function loadTables(
  client: Connection,
  { file, manifest }: CheckedBackup,
  skipped: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  // Backups of earlier versions may contain tables that are excluded now.
  const notLoaded = new Set([...skipped, ...excludedTables]);
  const wanted = manifest.tables.filter(({ name, bytes }) => bytes > 0 && !notLoaded.has(name));
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

/**
 * Seals the restored secrets with the key of this hub, which is not changed. Returns the dotted names of those that no
 * key can open.
 */
async function resealSettings(
  client: Connection,
  theirs: readonly string[],
  ours: KeySource,
): Promise<readonly string[]> {
  const ownKeys = ours.read();
  if (theirs.every((key) => ownKeys.includes(key))) return [];
  const both: KeySource = {
    read: () => [...ours.read(), ...theirs],
    readOrCreate: () => [...ours.readOrCreate(), ...theirs],
  };
  // The first key is that of this hub, and must exist before the box reads it.
  both.readOrCreate();
  const { lost } = await resealIn(client, createSecretBox(both));
  return lost;
}

/** What a backup is checked against. */
export interface CheckingHub {
  readonly version: string;
  readonly migrations: readonly string[];
  readonly recordingsDir: string;
}

/** A backup that was read to its end and matches its manifest. */
export interface CheckedBackup {
  readonly file: string;
  readonly manifest: Manifest;
  /** As stored in the file. */
  readonly settingsKeys: Buffer;
  /** Number of its recordings whose files are missing here. */
  readonly missingRecordings: number;
}

interface Content {
  /** By the names in the manifest. */
  readonly digests: ReadonlyMap<string, Digest>;
  /** The entries that are kept in memory. */
  readonly documents: ReadonlyMap<string, Buffer>;
  readonly missingRecordings: number;
}

const documentNames: readonly string[] = [entryNames.heading, entryNames.settingsKeys, entryNames.manifest];
/** Maximum size of each of them; they have some kilobytes. */
const maxDocumentBytes = 16 * 1024 * 1024;

const limitOf = (name: string) =>
  documentNames.includes(name) ? maxDocumentBytes : Number.POSITIVE_INFINITY;

/** Reads a backup to its end. @throws LauncherError when it is incomplete, or from a newer version */
async function checkBackup(file: string, hub: CheckingHub, signal: AbortSignal): Promise<CheckedBackup> {
  const { digests, documents, missingRecordings } = await readContent(file, hub.recordingsDir, signal);
  const heading = parse<Heading>(documents.get(entryNames.heading));
  if (heading === undefined) throw new LauncherError(`${file} is not a backup of Birdhub.`);
  refuseNewer(file, heading, hub);
  const manifest = parse<Manifest>(documents.get(entryNames.manifest));
  const settingsKeys = documents.get(entryNames.settingsKeys);
  if (manifest === undefined || settingsKeys === undefined || !isDeepStrictEqual(digests, listed(manifest))) {
    throw new LauncherError(
      `${file} is damaged (its content does not match its manifest). Nothing was changed.`,
    );
  }
  return { file, manifest, settingsKeys, missingRecordings };
}

async function readContent(file: string, recordingsDir: string, signal: AbortSignal): Promise<Content> {
  const digests = new Map<string, Digest>();
  const documents = new Map<string, Buffer>();
  let missingRecordings = 0;
  for await (const { name, chunks } of readSections(readArchive(file, limitOf))) {
    const found = await digest(chunks, async (chunk) => {
      signal.throwIfAborted();
      if (documentNames.includes(name)) documents.set(name, chunk);
      if (name === entryNames.recordings) missingRecordings += await countMissing(chunk, recordingsDir);
    });
    if (name !== entryNames.heading && name !== entryNames.manifest) digests.set(name, found);
  }
  return { digests, documents, missingRecordings };
}

/** A table without rows has no entry. */
function listed({ tables, settings_keys, recordings }: Manifest): Map<string, Digest> {
  const all: (readonly [string, Digest])[] = [
    [entryNames.settingsKeys, settings_keys],
    ...tables.map((table) => [sectionOfTable(table.name), table] as const),
    [entryNames.recordings, recordings],
  ];
  const digests = all.map(([name, { bytes, sha256 }]) => [name, { bytes, sha256 }] as const);
  return new Map(digests.filter(([, { bytes }]) => bytes > 0));
}

function parse<T>(content: Buffer | undefined): T | undefined {
  return content === undefined ? undefined : JSON.parse(content.toString('utf8'));
}

function refuseNewer(file: string, { format, migrations, hub_version }: Heading, hub: CheckingHub): void {
  const isKnown = format === backupFormat && migrations.every((name) => hub.migrations.includes(name));
  if (isKnown) return;
  throw new LauncherError(
    `${file} was made by a newer Birdhub (${hub_version}) than this one (${hub.version}): update first. Nothing was changed.`,
  );
}
