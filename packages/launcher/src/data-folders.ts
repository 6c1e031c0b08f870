import { access, chmod, constants, mkdir, stat } from 'node:fs/promises';
import { LauncherError } from './launcher-error.js';
import type { Log } from './log.js';

/** Of new folders of the data: the group may look, others may not enter. */
const folderMode = 0o750;
/** What {@link folderMode} leaves out. */
const tooOpen = 0o027;

/** Files and folders that this process and its children make are closed to others, and the group cannot write them. */
export function closeNewFiles(): void {
  process.umask(tooOpen);
}

/**
 * Makes the folders of the hub's data, and closes `dataDir` to others; what lies in it need not be closed then. The
 * folders above it stay as they are, as does a folder of recordings that exists: others may write films there.
 * @throws LauncherError when one cannot be written by this user
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
      const message = `Birdhub cannot write in ${folder}: start it as the user who owns that folder, or name another one.`;
      throw new LauncherError(message, { cause });
    }
  }
  await closeFolder(dataDir, log);
}

async function closeFolder(folder: string, log: Log): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & tooOpen) === 0) return;
  // A folder that everybody may write in, such as /tmp, is nobody's to close.
  const isShared = (mode & 0o1000) !== 0;
  const isClosed =
    !isShared &&
    (await chmod(folder, mode & 0o7777 & ~tooOpen).then(
      () => true,
      () => false,
    ));
  if (isClosed) log.warn({ folder }, 'data folder closed to other users');
  else log.warn({ folder }, 'other users can look into the data folder, and it cannot be closed');
}
