import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { LauncherError } from './launcher-error.js';

// Debian installs servers in folders that are not in every user's PATH.
const furtherFolders = ['/usr/sbin', '/usr/local/bin', '/usr/local/sbin', '/opt/homebrew/bin'];

/**
 * Returns the path of a program. `bootstrap/system-tools.mjs` does the same before anything is installed or compiled.
 * @throws LauncherError when there is none
 */
export function findTool(name: string, path = process.env['PATH'] ?? ''): string {
  const files = [...path.split(delimiter), ...furtherFolders].map((folder) => join(folder, name));
  const found = files.find(isExecutable);
  if (found === undefined) throw new LauncherError(`Birdhub needs ${name}: run \`npm run setup\`.`);
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
