import { randomBytes } from 'node:crypto';
import { access, chmod, constants, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LauncherError } from './launcher-error.js';
import type { Log } from './log.js';

/** Returns the paths in the data folder. */
export function pathsIn(dataDir: string) {
  return {
    lock: join(dataDir, 'hub.lock'),
    state: join(dataDir, 'hub-state.json'),
    postgres: join(dataDir, 'postgres'),
    nats: join(dataDir, 'nats'),
    ports: join(dataDir, 'ports.json'),
    sockets: join(dataDir, 'sockets'),
    backups: join(dataDir, 'backups'),
    internalSecret: join(dataDir, 'internal.secret'),
  } as const;
}

/** Mode of new data folders: readable by the group, closed to others. */
const folderMode = 0o750;
/** The bits that {@link folderMode} clears. */
const tooOpen = 0o027;

/** Sets the umask of this process and its children: new files are closed to others and not writable by the group. */
export function setPrivateUmask(): void {
  process.umask(tooOpen);
}

/**
 * Creates the data folders and closes `dataDir` to other users. Parent folders and an existing recordings folder are
 * not changed, as other users may write recordings.
 * @throws LauncherError when a folder is not writable
 */
export async function makeDataFolders(
  { dataDir, recordingsDir }: { readonly dataDir: string; readonly recordingsDir?: string },
  log: Log,
): Promise<void> {
  for (const folder of recordingsDir === undefined ? [dataDir] : [dataDir, recordingsDir]) {
    try {
      await mkdir(folder, { recursive: true, mode: folderMode });
      await access(folder, constants.W_OK | constants.X_OK);
    } catch (cause) {
      const message = `Birdhub cannot write in ${folder}: start it as the user who owns that folder, or use another folder.`;
      throw new LauncherError(message, { cause });
    }
  }
  await closeFolder(dataDir, log);
}

async function closeFolder(folder: string, log: Log): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & tooOpen) === 0) return;
  // A shared folder with the sticky bit, such as /tmp, is not changed.
  const isShared = (mode & 0o1000) !== 0;
  const isClosed =
    !isShared &&
    (await chmod(folder, mode & 0o7777 & ~tooOpen).then(
      () => true,
      () => false,
    ));
  if (isClosed) log.warn({ folder }, 'data folder closed to other users');
  else log.warn({ folder }, 'data folder is readable by other users and its mode cannot be changed');
}

/** Reads a secret from a file that only its owner can read; generates it when missing. */
export async function readOrCreateSecret(file: string): Promise<{ value: string; isNew: boolean }> {
  const stored = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (stored.trim() !== '') return { value: stored.trim(), isNew: false };
  const value = randomBytes(32).toString('hex');
  await writeFile(file, `${value}\n`, { mode: 0o600 });
  return { value, isNew: true };
}
