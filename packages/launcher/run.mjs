import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { loadEnvFile, orExit, SetupError } from './bootstrap/command.mjs';
import { setup } from './setup.mjs';

// Runs the set-up, then a TypeScript file of the repository from source: `node run.mjs FILE ARGS...`.
await orExit(async () => {
  if (process.argv[2] === undefined)
    throw new SetupError('Usage: node packages/launcher/run.mjs FILE [ARGUMENT...]');
  await setup({ log: console.error });
});
loadEnvFile();
const args = ['--conditions=hub:source', '--import', 'tsx', ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { stdio: 'inherit' });
// A terminal signals the entire process group; `kill` reaches only this process, so the signal is forwarded.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal];
});
