import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pathsIn } from '@birdhub/launcher/data-folder';
import { waitReady } from '@birdhub/launcher/lifecycle';
import { createLog } from '@birdhub/launcher/log';
import { natsPasswordFileOf, toNatsUrl } from '@birdhub/launcher/nats-server';
import { passwordFileOf, toDatabaseUrl } from '@birdhub/launcher/postgres-server';
import type { ProcessIdentity } from '@birdhub/launcher/processes';
import { toLocalOrigin } from '@birdhub/launcher/service-addresses';
import { type HubState, type ProcessState, readState, stopLeftovers } from '@birdhub/launcher/state-file';
import { collectOutput, hasEnded } from './test-process.js';

const host = '127.0.0.1';
// Twenty hubs that start at the same time take a minute on two cores.
const startTimeoutMs = 240_000;
const stopTimeoutMs = 20_000;

const mainUrl = pathToFileURL(fileURLToPath(new URL('../../launcher/dist/main.js', import.meta.url)));

/**
 * `npm start` without its set-up and without the developer's `.env`. It stops gracefully when the test run has ended or
 * crashed.
 */
const program = `
  import { main } from ${JSON.stringify(mainUrl.href)};
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  await main({ isWatching: false });`;

/** Variables of the test run's environment that the hub inherits. */
const inheritedVariables = ['PATH', 'HOME', 'LANG', 'TMPDIR'] as const;

/** How a hub is started: its data folder, and variables that override the defaults of tests (UTC). */
export interface HubStart {
  readonly dataDir: string;
  readonly env?: NodeJS.ProcessEnv;
  /** A command to which the command line of the hub is appended, for example one that creates a namespace. */
  readonly command?: readonly string[];
}

/** The address of a hub. */
export interface HubAddress {
  /** With the base path and without a trailing slash. */
  readonly baseUrl: string;
}

/** A real hub in its own processes, on a free port. */
export type TestHub = HubAddress & {
  readonly recordingsDir: string;
  readonly databaseUrl: string;
  readonly natsUrl: string;
  /** Returns the output of the launcher and the services so far. */
  output(): string;
  /** The process that supervises the others. */
  readonly launcherPid: number;
  /** Returns the current state of a process of the hub. @throws when there is none with this name */
  processOf(name: string): ProcessState;
  processes(): readonly ProcessState[];
  /** Sends a process SIGKILL, or another signal. */
  kill(name: string, signal?: NodeJS.Signals): ProcessIdentity;
  /** Waits until the launcher has restarted a process and the hub is ready. */
  waitUntilRestarted(name: string, killed: ProcessIdentity): Promise<void>;
  /** Waits until the hub is ready. */
  waitUntilReady(): Promise<void>;
  /** Stops the hub gracefully, or kills it on timeout; the code is then null. */
  stop(): Promise<{ readonly code: number | null }>;
};

const running = new Map<ChildProcess, string>();

/** Starts the built hub and returns when it is ready. @throws with its output when it ends before that */
export async function startTestHub({ dataDir, env = {}, command = [] }: HubStart): Promise<TestHub> {
  const child = launch(dataDir, env, command);
  const output = collectOutput(child);
  const stateFile = pathsIn(dataDir).state;
  await waitReady({
    what: 'The hub under test',
    isReady: async () => isReadyState(readState(stateFile), child.pid),
    findFailure: () => (hasEnded(child) ? output() : undefined),
    timeoutMs: startTimeoutMs,
  });
  const stateNow = (): HubState => {
    const state = readState(stateFile);
    if (state === undefined) throw new Error(`the hub has no state: ${output()}`);
    return state;
  };
  return describeHub(child, stateNow, output, dataDir, env);
}

/** Stops all hubs that a test file has not stopped itself; for `afterAll`. */
export async function stopTestHubs(): Promise<void> {
  await Promise.all([...running].map(([child, dataDir]) => end(child, dataDir)));
}

/** Returns the log lines of the hub with level error or fatal. */
export function listErrors(hub: Pick<TestHub, 'output'>): string[] {
  return hub
    .output()
    .split('\n')
    .filter((line) => /"level":"(?:error|fatal)"/.test(line));
}

function describeHub(
  child: ChildProcess,
  stateNow: () => HubState,
  output: () => string,
  dataDir: string,
  env: NodeJS.ProcessEnv,
): TestHub {
  const processOf = (name: string): ProcessState => {
    const found = stateNow().processes.find((one) => one.name === name);
    if (found === undefined) throw new Error(`the hub has no process ${name}`);
    return found;
  };
  const gateway = new URL(stateNow().address ?? '');
  const baseUrl = `${toLocalOrigin(env['HOST'] ?? host, Number(gateway.port))}${gateway.pathname.replace(/\/$/, '')}`;
  const readPassword = (file: string) => readFileSync(file, 'utf8').trim();
  const ownDatabaseUrl = () =>
    toDatabaseUrl(
      readPassword(passwordFileOf(pathsIn(dataDir).postgres)),
      processOf('postgres').socket ?? '',
    );
  const ownNatsUrl = () =>
    toNatsUrl(readPassword(natsPasswordFileOf(pathsIn(dataDir).nats)), processOf('nats').port ?? 0);
  return {
    baseUrl,
    recordingsDir: env['RECORDINGS_DIR'] ?? join(dataDir, 'recordings'),
    databaseUrl: env['DATABASE_URL'] ?? ownDatabaseUrl(),
    natsUrl: env['NATS_URL'] ?? ownNatsUrl(),
    output,
    launcherPid: stateNow().launcher.pid,
    processOf,
    processes: () => stateNow().processes,
    kill: (name, signal = 'SIGKILL') => killNow(processOf(name), signal),
    waitUntilRestarted: async (name, killed) => {
      const isBack = () => ![undefined, killed.pid].includes(processOf(name).process?.pid);
      const isReady = async () => isBack() && (await isHealthy(baseUrl));
      await waitReady({ what: name, isReady, timeoutMs: 120_000 });
    },
    waitUntilReady: () =>
      waitReady({ what: 'The hub', isReady: () => isHealthy(baseUrl), timeoutMs: 120_000 }),
    stop: () => end(child, dataDir),
  };
}

function launch(dataDir: string, env: NodeJS.ProcessEnv, command: readonly string[]): ChildProcess {
  const own = Object.fromEntries(inheritedVariables.map((name) => [name, process.env[name]]));
  // Tests call no external service: nothing listens on the discard port.
  const defaults = { HOST: host, PORT: '0', TZ: 'UTC', WIKIPEDIA_API_URL: 'http://127.0.0.1:9' };
  const [file = '', ...args] = [...command, process.execPath, '--input-type=module', '--eval', program];
  const child = spawn(file, args, {
    env: { ...own, ...defaults, ...env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  running.set(child, dataDir);
  child.once('exit', () => running.delete(child));
  return child;
}

// The file may have been written by an earlier launcher.
function isReadyState(state: HubState | undefined, pid: number | undefined): boolean {
  return state?.launcher.pid === pid && state?.readyAt != null;
}

function killNow({ name, process: identity }: ProcessState, signal: NodeJS.Signals): ProcessIdentity {
  if (identity === null) throw new Error(`${name} is not running`);
  process.kill(identity.pid, signal);
  return identity;
}

async function isHealthy(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/api/ui/readiness`, { signal: AbortSignal.timeout(3000) });
    const body = (await response.json()) as { status?: unknown };
    return response.status === 200 && body.status === 'ok';
  } catch {
    return false;
  }
}

async function end(child: ChildProcess, dataDir: string) {
  if (!hasEnded(child)) {
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    child.kill('SIGTERM');
    await once(child, 'exit');
    clearTimeout(timer);
  }
  // A crashed launcher may have left its servers running.
  await stopLeftovers(pathsIn(dataDir).state, createLog('test hub'));
  return { code: child.exitCode };
}
