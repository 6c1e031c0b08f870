import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTool } from '@birdhub/launcher/find-tool';
import { LauncherError } from '@birdhub/launcher/launcher-error';

const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));

/** Returns the path of a program that only tests need; undefined when it is neither installed nor unpacked by `npm test`. */
export function findProgram(name: string, fromPackage = name): string | undefined {
  const unpacked = ['bin', 'sbin'].map((folder) => join(cache, fromPackage, 'usr', folder));
  try {
    return findTool(name, [process.env['PATH'], ...unpacked].join(delimiter));
  } catch (error) {
    if (error instanceof LauncherError) return undefined;
    throw error;
  }
}
