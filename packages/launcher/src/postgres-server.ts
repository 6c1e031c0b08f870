import { mkdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ChildService } from './child-service.js';
import { takeLock } from './instance-lock.js';
import { keepSecret } from './kept-secret.js';
import type { Log } from './log.js';
import { findServerAccount } from './postgres/account.js';
import { findPostgresBinaries, withinReach } from './postgres/binaries.js';
import {
  type Cluster,
  changePassword,
  createCluster,
  databaseName,
  isCreated,
  placeOf,
} from './postgres/cluster.js';
import { clearLeftovers, isServerReady, postgresStopSteps } from './postgres/leftovers.js';
import { toArguments } from './postgres/settings.js';
import { runAll, type Step } from './run-all.js';
import { passPostgresLine } from './server-lines.js';
import { openShortPath } from './socket-folder.js';
import { startTimeoutMs, waitReady } from './wait-ready.js';

// PostgreSQL names its sockets by a number, which is no port here: each has a folder of its own.
const socketNumber = 5432;
const socketName = `.s.PGSQL.${socketNumber}`;

export type PostgresOptions = {
  /** The server's folder; its lock and its password are kept beside it. Made when missing. */
  readonly dataDir: string;
  /** Where its socket is; its own folder when not set, which only its user gets at. */
  readonly socketFolder?: string;
  readonly log: Log;
  /** Server settings over the hub's own. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Told after each start and each end of the server's process. */
  readonly onChange?: (server: { readonly pid: number | undefined; readonly socket: string }) => void;
  readonly signal?: AbortSignal | undefined;
};

/** A PostgreSQL that is started again on the same Unix socket when it ends by itself, until `stop`. */
export type PostgresServer = {
  readonly url: string;
  /** Path of the Unix socket. */
  readonly socket: string;
  readonly pid: number | undefined;
  stop(): Promise<void>;
};

/** Starts the embedded PostgreSQL and returns when it takes connections. @throws LockHeldError when it already runs */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const dataDir = await makeParent(options.dataDir);
  const lock = takeLock(`${dataDir}.lock`);
  const undo: Step[] = [lock.release];
  try {
    const { cluster, password } = await prepareCluster(dataDir, options.log);
    const folder = await openShortPath(options.socketFolder ?? dataDir, socketName);
    undo.unshift(folder.remove);
    const socket = join(folder.path, socketName);
    const child = superviseServer(cluster, socket, options);
    undo.unshift(() => child.stop());
    await child.start();
    await waitReady({
      what: 'PostgreSQL',
      isReady: async () => child.pid !== undefined && isServerReady(dataDir, child.pid),
      // Recovery after a power loss reads up to max_wal_size again.
      timeoutMs: startTimeoutMs,
      findFailure: () => (child.crashesInRow >= 3 ? child.lastLines.join(' | ') : undefined),
      signal: options.signal,
    });
    return {
      url: toDatabaseUrl(password, socket),
      socket,
      get pid() {
        return child.pid;
      },
      stop: () => runAll(undo),
    };
  } catch (error) {
    await runAll(undo);
    throw error;
  }
}

/** The password file of the PostgreSQL with this data folder. */
export function passwordFileOf(dataDir: string): string {
  return `${dataDir}.password`;
}

/** The address of the hub's database in an embedded PostgreSQL that listens on this Unix socket. */
export function toDatabaseUrl(password: string, socket: string): string {
  // The parameter takes the place of the host, which a URL must have.
  const folder = new URLSearchParams({ host: dirname(socket) });
  return `postgresql://${databaseName}:${password}@localhost:${socketNumber}/${databaseName}?${folder}`;
}

// The server works inside its data folder, which it may be unable to name by its path. A list, whose parts may stand
// in quotes.
const listenIn = (folder = '.') => ({
  port: String(socketNumber),
  unix_socket_directories: `"${folder.replaceAll('"', '""')}"`,
});

async function makeParent(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o750 });
  // As PostgreSQL will see it: its process is recognised by its working folder.
  return join(await realpath(dirname(path)), basename(path));
}

async function prepareCluster(dataDir: string, log: Log) {
  const account = await findServerAccount(dataDir);
  const binaries = await withinReach(await findPostgresBinaries(), account);
  const cluster: Cluster = { dataDir, binaries, account };
  await clearLeftovers(dataDir, log);
  const { value: password, isNew } = await keepSecret(passwordFileOf(dataDir));
  if (!isCreated(cluster)) await createCluster(cluster, password);
  else if (isNew) await changePassword(cluster, password);
  return { cluster, password };
}

function superviseServer(cluster: Cluster, socket: string, options: PostgresOptions) {
  const { dataDir, binaries, account } = cluster;
  const { log, settings, onChange } = options;
  const place = placeOf(cluster);
  const child: ChildService = new ChildService({
    name: 'postgres',
    command: binaries.postgres,
    args: ['-D', place.dataDir, ...toArguments({ ...listenIn(options.socketFolder), ...settings })],
    user: account,
    cwd: place.cwd,
    stopSteps: postgresStopSteps,
    log,
    onLine: (line) => passPostgresLine(log, line),
    prepare: async () => {
      await clearLeftovers(dataDir, log);
      // The lock of the socket may name a process number that another program has by now.
      for (const file of [socket, `${socket}.lock`]) await rm(file, { force: true });
    },
    onChange: () => onChange?.({ pid: child.pid, socket }),
  });
  return child;
}
