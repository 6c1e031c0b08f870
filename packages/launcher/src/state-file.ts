import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Log } from './log.js';
import { postgresStopSteps } from './postgres-server.js';
import { identifyProcess, isRunning, type ProcessIdentity, stopProcess } from './processes.js';
import { removeLeftSocketFolder } from './socket-folder.js';

/** One process of the hub. */
export type ProcessState = {
  readonly name: string;
  /** On TCP. */
  readonly port?: number;
  /** Path of the Unix socket that it listens on instead. */
  readonly socket?: string;
  readonly readyUrls: readonly string[];
  /** Null while it is down. */
  readonly process: ProcessIdentity | null;
};

/** What runs, for `hub status`, and for the next start to tidy up after a launcher that was killed. */
export type HubState = {
  readonly launcher: ProcessIdentity;
  /** Null while the gateway has not yet taken a free port. */
  readonly address: string | null;
  /** RFC 3339; null until the hub was ready for the first time. */
  readonly readyAt: string | null;
  readonly processes: readonly ProcessState[];
};

/** Keeps the state on disk in step with what runs. */
export class StateFile {
  readonly #file: string;
  #state: HubState;

  constructor(file: string, launcher: ProcessIdentity, address: string | null) {
    this.#file = file;
    this.#state = { launcher, address, readyAt: null, processes: [] };
    this.#write();
  }

  /** Notes that a process came up or went down. */
  note(about: Omit<ProcessState, 'process'>, pid: number | undefined): void {
    const process = (pid === undefined ? undefined : identifyProcess(pid)) ?? null;
    const processes = new Map(this.#state.processes.map((one) => [one.name, one]));
    processes.set(about.name, { ...about, process });
    this.#state = { ...this.#state, processes: [...processes.values()] };
    this.#write();
  }

  noteReady(at: Date, address: string): void {
    this.#state = { ...this.#state, address, readyAt: at.toISOString() };
    this.#write();
  }

  remove(): void {
    rmSync(this.#file, { force: true });
  }

  // Replaced whole, so that a reader never sees half of it.
  #write(): void {
    const draft = `${this.#file}.new`;
    writeFileSync(draft, `${JSON.stringify(this.#state, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, this.#file);
  }
}

/** The state as last written; undefined when there is none. */
export function readState(file: string): HubState | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Stops the processes that a killed launcher left running; its lock must be held or free. */
export async function stopLeftovers(stateFile: string, log: Log): Promise<void> {
  const processes = readState(stateFile)?.processes ?? [];
  const running = processes.flatMap(({ name, process }) =>
    process !== null && isRunning(process) ? [{ name, process }] : [],
  );
  const stop = async ({ name, process }: (typeof running)[number]) => {
    log.warn({ child: name, pid: process.pid }, 'stopping what an earlier launcher left running');
    const first = name === 'postgres' ? postgresStopSteps : [{ signal: 'SIGTERM', waitMs: 5000 } as const];
    await stopProcess(process, [...first, { signal: 'SIGKILL', waitMs: 2000 }]);
  };
  // The database goes last: what still runs may want to write.
  await Promise.all(running.filter(({ name }) => name !== 'postgres').map(stop));
  await Promise.all(running.filter(({ name }) => name === 'postgres').map(stop));
  for (const { socket } of processes) if (socket !== undefined) await removeLeftSocketFolder(socket);
}
