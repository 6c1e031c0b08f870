import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { runCommand } from './run-command.mjs';

const readPackages = (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages;

/**
 * Whether node_modules holds exactly what the lock file asks for. npm writes its list of what is installed
 * last, so an interrupted install has none.
 */
export function isInstalled(wanted, installed) {
  const names = Object.keys(wanted).filter((name) => name !== '');
  return names.every((name) => {
    const there = installed[name];
    if (there === undefined) return wanted[name].optional === true;
    return there.version === wanted[name].version && there.integrity === wanted[name].integrity;
  });
}

/** Installs from the lock file, unless that has been done. */
export function installPackages(log) {
  const record = 'node_modules/.package-lock.json';
  const isThere = existsSync(join(root, record));
  if (isThere && isInstalled(readPackages('package-lock.json'), readPackages(record))) return;
  log('Installing packages from the lock file (npm ci)');
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  if (npm?.endsWith('.js')) return runCommand(process.execPath, [npm, ...args]);
  runCommand('npm', args);
}
