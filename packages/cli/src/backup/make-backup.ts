import { LauncherError } from '@birdhub/launcher/launcher-error';
import { hubVersion, type Options, secretsConfigOf } from '@birdhub/launcher/options';
import { type Connection, copyOut, listApplied } from '@birdhub/shared/db';
import { type KeySource, secretKeys } from '@birdhub/shared/secrets';
import { digest, type Entry, toEntries, writeArchive } from './archive.js';
import {
  type BackedUpTable,
  backupFormat,
  entryNames,
  excludedTables,
  type Heading,
  type Manifest,
  RecordingsList,
  sectionOfTable,
} from './manifest.js';
import {
  beginSnapshot,
  copyStatement,
  listSequences,
  listTables,
  recognise,
  withConnection,
} from './tables.store.js';
import { wrapKeys } from './wrapped-keys.js';

/** The file of a backup, and the passphrase that encrypts the keys in it; without one they are stored in clear. */
export interface BackupFile {
  readonly file: string;
  readonly passphrase: string | undefined;
}

/** Backs up a hub, running or stopped. */
export function makeBackup(
  databaseUrl: string,
  options: Options,
  { file, passphrase }: BackupFile,
  signal: AbortSignal,
): Promise<Manifest> {
  const { recordingsDir } = options;
  const keys = secretKeys(secretsConfigOf(options));
  const plan = {
    file,
    hubVersion: hubVersion(),
    madeAt: new Date(),
    keys,
    passphrase,
    recordingsDir,
    signal,
  };
  return withConnection(databaseUrl, 'backup', (client) => writeBackup(client, plan));
}

/** The content of a backup and its destination. */
type BackupPlan = BackupFile & {
  readonly hubVersion: string;
  readonly madeAt: Date;
  /** The keys of the secrets. */
  readonly keys: KeySource;
  readonly recordingsDir: string;
  readonly signal: AbortSignal;
};

/** Writes a backup of a snapshot of the database; writers are not blocked. */
async function writeBackup(client: Connection, plan: BackupPlan): Promise<Manifest> {
  if ((await recognise(client)) !== 'hub') {
    throw new LauncherError('This database has no hub yet, so there is nothing to back up.');
  }
  let manifest: Manifest | undefined;
  async function* entries() {
    manifest = yield* readEntries(client, plan);
  }
  await writeArchive(plan, entries());
  if (manifest === undefined) throw new Error('the backup ended before its manifest');
  return manifest;
}

async function* readEntries(client: Connection, plan: BackupPlan): AsyncGenerator<Entry, Manifest> {
  const tables = await listTables(client);
  // Read before and after the snapshot is taken, as keys may be rotated in between.
  const keysBefore = plan.keys.read();
  await beginSnapshot(client, tables);
  const heading: Heading = {
    format: backupFormat,
    hub_version: plan.hubVersion,
    created_at: plan.madeAt.toISOString(),
    migrations: await listApplied(client),
  };
  const keys = [...new Set([...plan.keys.read(), ...keysBefore])];
  const settingsKeys = await wrapKeys(keys, plan.passphrase);
  yield toJsonEntry(entryNames.heading, heading);
  yield { name: entryNames.settingsKeys, content: settingsKeys };
  const included = tables.filter(({ name }) => !excludedTables.includes(name));
  const backedUp: BackedUpTable[] = [];
  for (const table of included) {
    const rows = copyOut(client, copyStatement(client, table, 'out'));
    const content = yield* toEntries({ name: sectionOfTable(table.name), chunks: rows });
    backedUp.push({ ...table, rows: rows.rowCount, ...content });
  }
  const sequences = await listSequences(client);
  await client.query('COMMIT');
  const list = new RecordingsList(plan.recordingsDir);
  const listed = yield* toEntries({ name: entryNames.recordings, chunks: list });
  const recordings = { files: list.fileCount, ...listed };
  const settings_keys = await digest([settingsKeys]);
  const manifest = { ...heading, tables: backedUp, sequences, settings_keys, recordings };
  yield toJsonEntry(entryNames.manifest, manifest);
  return manifest;
}

function toJsonEntry(name: string, value: object): Entry {
  return { name, content: Buffer.from(`${JSON.stringify(value, null, 2)}\n`) };
}
