import type { Options } from '@birdhub/launcher/options';
import type { Restorable, RestoredHub } from '../backup/restore-hub.js';
import { readFileArguments } from './file-arguments.js';
import { untilSignal } from './until-signal.js';
import { UsageError } from './usage-error.js';
import { refuseRunning, withDatabaseAtRest } from './with-database.js';

/** `restore FILE [--passphrase-file FILE]`, with the hub stopped. */
export async function restore(options: Options, args: readonly string[]): Promise<number> {
  const { isForced, ...source } = await readFileArguments(args, options);
  if (isForced) throw new UsageError();
  refuseRunning(options);
  // Loaded only here: the database client is most of what the other commands would wait for.
  const { openBackup, restoreHub } = await import('../backup/restore-hub.js');
  const lines = await untilSignal(async (signal) => {
    const restorable = await openBackup(options, source, signal);
    const restored = await withDatabaseAtRest(options, (databaseUrl) =>
      restoreHub(databaseUrl, options, restorable, signal),
    );
    return [...tellContent(restorable), ...tellOutcome(restored, options)];
  });
  for (const line of lines) console.log(line);
  return 0;
}

function tellContent({ file, backup: { manifest, missingRecordings } }: Restorable): string[] {
  const { hub_version, created_at, tables, recordings } = manifest;
  const filled = tables.filter(({ rows }) => rows > 0);
  const width = Math.max(...filled.map(({ name }) => name.length));
  return [
    `The hub is what it was on ${created_at} (version ${hub_version}, ${file}):`,
    ...filled.map(({ name, rows }) => `  ${name.padEnd(width)} ${String(rows).padStart(10)}`),
    `Of ${recordings.files} files of recordings that it lists, ${missingRecordings} are missing here or differ.`,
  ];
}

function tellOutcome(restored: RestoredHub, { natsUrl }: Options): string[] {
  const { migrated, unknownTables, lostSecrets, hasSafetyCopy, safetyCopy } = restored;
  const tell = (isSo: boolean, line: string) => (isSo ? [line] : []);
  return [
    ...tell(migrated.length > 0, `Brought up to date: ${migrated.join(', ')}`),
    ...tell(unknownTables.length > 0, `Not put back, as no hub has them: ${unknownTables.join(', ')}`),
    ...tell(lostSecrets.length > 0, `Their key is lost, so set them anew: ${lostSecrets.join(', ')}`),
    ...tell(natsUrl !== undefined, 'The stream HUB still tells of what was here before: purge it.'),
    ...tell(hasSafetyCopy, `What was here before is in ${safetyCopy}`),
    'All sessions are ended.',
  ];
}
