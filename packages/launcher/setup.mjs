import { join } from 'node:path';
import { buildWeb } from './bootstrap/build-web.mjs';
import { installPackages } from './bootstrap/install-packages.mjs';
import { isMain } from './bootstrap/is-main.mjs';
import { checkNode } from './bootstrap/node-version.mjs';
import { root } from './bootstrap/paths.mjs';
import { linkPostgresLibraries } from './bootstrap/postgres-links.mjs';
import { runCommand } from './bootstrap/run-command.mjs';
import { orExit } from './bootstrap/setup-error.mjs';
import { provideSystemTools } from './bootstrap/system-tools.mjs';
import { generateClient } from './generate-client.mjs';

/** Brings a fresh clone to where it can run; quick and silent when nothing is to do. */
export async function setup({ log }) {
  checkNode();
  provideSystemTools(log);
  installPackages(log);
  linkPostgresLibraries(log);
  generateClient(log);
  runCommand(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b']);
  // Compiled just now.
  const { bundlePrograms } = await import('./dist/bundles.js');
  await bundlePrograms();
  buildWeb(log);
}

if (isMain(import.meta.url)) await orExit(() => setup({ log: console.log }));
