import closeWithGrace from 'close-with-grace';
import { ConfigError } from '../config/index.js';
import { giveMemoryBackAtRest } from './memory-at-rest.js';

/** A service that listens. */
export interface RunningService {
  readonly name: string;
  readonly url: string;
  readonly opsUrl: string;
  /** Answers what is in flight, stops listening, lets go of database and broker. */
  close(): Promise<void>;
}

const graceMs = 8_000;

/** Runs one service as a process: starts it, and closes it in order on a signal or when its parent is gone. */
export async function runService(
  start: (env: NodeJS.ProcessEnv) => Promise<RunningService>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  try {
    const service = await start(env);
    const { close } = closeWithGrace({ delay: graceMs, logger: false }, () => service.close());
    process.once('disconnect', close);
    giveMemoryBackAtRest();
  } catch (error) {
    process.stderr.write(`${error instanceof ConfigError ? error.message : (error as Error).stack}\n`);
    process.exitCode = 1;
    setImmediate(() => process.exit());
  }
}
