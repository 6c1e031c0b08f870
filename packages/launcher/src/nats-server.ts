import { readFileSync } from 'node:fs';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ChildService } from './child-service.js';
import { readOrCreateSecret } from './data-folder.js';
import { findTool } from './find-tool.js';
import { takeLock } from './instance-lock.js';
import { runAll, type Step, startTimeoutMs, waitReady } from './lifecycle.js';
import type { Log } from './log.js';
import { identifyProcess, type StopStep, stopProcess } from './processes.js';

export interface NatsOptions {
  /**
   * Folder of JetStream's streams, created when missing; its lock, password and configuration are stored next to it.
   */
  readonly storeDir: string;
  /** A port that it must not use. */
  readonly reservedPort?: number;
  readonly log: Log;
  /** Called after each start and end of the server's process, and when its port changes. */
  readonly onChange?: (server: { readonly pid: number | undefined; readonly port: number }) => void;
  /** Called when its port changes, as the previous one was taken while it was down. */
  readonly onMove?: () => void;
  readonly signal?: AbortSignal | undefined;
}

/** A nats-server that is restarted when it ends, until `stop`: on the same port, or on another one if that is taken. */
export interface NatsServer {
  /** URL with user and password. */
  readonly url: string;
  readonly port: number;
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

const stopSteps: readonly StopStep[] = [{ signal: 'SIGTERM', waitMs: 2000 }];

/** Starts nats-server and resolves when JetStream is ready. @throws LockHeldError when another one uses this folder */
export async function startNats(options: NatsOptions): Promise<NatsServer> {
  await mkdir(options.storeDir, { recursive: true, mode: 0o750 });
  const storeDir = await realpath(options.storeDir);
  const lock = takeLock(`${storeDir}.lock`);
  const undo: Step[] = [lock.release];
  try {
    await clearLeftover(storeDir, options.log);
    const { value: password } = await readOrCreateSecret(natsPasswordFileOf(storeDir));
    const { child, port } = superviseServer(storeDir, await writeConfiguration(storeDir, password), options);
    undo.unshift(() => child.stop());
    await child.start();
    await waitReady({
      what: 'nats-server',
      isReady: async () => port() !== undefined && hasJetStream(port() ?? 0),
      timeoutMs: startTimeoutMs,
      findFailure: () => (child.crashesInRow >= 3 ? child.lastLines.join(' | ') : undefined),
      signal: options.signal,
    });
    return {
      get url() {
        return toNatsUrl(password, port() ?? 0);
      },
      get port() {
        return port() ?? 0;
      },
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

/** Returns the password file of the nats-server with this store. */
export function natsPasswordFileOf(storeDir: string): string {
  return `${storeDir}.password`;
}

/** Returns the URL of an embedded nats-server on this port. */
export function toNatsUrl(password: string, port: number): string {
  return `nats://${userName}:${password}@127.0.0.1:${port}`;
}

const userName = 'birdhub';

/**
 * More than the stream of the hub reserves. By default it would depend on the free disk space, and a server that starts on
 * a full disk would not open the stream.
 */
const maxFileStore = '1GB';

// Passed in a private file, as all users of a machine can read command lines.
async function writeConfiguration(storeDir: string, password: string): Promise<string> {
  const file = `${storeDir}.conf`;
  const lines = [
    `authorization { user: "${userName}", password: "${password}" }`,
    `jetstream { max_file_store: ${maxFileStore} }`,
  ];
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return file;
}

const anyPort = -1;

function superviseServer(storeDir: string, configuration: string, options: NatsOptions) {
  const { log, reservedPort, onChange, onMove } = options;
  let wanted = anyPort;
  let port: number | undefined;

  function readLine(line: string): void {
    logNatsLine(log, line);
    if (line.includes('address already in use')) wanted = anyPort;
    const [, listening] = /Listening for client connections on \S+:(\d+)$/.exec(line) ?? [];
    if (listening !== undefined) noteListening(Number(listening));
  }

  function noteListening(now: number): void {
    if (now === reservedPort) return void child.restart();
    const before = port;
    port = now;
    wanted = now;
    onChange?.({ pid: child.pid, port });
    if (before !== undefined && before !== now) onMove?.();
  }

  const child: ChildService = new ChildService({
    name: 'nats',
    command: findTool('nats-server'),
    args: () => {
      const address = ['-a', '127.0.0.1', '-p', String(wanted)];
      return ['-c', configuration, '-js', '-sd', storeDir, ...address, '-P', pidFileOf(storeDir)];
    },
    stopSteps,
    log,
    onLine: readLine,
    onChange: () => onChange?.({ pid: child.pid, port: port ?? 0 }),
  });
  return { child, port: () => port };
}

const pidFileOf = (storeDir: string) => join(storeDir, 'nats-server.pid');

// nats-server does not lock its store, and two servers must not write to it.
async function clearLeftover(storeDir: string, log: Log): Promise<void> {
  const pid = Number(readText(pidFileOf(storeDir)));
  const leftover = Number.isInteger(pid) && pid > 0 ? identifyProcess(pid) : undefined;
  if (leftover === undefined || !isServerOf(storeDir, pid)) return;
  log.warn({ pid }, 'stopping the nats-server that an earlier launcher left running');
  await stopProcess(leftover, [...stopSteps, { signal: 'SIGKILL', waitMs: 2000 }]);
}

// Where the arguments of other processes are not visible, the pid file is trusted.
function isServerOf(storeDir: string, pid: number): boolean {
  const commandLine = readText(`/proc/${pid}/cmdline`);
  return commandLine === '' ? process.platform !== 'linux' : commandLine.split('\0').includes(storeDir);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Whether the server's INFO message reports JetStream; the server only listens once its streams are recovered. */
function hasJetStream(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1000 });
    socket.once('data', (greeting) => {
      resolve(/^INFO .*"jetstream":true/.test(greeting.toString('utf8')));
      socket.destroy();
    });
    socket.on('timeout', () => socket.destroy());
    socket.on('error', () => resolve(false));
    socket.on('close', () => resolve(false));
  });
}

const natsLevels: Readonly<Record<string, keyof Log>> = { WRN: 'warn', ERR: 'warn', FTL: 'error' };

/** Logs warnings and errors of nats-server. */
export function logNatsLine(log: Log, line: string): void {
  // The plaintext password is in a file that only its owner can read.
  if (line.includes('Plaintext passwords detected')) return;
  const [, label = '', message = ''] = /\[(WRN|ERR|FTL)\] (.*)$/.exec(line) ?? [];
  const level = natsLevels[label];
  if (level !== undefined) log[level]({ server: 'nats', severity: label }, message);
}
