import { readFileSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ChildService } from './child-service.js';
import { findTool } from './find-tool.js';
import { findFreePort } from './free-port.js';
import { takeLock } from './instance-lock.js';
import type { Log } from './log.js';
import { identifyProcess } from './process-identity.js';
import { runAll, type Step } from './run-all.js';
import { passNatsLine } from './server-lines.js';
import { type StopStep, stopProcess } from './stop-process.js';
import { waitReady } from './wait-ready.js';

export type NatsOptions = {
  /** Where JetStream keeps its streams. Made when missing; its lock stands beside it. */
  readonly storeDir: string;
  readonly port?: number;
  readonly log: Log;
  /** Told after each start and each end of the server's process. */
  readonly onChange?: (server: { readonly pid: number | undefined; readonly port: number }) => void;
  readonly signal?: AbortSignal | undefined;
};

/** A nats-server that is started again on the same port when it ends by itself, until `stop`. */
export type NatsServer = {
  readonly url: string;
  readonly port: number;
  readonly pid: number | undefined;
  stop(): Promise<void>;
};

const stopSteps: readonly StopStep[] = [{ signal: 'SIGTERM', waitMs: 2000 }];

/** Starts nats-server and returns when JetStream is ready. @throws LockHeldError when it already runs on this folder */
export async function startNats(options: NatsOptions): Promise<NatsServer> {
  await mkdir(options.storeDir, { recursive: true });
  const storeDir = await realpath(options.storeDir);
  const lock = takeLock(`${storeDir}.lock`);
  const undo: Step[] = [lock.release];
  try {
    await clearLeftover(storeDir, options.log);
    const port = options.port ?? (await findFreePort());
    const child = superviseServer(storeDir, port, options);
    undo.unshift(() => child.stop());
    await child.start();
    await waitReady({
      what: 'nats-server',
      isReady: () => hasJetStream(port),
      timeoutMs: 60_000,
      findFailure: () => (child.crashesInRow >= 3 ? child.lastLines.join(' | ') : undefined),
      signal: options.signal,
    });
    return {
      url: `nats://127.0.0.1:${port}`,
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

function superviseServer(storeDir: string, port: number, { log, onChange }: NatsOptions): ChildService {
  const address = ['-a', '127.0.0.1', '-p', String(port)];
  const child: ChildService = new ChildService({
    name: 'nats',
    command: findTool('nats-server'),
    args: ['-js', '-sd', storeDir, ...address, '-P', pidFileOf(storeDir)],
    stopSteps,
    log,
    onLine: (line) => passNatsLine(log, line),
    onChange: () => onChange?.({ pid: child.pid, port }),
  });
  return child;
}

const pidFileOf = (storeDir: string) => join(storeDir, 'nats-server.pid');

// Two servers must not write the same store, and nats-server itself does not lock it.
async function clearLeftover(storeDir: string, log: Log): Promise<void> {
  const pid = Number(readText(pidFileOf(storeDir)));
  const leftover = Number.isInteger(pid) && pid > 0 ? identifyProcess(pid) : undefined;
  if (leftover === undefined || !isServerOf(storeDir, pid)) return;
  log.warn({ pid }, 'stopping the nats-server that an earlier launcher left running');
  await stopProcess(leftover, [...stopSteps, { signal: 'SIGKILL', waitMs: 2000 }]);
}

// Where other programs' arguments cannot be seen, the file is taken at its word.
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

/** The server greets each connection with what it offers; it listens once its streams are recovered. */
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
