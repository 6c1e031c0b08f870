import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const execArgv = ['--conditions=hub:source', '--import', 'tsx'];

/** A program of the benchmarks in its own process, with its own event loop. */
export interface JobProcess {
  readonly pid: number;
  stop(): Promise<void>;
}

function start(file: URL, args: readonly string[]): ChildProcess {
  return fork(fileURLToPath(file), args, { execArgv, serialization: 'advanced' });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  if (child.connected) child.disconnect();
  await ended;
}

/** Returns the first message of a child. @throws when it exits without one */
function firstMessage<T>(child: ChildProcess, file: URL): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T));
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`${file.pathname} ended with ${code} before it responded`)),
    );
  });
}

/** Starts the server of a limit and returns its origin. */
export async function startServer(
  file: URL,
  args: readonly string[],
): Promise<JobProcess & { origin: string }> {
  const child = start(file, args);
  const { origin } = await firstMessage<{ origin: string }>(child, file);
  return { pid: child.pid ?? 0, origin, stop: () => stop(child) };
}

/** Runs a job in its own process and returns its result. */
export async function runJob<Job extends object, Result>(file: URL, job: Job): Promise<Result> {
  const child = start(file, []);
  try {
    child.send(job);
    const response = await firstMessage<{ result: Result } | { error: string }>(child, file);
    if ('error' in response) throw new Error(response.error);
    return response.result;
  } finally {
    await stop(child);
  }
}
