import { existsSync } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pathsIn } from '@birdhub/launcher/data-folder';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import type { Options } from '@birdhub/launcher/options';
import type { Restorable, RestoredHub } from '../backup/restore-backup.js';
import { refuseRunning, UsageError, untilSignal, withDatabase, withDatabaseAtRest } from './command.js';

/** `backup FILE [--force] [--passphrase-file FILE]`, with the hub running or not. */
export async function backUp(options: Options, args: readonly string[]): Promise<number> {
  const { isForced, ...target } = await readFileArguments(args, options);
  await refuseExisting(target.file, isForced);
  refuseEmpty(options);
  // Loaded only when needed: loading the database client takes longer than the other commands.
  const { makeBackup } = await import('../backup/make-backup.js');
  const { tables, recordings } = await untilSignal((signal) =>
    withDatabase(options, (databaseUrl) => makeBackup(databaseUrl, options, target, signal)),
  );
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(`${target.file} contains ${rows} rows of ${tables.length} tables.`);
  console.log(`It lists ${recordings.files} recording files but does not contain them.`);
  if (target.passphrase === undefined) {
    console.log('It contains the keys of the secrets in clear text: protect it like a password.');
  }
  return 0;
}

// Otherwise an empty embedded PostgreSQL would be created.
function refuseEmpty({ databaseUrl, dataDir }: Options): void {
  if (databaseUrl !== undefined || existsSync(pathsIn(dataDir).postgres)) return;
  throw new LauncherError(`There is no hub in ${dataDir} yet, so there is nothing to back up.`);
}

async function refuseExisting(file: string, isForced: boolean): Promise<void> {
  const found = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (found === undefined || (isForced && found.isFile())) return;
  const hint = found.isFile() ? '--force replaces it' : 'it is not a regular file';
  throw new LauncherError(`${file} exists: ${hint}.`);
}

/** `restore FILE [--passphrase-file FILE]`, with the hub stopped. */
export async function restore(options: Options, args: readonly string[]): Promise<number> {
  const { isForced, ...source } = await readFileArguments(args, options);
  if (isForced) throw new UsageError();
  refuseRunning(options);
  const { openBackup, restoreHub } = await import('../backup/restore-backup.js');
  const lines = await untilSignal(async (signal) => {
    const restorable = await openBackup(options, source, signal);
    const restored = await withDatabaseAtRest(options, (databaseUrl) =>
      restoreHub(databaseUrl, options, restorable, signal),
    );
    return [...describeContent(restorable), ...describeOutcome(restored, options)];
  });
  for (const line of lines) console.log(line);
  return 0;
}

function describeContent({ file, backup: { manifest, missingRecordings } }: Restorable): string[] {
  const { hub_version, created_at, tables, recordings } = manifest;
  const filled = tables.filter(({ rows }) => rows > 0);
  const width = Math.max(...filled.map(({ name }) => name.length));
  return [
    `The hub was restored to its state of ${created_at} (version ${hub_version}, ${file}):`,
    ...filled.map(({ name, rows }) => `  ${name.padEnd(width)} ${String(rows).padStart(10)}`),
    `Of the ${recordings.files} recording files that it lists, ${missingRecordings} are missing here or differ.`,
  ];
}

function describeOutcome(restored: RestoredHub, { natsUrl }: Options): string[] {
  const { migrated, unknownTables, lostSecrets, hasSafetyCopy, safetyCopy } = restored;
  const lineIf = (condition: boolean, line: string) => (condition ? [line] : []);
  return [
    ...lineIf(migrated.length > 0, `Applied migrations: ${migrated.join(', ')}`),
    ...lineIf(unknownTables.length > 0, `Not restored, unknown tables: ${unknownTables.join(', ')}`),
    ...lineIf(
      lostSecrets.length > 0,
      `The key of these secrets is lost, enter them again: ${lostSecrets.join(', ')}`,
    ),
    ...lineIf(natsUrl !== undefined, 'The stream HUB still has events of the replaced data: purge it.'),
    ...lineIf(hasSafetyCopy, `The replaced data is in ${safetyCopy}`),
    'All sessions have ended.',
  ];
}

/** The arguments of `backup` and `restore`. */
interface FileArguments {
  readonly file: string;
  readonly isForced: boolean;
  readonly passphrase: string | undefined;
}

/** @throws UsageError unless there is one file and all options are known */
async function readFileArguments(
  args: readonly string[],
  { callerDir, backupPassphraseFile }: Options,
): Promise<FileArguments> {
  const { values, positionals } = parseArguments(args);
  const [file, ...others] = positionals;
  if (!file || others.length > 0) throw new UsageError();
  const passphraseFile = values['passphrase-file'] ?? backupPassphraseFile;
  return {
    file: resolve(callerDir, file),
    isForced: values.force,
    passphrase: passphraseFile && (await readPassphrase(resolve(callerDir, passphraseFile))),
  };
}

function parseArguments(args: readonly string[]) {
  const options = {
    force: { type: 'boolean', default: false },
    'passphrase-file': { type: 'string' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (cause) {
    throw new UsageError('unknown arguments', { cause });
  }
}

async function readPassphrase(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new LauncherError(`The passphrase cannot be read from ${file}.`, { cause });
  });
  const passphrase = text.replace(/\r?\n$/, '');
  if (passphrase === '') throw new LauncherError(`There is no passphrase in ${file}.`);
  return passphrase;
}
