import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Log } from './log.js';
import { postgresStopSteps } from './postgres-server.js';
import { identifyProcess, isRunning, type ProcessIdentity, stopProcess } from './processes.js';
import { removeLeftoverSocketFolder } from './socket-folder.js';

/** One process of the hub. */
export interface ProcessState {
  readonly name: string;
  /** TCP port. */
  readonly port?: number;
  /** Path of its Unix socket, instead of a port. */
  readonly socket?: string;
  readonly readyUrls: readonly string[];
  /** Null while it is down. */
  readonly process: ProcessIdentity | null;
}

/** The running processes, for `hub status` and for the cleanup after a killed launcher. */
export interface HubState {
  readonly launcher: ProcessIdentity;
  /** Null until the gateway listens on a free port. */
  readonly address: string | null;
  /** RFC 3339; null until the hub was first ready. */
  readonly readyAt: string | null;
  readonly processes: readonly ProcessState[];
}

/** Stores the running processes on disk. After the start a failed write is only logged, for example when the disk is full. */
export class StateFile {
  readonly #file: string;
  readonly #log: Log;
  #state: HubState;

  constructor(file: string, launcher: ProcessIdentity, address: string | null, log: Log) {
    this.#file = file;
    this.#log = log;
    this.#state = { launcher, address, readyAt: null, processes: [] };
    this.#write();
  }

  /** Records the start or end of a process. */
  note(about: Omit<ProcessState, 'process'>, pid: number | undefined): void {
    const process = (pid === undefined ? undefined : identifyProcess(pid)) ?? null;
    const processes = new Map(this.#state.processes.map((one) => [one.name, one]));
    processes.set(about.name, { ...about, process });
    this.#state = { ...this.#state, processes: [...processes.values()] };
    this.#update();
  }

  noteReady(at: Date, address: string): void {
    this.#state = { ...this.#state, address, readyAt: at.toISOString() };
    this.#update();
  }

  remove(): void {
    rmSync(this.#file, { force: true });
  }

  #update(): void {
    try {
      this.#write();
    } catch (error) {
      this.#log.warn({ err: String(error) }, 'the state of the processes is not stored');
    }
  }

  // Replaced atomically, so that readers never see a partial file.
  #write(): void {
    const draft = `${this.#file}.new`;
    writeFileSync(draft, `${JSON.stringify(this.#state, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, this.#file);
  }
}

/** Reads the last state; undefined when there is none. */
export function readState(file: string): HubState | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Stops the processes that a killed launcher left running; its lock must be free or held by the caller. */
export async function stopLeftovers(stateFile: string, log: Log): Promise<void> {
  const processes = readState(stateFile)?.processes ?? [];
  const running = processes.flatMap(({ name, process }) =>
    process !== null && isRunning(process) ? [{ name, process }] : [],
  );
  const stop = async ({ name, process }: (typeof running)[number]) => {
    log.warn({ child: name, pid: process.pid }, 'stopping a process that an earlier launcher left running');
    const first = name === 'postgres' ? postgresStopSteps : [{ signal: 'SIGTERM', waitMs: 5000 } as const];
    await stopProcess(process, [...first, { signal: 'SIGKILL', waitMs: 2000 }]);
  };
  // The database is stopped last, as others may still write.
  await Promise.all(running.filter(({ name }) => name !== 'postgres').map(stop));
  await Promise.all(running.filter(({ name }) => name === 'postgres').map(stop));
  for (const { socket } of processes) if (socket !== undefined) await removeLeftoverSocketFolder(socket);
}
