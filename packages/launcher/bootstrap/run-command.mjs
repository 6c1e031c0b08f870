import { spawnSync } from 'node:child_process';
import { root } from './paths.mjs';
import { SetupError } from './setup-error.mjs';

/** Runs a command to its end with its output shown. @throws SetupError when it does not end with 0. */
export function runCommand(command, args, { cwd = root, env = {} } = {}) {
  const { status, signal, error } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status === 0) return;
  const reason = error?.message ?? (signal === null ? `exit code ${status}` : `signal ${signal}`);
  throw new SetupError(`\`${[command, ...args].join(' ')}\` failed: ${reason}.`);
}

/** Whether a command runs and ends with 0; its output is not shown. */
export function succeeds(command, args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
