import { spawn } from 'node:child_process';
import type { FileHandle } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import type { Readable } from 'node:stream';

/** How a tool such as ffmpeg is run. */
export interface ToolRun {
  readonly args: readonly string[];
  /** What the tool reads as {@link toolInput}: the file that was looked at, whatever its path has come to name. */
  readonly input: FileHandle;
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether somebody waits for it: it then runs as all else does. */
  readonly isUrgent?: boolean;
  /** Reads what the tool writes to {@link secondOutput}, where it writes there as well. */
  readonly readSecond?: (output: Readable) => Promise<void>;
}

/** Where a tool finds its input. */
export const toolInput = '/dev/fd/3';

/** Where a tool that has two outputs writes the other one. */
export const secondOutput = 'pipe:4';

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

/** Nice value of a tool: behind everything that answers requests. */
const toolNice = 10;

/** Lowers the priority of a process as far as the system allows; one that is lower already keeps it. */
function lowerPriority(pid: number): void {
  try {
    if (getPriority(pid) < toolNice) setPriority(pid, toolNice);
  } catch {
    // The tool then runs as it is: its result matters more than its priority.
  }
}

/**
 * Runs a tool, at low priority unless somebody waits, and has its output read to the end. How it ends says nothing: of a damaged file some
 * output is better than none.
 * @throws ToolTimeoutError, the reason of an abort, or an error when the tool is not there
 */
export async function runTool<T>(
  command: string,
  { args, input, limitMs, signal, isUrgent = false, readSecond }: ToolRun,
  read: (output: Readable) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const late = AbortSignal.timeout(limitMs);
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'ignore', input.fd, ...(readSecond ? (['pipe'] as const) : [])],
    signal: signal ? AbortSignal.any([signal, late]) : late,
    killSignal: 'SIGKILL',
  });
  if (child.pid !== undefined && !isUrgent) lowerPriority(child.pid);
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject).once('close', () => resolve());
  });
  try {
    // Both outputs are there for certain, the types of them do not say so.
    const second = readSecond?.(child.stdio[4] as Readable);
    const [result] = await Promise.all([read(child.stdout as Readable), second, ended]);
    return result;
  } catch (error) {
    signal?.throwIfAborted();
    if (late.aborted) throw new ToolTimeoutError(`${command} took longer than ${limitMs} ms`);
    throw error;
  } finally {
    child.kill('SIGKILL');
  }
}
