import { existsSync } from 'node:fs';
import { loadEnvFile, orExit } from '../launcher/bootstrap/command.mjs';
import { setup } from '../launcher/setup.mjs';

if (!existsSync(new URL('./dist/cli.js', import.meta.url))) await orExit(() => setup({ log: console.error }));
loadEnvFile();
const { runCli } = await import('./dist/cli.js');
process.exitCode = await runCli(process.argv.slice(2));
