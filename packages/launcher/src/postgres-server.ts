import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { chown, mkdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ChildService } from './child-service.js';
import { readOrCreateSecret } from './data-folder.js';
import { takeLock } from './instance-lock.js';
import { runAll, type Step, startTimeoutMs, waitReady } from './lifecycle.js';
import type { Log } from './log.js';
import {
  type Account,
  ensureReachable,
  findPostgresBinaries,
  findServerAccount,
  type PostgresBinaries,
} from './postgres-binaries.js';
import { identifyProcess, type ProcessIdentity, type StopStep, stopProcess } from './processes.js';
import { openShortPath } from './socket-folder.js';

// PostgreSQL names sockets by port; arbitrary here, as each server has its own socket folder.
const socketNumber = 5432;
const socketName = `.s.PGSQL.${socketNumber}`;

/** "Fast" ends sessions and closes files; "immediate" leaves recovery to the next start. Neither loses data. */
export const postgresStopSteps: readonly StopStep[] = [
  { signal: 'SIGINT', waitMs: 8000 },
  { signal: 'SIGQUIT', waitMs: 2000 },
];

export interface PostgresOptions {
  /** The data folder, created when missing; lock and password are stored next to it. */
  readonly dataDir: string;
  /** The folder of its socket; default: the data folder, which only its user can enter. */
  readonly socketFolder?: string;
  readonly log: Log;
  /** Server settings that override those of the hub. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called after each start and end of the server's process. */
  readonly onChange?: (server: { readonly pid: number | undefined; readonly socket: string }) => void;
  readonly signal?: AbortSignal | undefined;
}

/** A PostgreSQL that is restarted on the same Unix socket when it ends, until `stop`. */
export interface PostgresServer {
  readonly url: string;
  /** Path of the Unix socket. */
  readonly socket: string;
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL and resolves when it accepts connections.
 * @throws LockHeldError when it is already running
 */
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
      // Recovery after a power loss replays up to max_wal_size.
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

/** Returns the password file of the PostgreSQL with this data folder. */
export function passwordFileOf(dataDir: string): string {
  return `${dataDir}.password`;
}

/** Returns the URL of the hub's database in an embedded PostgreSQL on this Unix socket. */
export function toDatabaseUrl(password: string, socket: string): string {
  // The parameter overrides the host, which a URL requires.
  const folder = new URLSearchParams({ host: dirname(socket) });
  return `postgresql://${databaseName}:${password}@localhost:${socketNumber}/${databaseName}?${folder}`;
}

// Relative to the data folder, as the server may not be able to access it by its absolute path. The setting is a list,
// so names are quoted.
const socketSettings = (folder = '.') => ({
  port: String(socketNumber),
  unix_socket_directories: `"${folder.replaceAll('"', '""')}"`,
});

async function makeParent(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o750 });
  // Resolved, because a server process is recognised by its working directory.
  return join(await realpath(dirname(path)), basename(path));
}

async function prepareCluster(dataDir: string, log: Log) {
  const account = await findServerAccount(dataDir);
  const binaries = await ensureReachable(await findPostgresBinaries(), account);
  const cluster: Cluster = { dataDir, binaries, account };
  await clearLeftovers(dataDir, log);
  const { value: password, isNew } = await readOrCreateSecret(passwordFileOf(dataDir));
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
    args: ['-D', place.dataDir, ...toArguments({ ...socketSettings(options.socketFolder), ...settings })],
    user: account,
    cwd: place.cwd,
    stopSteps: postgresStopSteps,
    log,
    onLine: (line) => logPostgresLine(log, line),
    prepare: async () => {
      await clearLeftovers(dataDir, log);
      // The lock of the socket may contain the pid of another program by now.
      for (const file of [socket, `${socket}.lock`]) await rm(file, { force: true });
    },
    onChange: () => onChange?.({ pid: child.pid, socket }),
  });
  return child;
}

/**
 * Cleans up after a killed launcher or a power loss: stops an orphaned server, and removes a `postmaster.pid` whose pid
 * was reused by another program (PostgreSQL would refuse to start). A file whose process has ended is kept: PostgreSQL
 * uses it to check that no session of that server is left.
 */
async function clearLeftovers(dataDir: string, log: Log): Promise<void> {
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

/** Whether the server with this pid accepts connections, as stated in its pid file. */
function isServerReady(dataDir: string, pid: number): boolean {
  const lines = readLines(join(dataDir, 'postmaster.pid'));
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

function findProcess(pidFile: string): ProcessIdentity | undefined {
  const pid = Number(readLines(pidFile)[0]);
  return Number.isInteger(pid) && pid > 0 ? identifyProcess(pid) : undefined;
}

// PostgreSQL runs in its data folder; where working directories are not visible, the pid file is trusted.
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

/**
 * Settings of the embedded PostgreSQL, for a small machine with one application whose data must survive a power cut.
 */
const defaultSettings: Readonly<Record<string, string>> = {
  // No TCP; only the hub's own user can access the Unix socket.
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

/** Returns the command line arguments for these settings, which override the defaults. */
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
 * Logs warnings and errors of PostgreSQL. LOG lines (checkpoints, start, stop) and follow-up lines (DETAIL, STATEMENT)
 * are skipped.
 */
export function logPostgresLine(log: Log, line: string): void {
  const [, label = '', message = ''] = /^([A-Z]+): {2}(.*)$/.exec(line) ?? [];
  const level = postgresLevels[label];
  if (level !== undefined) log[level]({ server: 'postgres', severity: label }, message);
}

const run = promisify(execFile);

/** The data folder of a PostgreSQL, its binaries and its user. */
export interface Cluster {
  readonly dataDir: string;
  readonly binaries: PostgresBinaries;
  readonly account: Account | undefined;
}

/** The name of the superuser and of the hub's database. */
export const databaseName = 'birdhub';

// The builtin Unicode locale sorts by code point: fast, and the same on every system.
const initOptions = [
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  // There are no network connections, so initdb does not need a password file, which its user might not be able to
  // read.
  '--auth-local=scram-sha-256',
  '--auth-host=reject',
  `--username=${databaseName}`,
  '--no-instructions',
];

/**
 * Returns the data folder as seen by the server's user. A different user may not be able to traverse the parent
 * folders, so it is started inside the data folder, which Linux can refer to as `/proc/self/cwd`.
 */
export function placeOf({ dataDir, account }: Omit<Cluster, 'binaries'>): { dataDir: string; cwd: string } {
  if (account === undefined || process.platform !== 'linux') return { dataDir, cwd: '/' };
  return { dataDir: '/proc/self/cwd', cwd: dataDir };
}

export function isCreated({ dataDir }: Cluster): boolean {
  return existsSync(join(dataDir, 'PG_VERSION'));
}

/**
 * Creates the data folder with the hub's database under a temporary name and then renames it, so that an existing one is
 * always complete.
 */
async function createCluster(cluster: Cluster, password: string): Promise<void> {
  const { dataDir, binaries, account } = cluster;
  const draft = { binaries, account, dataDir: `${dataDir}.new` };
  await rm(draft.dataDir, { recursive: true, force: true });
  await mkdir(draft.dataDir, { mode: 0o700 });
  if (account !== undefined) await chown(draft.dataDir, account.uid, account.gid);
  const place = placeOf(draft);
  await run(binaries.initdb, [...initOptions, `--pgdata=${place.dataDir}`], { ...account, cwd: place.cwd });
  await changePassword(draft, password);
  await runSingleUser(draft, `CREATE DATABASE ${databaseName}`);
  await rename(draft.dataDir, dataDir);
}

/** Sets a new password of the superuser, after the password file was lost. */
async function changePassword(cluster: Cluster, password: string): Promise<void> {
  await runSingleUser(cluster, `ALTER USER ${databaseName} PASSWORD '${password}'`);
}

/** Runs one statement in single-user mode on a stopped cluster. */
async function runSingleUser(cluster: Cluster, statement: string): Promise<void> {
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
  if (code !== 0) throw new Error(`PostgreSQL failed in single-user mode: ${output.trim()}`);
}
