import closeWithGrace from 'close-with-grace';
import { ConfigError } from '../config/index.js';
import { giveMemoryBackAtRest } from './memory-at-rest.js';

/** Where a service listens, as its process tells the one that started it. */
export interface ServiceAddress {
  readonly name: string;
  /** Absent when it listens on a Unix socket. */
  readonly port?: number;
  readonly opsPort: number;
}

/** What a service process sends over its channel to the process that started it, once it listens. */
export interface ListeningMessage {
  readonly listening: readonly ServiceAddress[];
}

/** A service that listens. */
export interface RunningService {
  readonly name: string;
  readonly url: string;
  readonly opsUrl: string;
  /** Of this service, or of all that are in its process. */
  readonly addresses: readonly ServiceAddress[];
  /** Answers what is in flight, stops listening, lets go of database and broker. */
  close(): Promise<void>;
}

const graceMs = 8_000;

/** One sentence for what whoever starts a service can put right, the stack for everything else. */
function describeFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { syscall, code, address, port, stack } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  if (syscall !== 'listen' || port === undefined) return stack ?? String(error);
  return `Port ${port} of ${address} cannot be listened on (${code}), most likely another program has it: set PORT or OPS_PORT to another one.`;
}

/** Runs one service as a process: starts it, and closes it in order on a signal or when its parent is gone. */
export async function runService(
  start: (env: NodeJS.ProcessEnv) => Promise<RunningService>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  try {
    const service = await start(env);
    const { close } = closeWithGrace({ delay: graceMs, logger: false }, () => service.close());
    process.once('disconnect', close);
    const message: ListeningMessage = { listening: service.addresses };
    if (process.connected) process.send?.(message);
    giveMemoryBackAtRest();
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = 1;
    setImmediate(() => process.exit());
  }
}
