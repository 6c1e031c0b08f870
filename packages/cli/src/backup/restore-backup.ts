import { LauncherError } from '@birdhub/launcher/launcher-error';
import type { Connection } from '@birdhub/shared/db';
import type { KeySource } from '@birdhub/shared/secrets';
import type { CheckedBackup } from './check-backup.js';
import { explainRestoring } from './explain-failure.js';
import { type Loaded, loadBackup } from './load-backup.js';
import { resealSettings } from './reseal-settings.js';
import { listOthers, recognise } from './tables.store.js';
import { withConnection } from './with-connection.js';

/** What takes the place of what is in a database. */
export type Replacement = {
  readonly backup: CheckedBackup;
  /** The keys that the backup's secrets are sealed with. */
  readonly keys: readonly string[];
  /** The keys of this hub. */
  readonly ownKeys: KeySource;
  /** Keeps what is here now; not asked for when there is nothing. */
  readonly makeSafetyCopy: () => Promise<void>;
  readonly signal: AbortSignal;
};

export type Restored = Loaded & {
  /** Whether there was something before, which the safety copy holds now. */
  readonly hasSafetyCopy: boolean;
  /** The dotted names of the secrets that no key opens. */
  readonly lostSecrets: readonly string[];
};

/** Puts a backup in the place of what is in the database: all of it, or nothing is changed. */
export function restoreBackup(databaseUrl: string, replacement: Replacement): Promise<Restored> {
  return withConnection(databaseUrl, 'restore', async (client) => {
    const hasSafetyCopy = await prepare(client, replacement.makeSafetyCopy);
    const restored = await replace(client, replacement);
    await client.query('COMMIT');
    return { ...restored, hasSafetyCopy };
  });
}

async function prepare(client: Connection, makeSafetyCopy: () => Promise<void>): Promise<boolean> {
  const others = await listOthers(client);
  if (others.length > 0) {
    throw new LauncherError(`The hub works in this database (${others.join(', ')}): stop it first.`);
  }
  const found = await recognise(client);
  if (found === 'something else') {
    throw new LauncherError('The database holds tables that are not those of a hub: name an empty one.');
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
    // A connection that is lost has rolled back by itself.
    await client.query('ROLLBACK').catch(() => undefined);
    throw explainRestoring(error);
  }
}
