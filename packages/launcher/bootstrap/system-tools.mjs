import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommandAside, SetupError, succeeds } from './command.mjs';

// Debian installs servers in folders that are not in every user's PATH.
const furtherFolders = ['/usr/sbin', '/usr/local/bin', '/usr/local/sbin', '/opt/homebrew/bin'];

/**
 * Finds `nats-server` and `ffmpeg`, or installs them with apt if permitted.
 * @throws SetupError that names what is missing
 */
export async function provideSystemTools(log, env = process.env) {
  const missing = requiredTools(env).filter((tool) => findTool(tool, env) === undefined);
  if (missing.length === 0) return;
  await installTools(missing, log);
}

/** Installs packages with apt. @throws SetupError with instructions when that is not permitted */
export async function installTools(missing, log) {
  const names = missing.join(' and ');
  if (!isDebianLike()) {
    throw new SetupError(
      `Birdhub needs ${names}: install it with the system's package manager and start again.`,
    );
  }
  const sudo = sudoPrefix();
  if (sudo === undefined) {
    throw new SetupError(
      `Birdhub needs ${names}: run \`sudo apt-get update && sudo apt-get install -y ${missing.join(' ')}\` and start again.`,
    );
  }
  log(`Installing ${names} with apt-get`);
  await aptGet(sudo, ['update']);
  await aptGet(sudo, ['install', '-y', '--no-install-recommends', ...missing]);
}

/** Updates the package lists. @throws SetupError when that is not permitted or fails */
export async function updatePackageLists() {
  const sudo = sudoPrefix();
  if (sudo === undefined) throw new SetupError('Run `sudo apt-get update`.');
  await aptGet(sudo, ['update']);
}

/**
 * Returns the path of an executable, also from the folders where Debian installs servers; undefined when there is none.
 * `src/find-tool.ts` does the same in compiled code: nothing is compiled yet when this runs.
 */
export function findTool(name, env = process.env) {
  const folders = [...(env.PATH ?? '').split(delimiter), ...furtherFolders];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function requiredTools(env) {
  return env.NATS_URL || env.NATS_URL_FILE ? ['ffmpeg'] : ['nats-server', 'ffmpeg'];
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether the system uses apt. */
export function isDebianLike() {
  try {
    return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

function sudoPrefix() {
  if (process.getuid() === 0) return [];
  return succeeds('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
}

async function aptGet(sudo, args) {
  const [command, ...rest] = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', ...args];
  await runCommandAside(command, rest);
}
