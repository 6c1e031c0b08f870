import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { chown, mkdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ChildService } from './child-service.js';
import { keepSecret } from './data-folder.js';
import { takeLock } from './instance-lock.js';
import { runAll, type Step, startTimeoutMs, waitReady } from './lifecycle.js';
import type { Log } from './log.js';
import {
  type Account,
  findPostgresBinaries,
  findServerAccount,
  type PostgresBinaries,
  withinReach,
} from './postgres-binaries.js';
import { identifyProcess, type ProcessIdentity, type StopStep, stopProcess } from './processes.js';
import { openShortPath } from './socket-folder.js';

// PostgreSQL names its sockets by a port number, which has no meaning here: each has a folder of its own.
const socketNumber = 5432;
const socketName = `.s.PGSQL.${socketNumber}`;

/** "Fast" ends the sessions and closes the files; "immediate" leaves recovery to the next start; nothing is lost by either. */
export const postgresStopSteps: readonly StopStep[] = [
  { signal: 'SIGINT', waitMs: 8000 },
  { signal: 'SIGQUIT', waitMs: 2000 },
];

export type PostgresOptions = {
  /** The server's folder; its lock and its password are kept beside it. Made when missing. */
  readonly dataDir: string;
  /** The folder of its socket; its own data folder when not set, which only its user can enter. */
  readonly socketFolder?: string;
  readonly log: Log;
  /** Server settings over the hub's own. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called after each start and each end of the server's process. */
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
    onLine: (line) => logPostgresLine(log, line),
    prepare: async () => {
      await clearLeftovers(dataDir, log);
      // The lock of the socket may name a process number that another program has by now.
      for (const file of [socket, `${socket}.lock`]) await rm(file, { force: true });
    },
    onChange: () => onChange?.({ pid: child.pid, socket }),
  });
  return child;
}

/**
 * Clears what a killed launcher or a power loss left: a server without an owner is stopped, and a
 * `postmaster.pid` whose number another program has by now is removed (PostgreSQL would take that program for
 * a server and refuse to start). A file whose process is gone stays: PostgreSQL itself checks by it that no
 * session of that server is left.
 */
export async function clearLeftovers(dataDir: string, log: Log): Promise<void> {
  const pidFile = join(dataDir, 'postmaster.pid');
  const owner = findProcess(pidFile);
  if (owner === undefined) return;
  if (!isServerOf(dataDir, owner.pid)) {
    log.warn({ pid: owner.pid }, 'stale postmaster.pid removed');
    await rm(pidFile, { force: true });
    return;
  }
  log.warn({ pid: owner.pid }, 'stopping the PostgreSQL that an earlier launcher left running');
  await stopProcess(owner, [...postgresStopSteps, { signal: 'SIGKILL', waitMs: 2000 }]);
}

/** Whether the server with this process number takes connections: it says so itself, in its pid file. */
export function isServerReady(dataDir: string, pid: number): boolean {
  const lines = readLines(join(dataDir, 'postmaster.pid'));
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

function findProcess(pidFile: string): ProcessIdentity | undefined {
  const pid = Number(readLines(pidFile)[0]);
  return Number.isInteger(pid) && pid > 0 ? identifyProcess(pid) : undefined;
}

// PostgreSQL works inside its data folder; where that cannot be seen, the file is taken at its word.
function isServerOf(dataDir: string, pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === dataDir;
  } catch {
    return process.platform !== 'linux';
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** The settings of the embedded PostgreSQL: a small machine, one application, data that must survive a power cut. */
const defaultSettings: Readonly<Record<string, string>> = {
  // Only the hub's own user reaches the Unix socket, and no other program can take its address.
  listen_addresses: '',
  max_connections: '80',
  shared_buffers: '96MB',
  effective_cache_size: '512MB',
  jit: 'off',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  wal_compression: 'on',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  fsync: 'on',
  synchronous_commit: 'on',
  log_line_prefix: '',
};

/** Command line arguments for these settings over the defaults. */
export function toArguments(settings: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries({ ...defaultSettings, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
}

const postgresLevels: Readonly<Record<string, keyof Log>> = {
  WARNING: 'warn',
  ERROR: 'warn',
  FATAL: 'warn',
  PANIC: 'error',
};

/**
 * Logs a line of PostgreSQL that reports trouble. Its LOG lines (checkpoints, start, stop) and what follows a message
 * (DETAIL, STATEMENT) are left out.
 */
export function logPostgresLine(log: Log, line: string): void {
  const [, label = '', message = ''] = /^([A-Z]+): {2}(.*)$/.exec(line) ?? [];
  const level = postgresLevels[label];
  if (level !== undefined) log[level]({ server: 'postgres', severity: label }, message);
}

const run = promisify(execFile);

/** The data folder of a PostgreSQL, its programs and the user that it runs as. */
export type Cluster = {
  readonly dataDir: string;
  readonly binaries: PostgresBinaries;
  readonly account: Account | undefined;
};

/** The superuser and the hub's database have the same name. */
export const databaseName = 'birdhub';

// Character rules of Unicode, sorted by code point: the same on every system and fast, with no ICU or libc.
const initOptions = [
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  // Nothing connects over a network; so initdb needs no file with the password, which its user could not reach.
  '--auth-local=scram-sha-256',
  '--auth-host=reject',
  `--username=${databaseName}`,
  '--no-instructions',
];

/**
 * How a server's own user finds its data. Another user than this process' need not be allowed to pass the folders
 * above: it is started inside the data folder and stays there. Only Linux has a name for that.
 */
export function placeOf({ dataDir, account }: Omit<Cluster, 'binaries'>): { dataDir: string; cwd: string } {
  if (account === undefined || process.platform !== 'linux') return { dataDir, cwd: '/' };
  return { dataDir: '/proc/self/cwd', cwd: dataDir };
}

export function isCreated({ dataDir }: Cluster): boolean {
  return existsSync(join(dataDir, 'PG_VERSION'));
}

/** Makes the data folder and in it the hub's database: aside, then renamed, so that half a cluster is never found. */
export async function createCluster(cluster: Cluster, password: string): Promise<void> {
  const { dataDir, binaries, account } = cluster;
  const draft = { binaries, account, dataDir: `${dataDir}.new` };
  await rm(draft.dataDir, { recursive: true, force: true });
  await mkdir(draft.dataDir, { mode: 0o700 });
  if (account !== undefined) await chown(draft.dataDir, account.uid, account.gid);
  const place = placeOf(draft);
  await run(binaries.initdb, [...initOptions, `--pgdata=${place.dataDir}`], { ...account, cwd: place.cwd });
  await changePassword(draft, password);
  await runAlone(draft, `CREATE DATABASE ${databaseName}`);
  await rename(draft.dataDir, dataDir);
}

/** Gives the superuser a new password, for when the file that held the old one is lost. */
export async function changePassword(cluster: Cluster, password: string): Promise<void> {
  await runAlone(cluster, `ALTER USER ${databaseName} PASSWORD '${password}'`);
}

/** Runs one statement on a cluster that is not running: no port, no password. */
async function runAlone(cluster: Cluster, statement: string): Promise<void> {
  const { binaries, account } = cluster;
  const { dataDir, cwd } = placeOf(cluster);
  const args = ['--single', '-D', dataDir, '-c', 'exit_on_error=on', 'postgres'];
  const child = spawn(binaries.postgres, args, { ...account, cwd, stdio: ['pipe', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stdin.end(`${statement}\n`);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`PostgreSQL refused to run alone: ${output.trim()}`);
}
