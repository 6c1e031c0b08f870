import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadEnvFile } from '../launcher/bootstrap/env-file.mjs';
import { launcher } from '../launcher/bootstrap/paths.mjs';
import { orExit } from '../launcher/bootstrap/setup-error.mjs';
import { setup } from '../launcher/setup.mjs';

if (!existsSync(join(launcher, 'dist/cli.js'))) await orExit(() => setup({ log: console.error }));
loadEnvFile();
const { runCli } = await import('./dist/cli.js');
process.exitCode = await runCli(process.argv.slice(2));
