import { loadEnvFile, orExit } from './bootstrap/command.mjs';
import { setup } from './setup.mjs';

await orExit(() => setup({ log: console.log }));
loadEnvFile();
const { main } = await import('./dist/main.js');
await main({ isWatching: process.argv.includes('--watch') });
