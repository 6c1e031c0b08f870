import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { pathsIn } from '@birdhub/launcher/data-folder';
import { passwordFileOf, toDatabaseUrl } from '@birdhub/launcher/postgres-server';
import { type ProcessState, readState } from '@birdhub/launcher/state-file';
import type { Roots } from './process-groups.js';
import { signalOnExit } from './signal-on-exit.js';

/** A hub that was started like with `npm start`. */
export interface HubProcess {
  /** Origin of the gateway. */
  readonly origin: string;
  /** Returns the origin of a service behind the gateway: a URL, or `unix:/path`. @throws when it is not a separate process */
  originOf(service: string): string;
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** The launcher and its child processes. */
  readonly roots: Roots;
  /** From the start of the process to "ready", in s. */
  readonly startSeconds: number;
  stop(): Promise<void>;
}

export interface HubStart {
  /** The checkout that is started. */
  readonly repository: string;
  readonly dataDir: string;
  readonly isSingleProcess?: boolean;
  /** Size of the response cache in megabytes, when it differs from the default. */
  readonly answerCacheMb?: number;
}

/** The secret between gateway and services; the runner bypasses the gateway. */
export const internalSecret = 'bench-internal-secret';

const readyLine = /^Birdhub is ready at /m;
const keptOutput = 8_000;

function launch({ repository, dataDir, isSingleProcess = false, answerCacheMb }: HubStart) {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    BASE_PATH: '',
    INTERNAL_SECRET: internalSecret,
    // No external service is called: nothing listens on the discard port.
    WIKIPEDIA_API_URL: 'http://127.0.0.1:9',
    HUB_SINGLE_PROCESS: isSingleProcess ? '1' : '',
    ...(answerCacheMb !== undefined && { ANSWER_CACHE_MB: String(answerCacheMb) }),
  };
  for (const name of [
    'DATABASE_URL',
    'DATABASE_READ_URL',
    'NATS_URL',
    'RECORDINGS_DIR',
    'PROCESSOR_SECRET',
  ]) {
    delete env[name];
  }
  return spawn(process.execPath, ['packages/launcher/start.mjs'], {
    cwd: repository,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Waits until the hub reports that it is ready. @throws with the last output when the process exits before */
function waitUntilReady(child: ReturnType<typeof launch>): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    let isReady = false;
    const read = (chunk: Buffer) => {
      if (isReady) return;
      output = (output + chunk).slice(-keptOutput);
      isReady = readyLine.test(output);
      if (isReady) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`the hub ended with ${code} before it was ready:\n${output}`)),
    );
  });
}

/** In hubs before 0.1.1, PostgreSQL listens on a loopback port. */
function databaseUrlOf(password: string, { socket, port }: ProcessState): string {
  if (socket !== undefined) return toDatabaseUrl(password, socket);
  return `postgresql://birdhub:${password}@127.0.0.1:${port}/birdhub`;
}

/** Starts a hub with its launcher and resolves when it is ready. */
export async function startHub(start: HubStart): Promise<HubProcess> {
  const startedAt = performance.now();
  const child = launch(start);
  const isUp = () => child.exitCode === null && child.signalCode === null;
  signalOnExit(() => (isUp() ? child.pid : undefined), 'SIGTERM');
  await waitUntilReady(child);
  const startSeconds = (performance.now() - startedAt) / 1000;
  const places = pathsIn(start.dataDir);
  const processes = readState(places.state)?.processes ?? [];
  const processOf = (name: string) => {
    const found = processes.find((one) => one.name === name);
    if (!found) throw new Error(`the hub has no process "${name}"`);
    return found;
  };
  const originOf = (name: string) => {
    const { socket, port } = processOf(name);
    return socket === undefined ? `http://127.0.0.1:${port}` : `unix:${socket}`;
  };
  const password = (await readFile(passwordFileOf(places.postgres), 'utf8')).trim();
  const running = processes.flatMap(({ name, process: own }): [string, number][] =>
    own ? [[name, own.pid]] : [],
  );
  const stop = async () => {
    if (!isUp()) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return {
    origin: originOf(start.isSingleProcess ? 'services' : 'gateway'),
    originOf,
    databaseUrl: databaseUrlOf(password, processOf('postgres')),
    dataDir: start.dataDir,
    roots: new Map([['launcher', child.pid ?? 0], ...running]),
    startSeconds,
    stop,
  };
}
