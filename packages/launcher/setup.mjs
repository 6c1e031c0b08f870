import { join } from 'node:path';
import { buildWeb } from './bootstrap/build-web.mjs';
import { isMain, orExit, root, runCommandAside } from './bootstrap/command.mjs';
import { checkNode, installPackages, linkPostgresLibraries } from './bootstrap/packages.mjs';
import { provideSystemTools } from './bootstrap/system-tools.mjs';
import { generateClient } from './generate-client.mjs';

/** Prepares a clone to run; fast and silent when nothing has to be done. */
export async function setup({ log }) {
  checkNode();
  await allOf([provideSystemTools(log), installPackages(log)]);
  linkPostgresLibraries(log);
  generateClient(log);
  await allOf([buildPrograms(), buildWeb(log)]);
}

/** Waits for all and throws the first failure. */
async function allOf(works) {
  for (const { status, reason } of await Promise.allSettled(works)) if (status === 'rejected') throw reason;
}

async function buildPrograms() {
  await runCommandAside(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b']);
  // Imported here, as it was only just compiled.
  const { bundlePrograms } = await import('./dist/bundles.js');
  await bundlePrograms();
}

if (isMain(import.meta.url)) await orExit(() => setup({ log: console.log }));
