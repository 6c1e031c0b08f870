import { type Options, secretsConfigOf } from '@birdhub/launcher/options';
import { hubVersion } from '@birdhub/launcher/repository';
import { secretKeys } from '@birdhub/shared/secrets';
import type { Manifest } from './manifest.js';
import { withConnection } from './with-connection.js';
import { keepKeys } from './wrapped-keys.js';
import { writeBackup } from './write-backup.js';

/** A backup's file, and the passphrase that wraps the keys in it; without one they stand there as they are. */
export type BackupFile = { readonly file: string; readonly passphrase: string | undefined };

/** Backs a hub up, whether it runs or not. */
export function makeBackup(
  databaseUrl: string,
  options: Options,
  { file, passphrase }: BackupFile,
  signal: AbortSignal,
): Promise<Manifest> {
  return withConnection(databaseUrl, 'backup', async (client) => {
    const settingsKeys = await keepKeys(secretKeys(secretsConfigOf(options)).read(), passphrase);
    const { recordingsDir } = options;
    const plan = { file, hubVersion: hubVersion(), madeAt: new Date(), settingsKeys, recordingsDir, signal };
    return writeBackup(client, plan);
  });
}
