import { makeDataFolders, pathsIn, readOrCreateSecret } from '@birdhub/launcher/data-folder';
import { findLockHolder, LockHeldError, takeLock } from '@birdhub/launcher/instance-lock';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import { createLog, type Log } from '@birdhub/launcher/log';
import type { Options } from '@birdhub/launcher/options';
import { passwordFileOf, startPostgres, toDatabaseUrl } from '@birdhub/launcher/postgres-server';
import { readState, stopLeftovers } from '@birdhub/launcher/state-file';

/** Thrown when a command was called with wrong arguments. */
export class UsageError extends Error {
  override name = 'UsageError';
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs work that Ctrl-C or a service manager can abort. @throws LauncherError with `message` when aborted */
export async function untilSignal<T>(
  work: (signal: AbortSignal) => Promise<T>,
  message = 'Stopped. Nothing was changed.',
): Promise<T> {
  const stopping = new AbortController();
  const stop = () => stopping.abort(new LauncherError(message));
  for (const signal of signals) process.on(signal, stop);
  try {
    return await work(stopping.signal);
  } catch (error) {
    throw stopping.signal.aborted ? stopping.signal.reason : error;
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

type Work<T> = (databaseUrl: string) => Promise<T>;

/**
 * Runs `work` on the hub's database: the one in DATABASE_URL, that of the running hub, or the embedded one, which is
 * started for it.
 */
export async function withDatabase<T>(options: Options, work: Work<T>): Promise<T> {
  if (options.databaseUrl !== undefined) return work(options.databaseUrl);
  const running = await findRunningDatabase(options);
  return running === undefined ? withOwnServer(options, work) : work(running);
}

/** Like {@link withDatabase}, and prevents the hub from starting meanwhile. @throws LauncherError when it is running */
export async function withDatabaseAtRest<T>(options: Options, work: Work<T>): Promise<T> {
  refuseRunning(options);
  const { databaseUrl } = options;
  return databaseUrl === undefined
    ? withOwnServer(options, work)
    : withLock(options, () => work(databaseUrl));
}

/** @throws LauncherError when the hub is running */
export function refuseRunning({ dataDir }: Options): void {
  const holder = findLockHolder(pathsIn(dataDir).lock);
  if (holder === undefined) return;
  throw new LauncherError(
    `Birdhub is running (process ${holder.pid}): stop it first with npm run hub -- stop`,
  );
}

async function findRunningDatabase({ dataDir }: Options): Promise<string | undefined> {
  const paths = pathsIn(dataDir);
  if (findLockHolder(paths.lock) === undefined) return undefined;
  const server = readState(paths.state)?.processes.find(({ name }) => name === 'postgres');
  if (server?.process == null) throw new LauncherError('Birdhub is starting: try again when it is ready.');
  if (server.socket === undefined) throw new LauncherError('An older Birdhub is running: stop it first.');
  const { value: password } = await readOrCreateSecret(passwordFileOf(paths.postgres));
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
  const paths = pathsIn(dataDir);
  const lock = lockData(paths.lock);
  try {
    await stopLeftovers(paths.state, log);
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
    throw new LauncherError(`Birdhub is just being started by process ${error.holder.pid}: try again.`);
  }
}
