import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { LauncherError } from './launcher-error.js';

// Not on every user's PATH, yet Debian keeps servers there.
const furtherFolders = ['/usr/sbin', '/usr/local/bin', '/usr/local/sbin', '/opt/homebrew/bin'];

/**
 * The path of a program. `bootstrap/system-tools.mjs` has this search too: it runs in plain Node.js before anything is
 * installed or compiled, and looks for what is missing instead of refusing to go on.
 * @throws LauncherError when it is nowhere
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
