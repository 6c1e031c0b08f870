import { spawn } from 'node:child_process';
import type { FileHandle } from 'node:fs/promises';
import { setPriority } from 'node:os';
import type { Readable } from 'node:stream';

/** How a tool such as ffmpeg is run. */
export interface ToolRun {
  readonly args: readonly string[];
  /** What the tool reads as {@link toolInput}: the file that was looked at, whatever its path has come to name. */
  readonly input: FileHandle;
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Where a tool finds its input. */
export const toolInput = '/dev/fd/3';

/** A tool that took longer than it may, and was ended. */
export class ToolTimeoutError extends Error {
  override readonly name = 'ToolTimeoutError';
}

/** Whether an error says that a program is not installed. */
export function isProgramMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    'syscall' in error &&
    typeof error.syscall === 'string' &&
    error.syscall.startsWith('spawn')
  );
}

/** Behind everything that answers requests. */
const lowPriority = 10;

/**
 * Runs a tool at low priority and has its output read to the end. How it ends says nothing: of a damaged file some
 * output is better than none.
 * @throws ToolTimeoutError, the reason of an abort, or an error when the tool is not there
 */
export async function runTool<T>(
  command: string,
  { args, input, limitMs, signal }: ToolRun,
  read: (output: Readable) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const late = AbortSignal.timeout(limitMs);
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'ignore', input.fd],
    signal: signal ? AbortSignal.any([signal, late]) : late,
    killSignal: 'SIGKILL',
  });
  if (child.pid !== undefined) setPriority(child.pid, lowPriority);
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject).once('close', () => resolve());
  });
  try {
    // stdio has three places for certain, the type of it does not say so.
    const [result] = await Promise.all([read(child.stdout as Readable), ended]);
    return result;
  } catch (error) {
    signal?.throwIfAborted();
    if (late.aborted) throw new ToolTimeoutError(`${command} took longer than ${limitMs} ms`);
    throw error;
  } finally {
    child.kill('SIGKILL');
  }
}
