import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommandAside, SetupError, succeeds } from './command.mjs';

// Not on every user's PATH, yet Debian keeps servers there.
const furtherFolders = ['/usr/sbin', '/usr/local/bin', '/usr/local/sbin', '/opt/homebrew/bin'];

/** Finds `nats-server` and `ffmpeg`, or installs them with apt when allowed, or else names what is missing. */
export async function provideSystemTools(log, env = process.env) {
  const missing = toolsWanted(env).filter((tool) => findTool(tool, env) === undefined);
  if (missing.length === 0) return;
  await installTools(missing, log);
}

/** Installs packages with apt. @throws SetupError that says what to do where that is not allowed */
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

/** Learns which packages there are. @throws SetupError when that is not allowed or fails */
export async function updatePackageLists() {
  const sudo = sudoPrefix();
  if (sudo === undefined) throw new SetupError('Run `sudo apt-get update` for it.');
  await aptGet(sudo, ['update']);
}

/**
 * Where an executable is, looking also where Debian keeps servers; undefined when nowhere. `src/find-tool.ts` has this
 * search for compiled code: nothing is compiled yet when this runs.
 */
export function findTool(name, env = process.env) {
  const folders = [...(env.PATH ?? '').split(delimiter), ...furtherFolders];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function toolsWanted(env) {
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

/** Whether packages come with apt. */
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
