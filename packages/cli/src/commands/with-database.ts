import { keepSecret, makeDataFolders, pathsIn } from '@birdhub/launcher/data-folder';
import { findLockHolder, LockHeldError, takeLock } from '@birdhub/launcher/instance-lock';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import { createLog, type Log } from '@birdhub/launcher/log';
import type { Options } from '@birdhub/launcher/options';
import { passwordFileOf, startPostgres, toDatabaseUrl } from '@birdhub/launcher/postgres-server';
import { readState, stopLeftovers } from '@birdhub/launcher/state-file';

type Work<T> = (databaseUrl: string) => Promise<T>;

/** Works on the hub's database: one's own, that of the running hub, or the embedded one, started for this alone. */
export async function withDatabase<T>(options: Options, work: Work<T>): Promise<T> {
  if (options.databaseUrl !== undefined) return work(options.databaseUrl);
  const running = await findRunningDatabase(options);
  return running === undefined ? withOwnServer(options, work) : work(running);
}

/** The same with the hub stopped, and kept from starting. @throws LauncherError when it runs */
export async function withDatabaseAtRest<T>(options: Options, work: Work<T>): Promise<T> {
  refuseRunning(options);
  const { databaseUrl } = options;
  return databaseUrl === undefined
    ? withOwnServer(options, work)
    : withLock(options, () => work(databaseUrl));
}

/** @throws LauncherError when the hub runs */
export function refuseRunning({ dataDir }: Options): void {
  const holder = findLockHolder(pathsIn(dataDir).lock);
  if (holder === undefined) return;
  throw new LauncherError(`Birdhub runs (process ${holder.pid}): stop it first, npm run hub -- stop`);
}

async function findRunningDatabase({ dataDir }: Options): Promise<string | undefined> {
  const places = pathsIn(dataDir);
  if (findLockHolder(places.lock) === undefined) return undefined;
  const server = readState(places.state)?.processes.find(({ name }) => name === 'postgres');
  if (server?.process == null)
    throw new LauncherError('Birdhub is just starting: try again when it is ready.');
  if (server.socket === undefined) throw new LauncherError('An older Birdhub runs: stop it first.');
  const { value: password } = await keepSecret(passwordFileOf(places.postgres));
  return toDatabaseUrl(password, server.socket);
}

function withOwnServer<T>(options: Options, work: Work<T>): Promise<T> {
  return withLock(options, async (log) => {
    const server = await startPostgres({ dataDir: pathsIn(options.dataDir).postgres, log });
    return work(server.url).finally(server.stop);
  });
}

async function withLock<T>({ dataDir }: Options, work: (log: Log) => Promise<T>): Promise<T> {
  const log = createLog('launcher');
  await makeDataFolders({ dataDir }, log);
  const places = pathsIn(dataDir);
  const lock = lockData(places.lock);
  try {
    await stopLeftovers(places.state, log);
    return await work(log);
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
