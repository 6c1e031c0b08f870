import { findCompiledProgram, findProgram } from './bundles.js';
import { setPrivateUmask } from './data-folder.js';
import { type Hub, startHub } from './hub.js';
import { LauncherError } from './launcher-error.js';
import { createLog } from './log.js';
import { readOptions, repository } from './options.js';
import type { FindProgram } from './programs.js';
import { runMigration } from './run-migration.js';
import { watchBuilds } from './watch-builds.js';

const log = createLog('launcher');
const stopping = new AbortController();

/** Runs the hub until a signal stops it (`npm start`). */
export async function main({ isWatching }: { isWatching: boolean }): Promise<void> {
  listenToSignals();
  setPrivateUmask();
  try {
    const hub = await start(isWatching ? (name) => findCompiledProgram(name) : (name) => findProgram(name));
    const seconds = (performance.now() / 1000).toFixed(1);
    console.log(`Birdhub is ready at ${hub.address} (took ${seconds} s)`);
    const watch = isWatching ? watchBuilds(repository, hub.children, log) : undefined;
    await aborted(stopping.signal);
    watch?.close();
    await hub.stop();
    console.log('Birdhub has stopped.');
    process.exit(0);
  } catch (error) {
    // Aborted during the start; everything that was started has been stopped.
    if (error instanceof Error && error.name === 'AbortError') process.exit(0);
    console.error(error instanceof LauncherError ? error.message : error);
    process.exit(1);
  }
}

function start(find: FindProgram): Promise<Hub> {
  return startHub({
    options: readOptions(process.env, repository),
    env: process.env,
    findProgram: find,
    migrate: runMigration,
    log,
    writeLine: (line) => process.stdout.write(`${line}\n`),
    signal: stopping.signal,
  });
}

// Further signals are ignored, as the database needs time to stop.
function listenToSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stopping.signal.aborted) console.log('Birdhub is stopping.');
      stopping.abort();
    });
  }
  // The terminal may be closed before the hub ends.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => stopping.abort());
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
