import { makeDataFolders } from '../data-folders.js';
import { findLockHolder, LockHeldError, takeLock } from '../instance-lock.js';
import { keepSecret } from '../kept-secret.js';
import { LauncherError } from '../launcher-error.js';
import { stopLeftovers } from '../leftovers.js';
import { createLog } from '../log.js';
import type { Options } from '../options.js';
import { placesIn } from '../places.js';
import { passwordFileOf, startPostgres, toDatabaseUrl } from '../postgres-server.js';
import { readState } from '../state-file.js';

type Work = (databaseUrl: string) => Promise<void>;

/** Works on the hub's database: one's own, that of the running hub, or the embedded one, started for this alone. */
export async function withDatabase(options: Options, work: Work): Promise<void> {
  if (options.databaseUrl !== undefined) return work(options.databaseUrl);
  const running = await findRunningDatabase(options);
  if (running !== undefined) return work(running);
  await withOwnServer(options, work);
}

async function findRunningDatabase({ dataDir }: Options): Promise<string | undefined> {
  const places = placesIn(dataDir);
  if (findLockHolder(places.lock) === undefined) return undefined;
  const server = readState(places.state)?.processes.find(({ name }) => name === 'postgres');
  if (server?.process == null)
    throw new LauncherError('Birdhub is just starting: try again when it is ready.');
  const { value: password } = await keepSecret(passwordFileOf(places.postgres));
  return toDatabaseUrl(password, server.port);
}

async function withOwnServer({ dataDir }: Options, work: Work): Promise<void> {
  await makeDataFolders([dataDir]);
  const places = placesIn(dataDir);
  const log = createLog('launcher');
  const lock = lockData(places.lock);
  try {
    await stopLeftovers(places.state, log);
    const server = await startPostgres({ dataDir: places.postgres, log });
    await work(server.url).finally(server.stop);
  } finally {
    lock.release();
  }
}

function lockData(file: string) {
  try {
    return takeLock(file);
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    throw new LauncherError(`Birdhub was started at this moment by process ${error.holder.pid}: try again.`);
  }
}
