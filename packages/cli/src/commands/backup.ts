import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { pathsIn } from '@birdhub/launcher/data-folder';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import type { Options } from '@birdhub/launcher/options';
import { readFileArguments } from './file-arguments.js';
import { untilSignal } from './until-signal.js';
import { withDatabase } from './with-database.js';

/** `backup FILE [--force] [--passphrase-file FILE]`, with the hub running or not. */
export async function backUp(options: Options, args: readonly string[]): Promise<number> {
  const { isForced, ...target } = await readFileArguments(args, options);
  await refuseExisting(target.file, isForced);
  refuseEmpty(options);
  // Loaded only here: the database client is most of what the other commands would wait for.
  const { makeBackup } = await import('../backup/make-backup.js');
  const { tables, recordings } = await untilSignal((signal) =>
    withDatabase(options, (databaseUrl) => makeBackup(databaseUrl, options, target, signal)),
  );
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(`${target.file} holds ${rows} rows of ${tables.length} tables.`);
  console.log(`It lists ${recordings.files} files of recordings, which are not in it.`);
  if (target.passphrase === undefined) {
    console.log('It holds the keys of the secrets as they are: keep it like a password.');
  }
  return 0;
}

// An embedded PostgreSQL would be made, to find nothing in it.
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
  const hint = found.isFile() ? '--force replaces it' : 'it is no plain file';
  throw new LauncherError(`${file} exists: ${hint}.`);
}
