import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isMain, root, runCommand, SetupError, succeeds } from './command.mjs';
import { findTool, installTools, isDebianLike, updatePackageLists } from './system-tools.mjs';

/** In order of preference: headless Chromium needs two thirds of the CPU time. */
const browsers = ['chromium-headless-shell', 'chromium'];

/**
 * Makes Chromium available to the tests of pages, preferably the headless one. It is installed if missing and permitted;
 * otherwise these tests are skipped.
 */
export async function provideBrowser(log) {
  for (const browser of browsers) {
    if (findTool(browser) !== undefined) return;
    try {
      return await installTools([browser], log);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      if (browsers.every((name) => findTool(name) === undefined))
        log(`There is no ${browser}. ${error.message}`);
    }
  }
  log('There is no browser; tests of pages are skipped.');
}

/** Programs that only tests need, by the names of their Debian packages; `withLibraries` are unpacked with their libraries. */
const programs = {
  prometheus: { title: 'Prometheus' },
  nginx: { title: 'nginx' },
  mosquitto: { title: 'Mosquitto', withLibraries: ['mosquitto', 'mosquitto-clients'] },
};

/** Deleted together with the installed packages. */
const cache = join(root, 'node_modules/.cache');

/**
 * Makes these programs available to the tests. Missing ones are unpacked from Debian packages into the repository
 * instead of being installed, as installing a server also starts it. Tests of unavailable programs are skipped.
 */
export async function provideUnpackedPrograms(log) {
  for (const [name, program] of Object.entries(programs)) await provide(name, program, log);
}

async function provide(name, { title, withLibraries }, log) {
  const folder = join(cache, name);
  const unpacked = ['usr/bin', 'usr/sbin'].map((below) => join(folder, below)).join(delimiter);
  if (findTool(name) ?? findTool(name, { PATH: unpacked })) return;
  try {
    if (!isDebianLike())
      throw new SetupError('Its package can be unpacked only on Debian and its derivatives.');
    log(`Fetching ${title} for the tests`);
    await unpack(name, folder, withLibraries);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    rmSync(folder, { recursive: true, force: true });
    log(`There is no ${title}; tests that need it are skipped. ${error.message}`);
  }
}

async function unpack(name, folder, withLibraries) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (!succeeds('apt-get', ['download', '--print-uris', name])) await updatePackageLists();
  const packages = withLibraries ? listMissing(withLibraries) : [name];
  runCommand('apt-get', ['-q', 'download', ...packages], { cwd: folder });
  for (const file of readdirSync(folder).filter((entry) => entry.endsWith('.deb'))) {
    runCommand('dpkg-deb', ['-x', file, '.'], { cwd: folder });
    rmSync(join(folder, file));
  }
}

/** Returns the packages and their dependencies that are not installed. */
function listMissing(packages) {
  const args = ['--simulate', 'install', '--no-install-recommends', ...packages];
  const { stdout } = spawnSync('apt-get', args, { encoding: 'utf8' });
  const missing = [...(stdout ?? '').matchAll(/^Inst (\S+)/gm)].map(([, found]) => found);
  return missing.length ? missing : packages;
}

if (isMain(import.meta.url)) {
  await provideBrowser(console.log);
  await provideUnpackedPrograms(console.log);
}
