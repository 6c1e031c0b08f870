import { join } from 'node:path';
import { buildWeb } from './bootstrap/build-web.mjs';
import { isMain, orExit, root, runCommandAside } from './bootstrap/command.mjs';
import { checkNode, installPackages, linkPostgresLibraries } from './bootstrap/packages.mjs';
import { provideSystemTools } from './bootstrap/system-tools.mjs';
import { generateClient } from './generate-client.mjs';

/** Prepares a clone so that it can run; fast and silent when there is nothing to do. */
export async function setup({ log }) {
  checkNode();
  await settleAll([provideSystemTools(log), installPackages(log)]);
  linkPostgresLibraries(log);
  generateClient(log);
  await settleAll([buildPrograms(), buildWeb(log)]);
}

/** Waits until all promises have settled. @throws the first failure */
async function settleAll(promises) {
  for (const { status, reason } of await Promise.allSettled(promises))
    if (status === 'rejected') throw reason;
}

async function buildPrograms() {
  // Types are checked by `npm run types`; compiling takes a third of the time without.
  await runCommandAside(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', '--noCheck']);
  // Imported here, as it has just been compiled.
  const { bundlePrograms } = await import('./dist/bundles.js');
  await bundlePrograms();
}

if (isMain(import.meta.url)) await orExit(() => setup({ log: console.log }));
