import { access, constants, mkdir } from 'node:fs/promises';
import { LauncherError } from './launcher-error.js';

/** Makes the folders of the hub's data. @throws LauncherError when one cannot be written by this user */
export async function makeDataFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    try {
      await mkdir(folder, { recursive: true });
      await access(folder, constants.W_OK | constants.X_OK);
    } catch (cause) {
      const message = `Birdhub cannot write in ${folder}: start it as the user who owns that folder, or name another one.`;
      throw new LauncherError(message, { cause });
    }
  }
}
