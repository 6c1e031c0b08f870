import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadEnvFile } from './bootstrap/env-file.mjs';
import { launcher } from './bootstrap/paths.mjs';
import { orExit } from './bootstrap/setup-error.mjs';
import { setup } from './setup.mjs';

if (!existsSync(join(launcher, 'dist/cli.js'))) await orExit(() => setup({ log: console.error }));
loadEnvFile();
const { runCli } = await import('./dist/cli.js');
process.exitCode = await runCli(process.argv.slice(2));
