import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root, runCommand, SetupError, succeeds } from './command.mjs';
import { findTool, installTools, isDebianLike, updatePackageLists } from './system-tools.mjs';

/** Makes Chromium available to the tests of pages: found, or installed where that is allowed; else they are skipped. */
export function provideBrowser(log) {
  if (findTool('chromium') !== undefined) return;
  try {
    installTools(['chromium'], log);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    log(`There is no Chromium, tests of pages are skipped. ${error.message}`);
  }
}

/** Programs that only tests need, named as their packages of Debian are. */
const programs = { prometheus: 'Prometheus', nginx: 'nginx' };

/** Goes with the packages of the repository. */
const cache = join(root, 'node_modules/.cache');

/**
 * Makes them available to the tests: found, or unpacked from Debian's packages into the repository, as a machine that
 * has them installed runs them from then on. Tests that need one that is nowhere are skipped.
 */
export function provideUnpackedPrograms(log) {
  for (const [name, title] of Object.entries(programs)) provide(name, title, log);
}

function provide(name, title, log) {
  const folder = join(cache, name);
  const unpacked = ['usr/bin', 'usr/sbin'].map((below) => join(folder, below)).join(delimiter);
  if (findTool(name) ?? findTool(name, { PATH: unpacked })) return;
  try {
    if (!isDebianLike()) throw new SetupError('Its package is unpacked on Debian and its kin only.');
    log(`Fetching ${title} for the tests`);
    unpack(name, folder);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    rmSync(folder, { recursive: true, force: true });
    log(`There is no ${title}, tests that need it are skipped. ${error.message}`);
  }
}

function unpack(name, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (!succeeds('apt-get', ['download', '--print-uris', name])) updatePackageLists();
  runCommand('apt-get', ['-q', 'download', name], { cwd: folder });
  for (const file of readdirSync(folder)) {
    runCommand('dpkg-deb', ['-x', file, '.'], { cwd: folder });
    rmSync(join(folder, file));
  }
}
