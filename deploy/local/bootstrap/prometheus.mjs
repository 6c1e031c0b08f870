import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { runCommand, succeeds } from './run-command.mjs';
import { SetupError } from './setup-error.mjs';
import { findTool, isDebianLike, updatePackageLists } from './system-tools.mjs';

/** Goes with the packages of the repository. */
const folder = join(root, 'node_modules/.cache/prometheus');
const unpacked = join(folder, 'usr/bin');

/**
 * Makes Prometheus available to the tests: found, or unpacked from Debian's package into the repository, as a machine
 * that has it installed runs it from then on. Without it the tests that need it are skipped.
 */
export function providePrometheus(log) {
  if (findTool('prometheus') ?? findTool('prometheus', { PATH: unpacked })) return;
  try {
    if (!isDebianLike()) throw new SetupError('Its package is unpacked on Debian and its kin only.');
    log('Fetching Prometheus for the tests');
    unpack();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    rmSync(folder, { recursive: true, force: true });
    log(`There is no Prometheus, tests that need it are skipped. ${error.message}`);
  }
}

function unpack() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (!succeeds('apt-get', ['download', '--print-uris', 'prometheus'])) updatePackageLists();
  runCommand('apt-get', ['-q', 'download', 'prometheus'], { cwd: folder });
  for (const file of readdirSync(folder)) {
    runCommand('dpkg-deb', ['-x', file, '.'], { cwd: folder });
    rmSync(join(folder, file));
  }
}
