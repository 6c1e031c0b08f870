import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository, with a trailing slash. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** An error that is shown as its message only, without a stack. */
export class SetupError extends Error {}

/** Runs `work`; a SetupError is printed and ends the process with code 1. */
export async function orExit(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

/** Runs a command with its output shown. @throws SetupError when it does not exit with 0 */
export function runCommand(command, args, { cwd = root, env = {} } = {}) {
  const { status, signal, error } = spawnSync(command, args, optionsOf({ cwd, env }));
  if (status !== 0) throw failureOf(command, args, { status, signal, error });
}

/** Like {@link runCommand}, asynchronously. @throws SetupError when it does not exit with 0 */
export async function runCommandAside(command, args, { cwd = root, env = {} } = {}) {
  const child = spawn(command, args, optionsOf({ cwd, env }));
  const [status, signal] = await once(child, 'exit').catch((error) => {
    throw failureOf(command, args, { error });
  });
  if (status !== 0) throw failureOf(command, args, { status, signal });
}

const optionsOf = ({ cwd, env }) => ({
  cwd,
  env: { ...process.env, ...env },
  stdio: ['ignore', 'inherit', 'inherit'],
});

function failureOf(command, args, { status, signal, error }) {
  const reason = error?.message ?? (signal === null ? `exit code ${status}` : `signal ${signal}`);
  return new SetupError(`\`${[command, ...args].join(' ')}\` failed: ${reason}.`);
}

/** Whether a command exits with 0; its output is not shown. */
export function succeeds(command, args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** Whether the module of this `import.meta.url` is the one that node was started with. */
export function isMain(url) {
  const started = process.argv[1];
  return started !== undefined && realpathSync(started) === fileURLToPath(url);
}

/** Loads the `.env` file of the repository, if there is one; existing variables take precedence. */
export function loadEnvFile() {
  const file = join(root, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}
