import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathsIn } from '@birdhub/launcher/data-folder';
import { type Options, secretsConfigOf } from '@birdhub/launcher/options';
import { hubVersion } from '@birdhub/launcher/repository';
import { listMigrations } from '@birdhub/shared/db';
import { secretKeys } from '@birdhub/shared/secrets';
import { type CheckedBackup, checkBackup } from './check-backup.js';
import { type BackupFile, makeBackup } from './make-backup.js';
import { type Restored, restoreBackup } from './restore-backup.js';
import { openKeys } from './wrapped-keys.js';

/** A backup that can be put back. */
export type Restorable = BackupFile & { readonly backup: CheckedBackup; readonly keys: readonly string[] };

/** What a restore did; the safety copy is there when there was something to keep. */
export type RestoredHub = Restored & { readonly safetyCopy: string };

/** Reads all of a backup before anything is changed. @throws LauncherError when it cannot be put back */
export async function openBackup(
  options: Options,
  { file, passphrase }: BackupFile,
  signal: AbortSignal,
): Promise<Restorable> {
  const migrations = await listMigrations();
  const hub = { version: hubVersion(), migrations, recordingsDir: options.recordingsDir };
  const backup = await checkBackup(file, hub, signal);
  return { file, passphrase, backup, keys: await openKeys(backup.settingsKeys, passphrase) };
}

/** Puts a backup in the place of a hub that is stopped. */
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
  // News of what is no more; what the backup had still to tell is in its outbox.
  if (options.natsUrl === undefined) await rm(nats, { recursive: true, force: true });
  return { ...restored, safetyCopy: file };
}
