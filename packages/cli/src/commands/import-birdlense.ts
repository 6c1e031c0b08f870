import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import type { Options } from '@birdhub/launcher/options';
import { UsageError, untilSignal, withDatabase } from './command.js';

const progressInterval = 2_000;

/** `import-birdlense FILE.db RECORDINGS`, with the hub running or not. */
export async function importBirdLense(options: Options, args: readonly string[]): Promise<number> {
  const [file, recordings, ...others] = args;
  if (!file || !recordings || others.length > 0) throw new UsageError();
  const { callerDir, recordingsDir } = options;
  const trees = { from: resolve(callerDir, recordings), recordingsDir };
  await requireFolder(trees.from);
  // Loaded only when needed: loading the database client takes longer than the other commands.
  const { importHub } = await import('../birdlense/import-hub.js');
  const onProgress = (seen: number) => {
    if (seen % progressInterval === 0) console.log(`${seen} recordings so far`);
  };
  const report = await untilSignal(
    (signal) =>
      withDatabase(options, (databaseUrl) =>
        importHub(databaseUrl, { file: resolve(callerDir, file), trees, signal, onProgress }),
      ),
    'Stopped. The data imported so far is kept; repeat the command to continue.',
  );
  for (const line of report.lines()) console.log(line);
  return 0;
}

async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw new LauncherError(`There is no folder ${folder}.`);
}
