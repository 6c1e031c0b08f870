import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitReady } from '@birdhub/launcher/lifecycle';

/** A process that a test has started. */
export interface TestProcess {
  readonly child: ChildProcess;
  /** Returns its output so far. */
  output(): string;
  /** Sends a signal if the process still runs, and waits until it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Options of {@link startTestProcess}. */
export interface TestProcessStart {
  readonly env?: NodeJS.ProcessEnv;
  /** Called repeatedly with the output so far and the pid. */
  readonly isReady: (output: string, pid: number | undefined) => boolean | Promise<boolean>;
}

const readyTimeoutMs = 30_000;

/**
 * Starts a process and resolves when it is ready. It is killed when the test run exits.
 *
 * @throws with its output when it ends before, and with the code EADDRINUSE when another program has its port
 */
export async function startTestProcess(
  command: string,
  args: readonly string[],
  { env = process.env, isReady }: TestProcessStart,
): Promise<TestProcess> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const killOnExit = () => child.kill('SIGKILL');
  process.once('exit', killOnExit);
  child.once('exit', () => process.off('exit', killOnExit));
  const output = collectOutput(child);
  let failure: string | undefined;
  child.once('error', ({ message }) => {
    failure = message;
  });
  const started = { child, output, stop: (signal?: NodeJS.Signals) => stopProcess(child, signal) };
  try {
    await waitReady({
      what: command,
      isReady: async () => isReady(output(), child.pid),
      findFailure: () => failure ?? (hasEnded(child) ? output() : undefined),
      timeoutMs: readyTimeoutMs,
    });
    return started;
  } catch (error) {
    await started.stop('SIGKILL');
    const code = /address already in use/i.test(output()) ? 'EADDRINUSE' : undefined;
    throw Object.assign(error as Error, { code });
  }
}

/** Collects the output of a process. */
export function collectOutput(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return () => output;
}

/** Returns whether a process has ended. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function stopProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return;
  child.kill(signal);
  await once(child, 'exit');
}
