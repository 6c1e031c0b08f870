import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Log } from './log.js';
import type { StopStep } from './processes.js';

/** How a child process is started, observed and stopped. */
export interface ChildSpec {
  readonly name: string;
  readonly command: string;
  /** Evaluated at each start, like the environment. */
  readonly args: readonly string[] | (() => readonly string[]);
  readonly env?: () => NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The user to run as; default: that of this process. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** Node.js children get an IPC channel, by which they notice when this process dies. */
  readonly hasChannel?: boolean;
  readonly stopSteps: readonly StopStep[];
  readonly log: Log;
  readonly onLine: (line: string) => void;
  /** Runs before each start, including restarts after a crash. */
  readonly prepare?: () => Promise<void> | void;
  /** Called after each start and each end. */
  readonly onChange?: () => void;
  /** Called with messages of a Node.js child. */
  readonly onMessage?: (message: unknown) => void;
}

/** A child process that is restarted when it ends, until it is stopped. */
export class ChildService {
  readonly name: string;
  readonly #spec: ChildSpec;
  #process: ChildProcess | undefined;
  #isWanted = false;
  #stops = 0;
  #startedAtMs = 0;
  #crashesInRow = 0;
  #retry: NodeJS.Timeout | undefined;
  #lastLines: string[] = [];

  constructor(spec: ChildSpec) {
    this.name = spec.name;
    this.#spec = spec;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get crashesInRow(): number {
    return this.#crashesInRow;
  }

  /** The last ten lines of its output, for the error message when it does not start. */
  get lastLines(): readonly string[] {
    return this.#lastLines;
  }

  async start(): Promise<void> {
    this.#isWanted = true;
    await this.#spec.prepare?.();
    if (this.#isWanted) this.#spawn();
  }

  /** Stops the child; escalates to the next signal when it takes too long. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    this.#stops += 1;
    clearTimeout(this.#retry);
    const child = this.#process;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    for (const { signal, waitMs } of this.#spec.stopSteps) {
      child.kill(signal);
      if (await within(ended, waitMs)) return;
      this.#spec.log.warn({ child: this.name, signal, wait_ms: waitMs }, 'child did not stop in time');
    }
    child.kill('SIGKILL');
    await ended;
  }

  /** Restarts the child, unless `stop` is called meanwhile. */
  async restart(): Promise<void> {
    const stops = this.#stops + 1;
    await this.stop();
    if (this.#stops !== stops) return;
    this.#crashesInRow = 0;
    await this.start();
  }

  #spawn(): void {
    const { command, args, env, cwd, user, hasChannel, onChange, onMessage } = this.#spec;
    this.#startedAtMs = Date.now();
    const child = spawn(command, typeof args === 'function' ? args() : args, {
      ...(env === undefined ? {} : { env: env() }),
      ...(cwd === undefined ? {} : { cwd }),
      ...user,
      // In its own process group, so that Ctrl-C in a terminal reaches only the launcher, which stops in order.
      detached: true,
      stdio: hasChannel === true ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    this.#listen(child.stdout);
    this.#listen(child.stderr);
    if (onMessage !== undefined) child.on('message', onMessage);
    child.on('error', (error) => {
      this.#keep(error.message);
      // A program that could not be spawned emits no exit event.
      if (child.pid === undefined) this.#ended(null, null);
    });
    child.on('exit', (code, signal) => this.#ended(code, signal));
    onChange?.();
  }

  #ended(code: number | null, signal: NodeJS.Signals | null): void {
    this.#process = undefined;
    if (this.#isWanted) this.#retryLater(code, signal);
    this.#spec.onChange?.();
  }

  #retryLater(code: number | null, signal: NodeJS.Signals | null): void {
    this.#crashesInRow = countCrash(this.#crashesInRow, Date.now() - this.#startedAtMs);
    const waitMs = backoffMs(this.#crashesInRow);
    const crash = {
      child: this.name,
      code,
      signal,
      crashes_in_row: this.#crashesInRow,
      restart_in_ms: waitMs,
    };
    this.#spec.log.error(crash, 'child exited unexpectedly, restarting');
    this.#retry = setTimeout(() => {
      this.start().catch((error: unknown) => {
        this.#keep(String(error));
        if (this.#isWanted) this.#retryLater(null, null);
      });
    }, waitMs);
  }

  #listen(stream: Readable | null): void {
    if (stream === null) return;
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      this.#keep(line);
      this.#spec.onLine(line);
    });
  }

  #keep(line: string): void {
    this.#lastLines = [...this.#lastLines.slice(-9), line];
  }
}

async function within(event: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const ended = await Promise.race([event.then(() => true as const), late]);
  clearTimeout(timer);
  return ended;
}

const minBackoffMs = 500;
const maxBackoffMs = 30_000;

/** After this uptime the crash count is reset. */
const steadyAfterMs = 60_000;

/** Returns the number of consecutive crashes after another one, by the uptime before it. */
export function countCrash(before: number, upMs: number): number {
  return upMs >= steadyAfterMs ? 1 : before + 1;
}

/**
 * Returns the delay before the next start: 0.5 s after the first crash, doubled with each further one, at most 30 s.
 */
export function backoffMs(crashesInRow: number): number {
  return Math.min(maxBackoffMs, minBackoffMs * 2 ** Math.max(0, crashesInRow - 1));
}
