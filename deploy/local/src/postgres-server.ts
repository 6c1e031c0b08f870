import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ChildService } from './child-service.js';
import { findFreePort } from './free-port.js';
import { takeLock } from './instance-lock.js';
import { keepSecret } from './kept-secret.js';
import type { Log } from './log.js';
import { findServerAccount, openPathAbove } from './postgres/account.js';
import { findPostgresBinaries } from './postgres/binaries.js';
import { type Cluster, changePassword, createCluster, databaseName, isCreated } from './postgres/cluster.js';
import { clearLeftovers, isServerReady, postgresStopSteps } from './postgres/leftovers.js';
import { toArguments } from './postgres/settings.js';
import { runAll, type Step } from './run-all.js';
import { passPostgresLine } from './server-lines.js';
import { waitReady } from './wait-ready.js';

export type PostgresOptions = {
  /** The server's folder; its lock and its password are kept beside it. Made when missing. */
  readonly dataDir: string;
  readonly port?: number;
  readonly log: Log;
  /** Server settings over the hub's own. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Told after each start and each end of the server's process. */
  readonly onChange?: (server: { readonly pid: number | undefined; readonly port: number }) => void;
  readonly signal?: AbortSignal | undefined;
};

/** A PostgreSQL that is started again on the same port when it ends by itself, until `stop`. */
export type PostgresServer = {
  readonly url: string;
  readonly port: number;
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
    const port = options.port ?? (await findFreePort());
    const child = superviseServer(cluster, port, options);
    undo.unshift(() => child.stop());
    await child.start();
    await waitReady({
      what: 'PostgreSQL',
      isReady: async () => child.pid !== undefined && isServerReady(dataDir, child.pid),
      // Recovery after a power loss reads up to max_wal_size again.
      timeoutMs: 120_000,
      findFailure: () => (child.crashesInRow >= 3 ? child.lastLines.join(' | ') : undefined),
      signal: options.signal,
    });
    return {
      url: toDatabaseUrl(password, port),
      port,
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

/** The address of the hub's database in an embedded PostgreSQL. */
export function toDatabaseUrl(password: string, port: number): string {
  return `postgresql://${databaseName}:${password}@127.0.0.1:${port}/${databaseName}`;
}

async function makeParent(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  // As PostgreSQL will see it: its process is recognised by its working folder.
  return join(await realpath(dirname(path)), basename(path));
}

async function prepareCluster(dataDir: string, log: Log) {
  const binaries = await findPostgresBinaries();
  const account = await findServerAccount(dataDir);
  if (account !== undefined) for (const path of [dataDir, binaries.postgres]) await openPathAbove(path, log);
  const cluster: Cluster = { dataDir, binaries, account };
  await clearLeftovers(dataDir, log);
  const { value: password, isNew } = await keepSecret(passwordFileOf(dataDir));
  if (!isCreated(cluster)) await createCluster(cluster, password);
  else if (isNew) await changePassword(cluster, password);
  return { cluster, password };
}

function superviseServer({ dataDir, binaries, account }: Cluster, port: number, options: PostgresOptions) {
  const { log, settings, onChange } = options;
  const child: ChildService = new ChildService({
    name: 'postgres',
    command: binaries.postgres,
    args: ['-D', dataDir, '-p', String(port), ...toArguments(settings)],
    user: account,
    cwd: '/',
    stopSteps: postgresStopSteps,
    log,
    onLine: (line) => passPostgresLine(log, line),
    prepare: () => clearLeftovers(dataDir, log),
    onChange: () => onChange?.({ pid: child.pid, port }),
  });
  return child;
}
