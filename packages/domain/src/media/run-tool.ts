import { spawn } from 'node:child_process';
import type { FileHandle } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { withAnySignal } from '@birdhub/shared/async';

/** One run of a tool such as ffmpeg. */
export interface ToolRun {
  readonly args: readonly string[];
  /** The file that the tool reads as {@link toolInput}; an open file, because its path may name another one by now. */
  readonly input: FileHandle;
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether a request is waiting for the result; the priority of the tool is then not lowered. */
  readonly isUrgent?: boolean;
  /** Reads what the tool writes to {@link secondOutput}, for a tool with two outputs. */
  readonly readSecond?: (output: Readable) => Promise<void>;
}

/** The input file, timeout and signal of a run. */
export type ToolWork = Omit<ToolRun, 'args'>;

/** The path by which a tool opens its input. */
export const toolInput = '/dev/fd/3';

/** The URL of the second output of a tool, in the notation of ffmpeg. */
export const secondOutput = 'pipe:4';

/** Options before each input, so that an uploaded file cannot make a tool open other files or addresses. */
export const restrictedInput = [
  ...['-protocol_whitelist', 'file'],
  ...['-format_whitelist', 'mov,mp4,matroska,webm,wav,mp3,flac,ogg,aac'],
];

/** Thrown when a tool exceeds its time limit and is killed. */
export class ToolTimeoutError extends Error {
  override readonly name = 'ToolTimeoutError';
}

/** Returns whether an error means that a program is not installed. */
export function isProgramMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    'syscall' in error &&
    typeof error.syscall === 'string' &&
    error.syscall.startsWith('spawn')
  );
}

/** Nice value of tools, which have a lower priority than everything that serves requests. */
const toolNice = 10;

/** Lowers the priority of a process as far as the system allows. */
function lowerPriority(pid: number): void {
  try {
    if (getPriority(pid) < toolNice) setPriority(pid, toolNice);
  } catch {
    // Lowering the priority is best effort.
  }
}

/**
 * Runs a tool, at low priority unless it is urgent, and reads its output to the end. The exit code is ignored, because
 * for a damaged file partial output is better than none.
 * @throws ToolTimeoutError, the reason of an abort, or an error when the tool is missing
 */
export async function runTool<T>(
  command: string,
  run: ToolRun,
  read: (output: Readable) => Promise<T>,
): Promise<T> {
  const { limitMs, signal } = run;
  signal?.throwIfAborted();
  const late = AbortSignal.timeout(limitMs);
  try {
    return await withAnySignal([signal, late], (ended) => readTool(command, { ...run, signal: ended }, read));
  } catch (error) {
    signal?.throwIfAborted();
    if (late.aborted) throw new ToolTimeoutError(`${command} took longer than ${limitMs} ms`);
    throw error;
  }
}

async function readTool<T>(
  command: string,
  { args, input, signal, isUrgent = false, readSecond }: ToolRun,
  read: (output: Readable) => Promise<T>,
): Promise<T> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'ignore', input.fd, ...(readSecond ? (['pipe'] as const) : [])],
    ...(signal && { signal }),
    killSignal: 'SIGKILL',
  });
  if (child.pid !== undefined && !isUrgent) lowerPriority(child.pid);
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject).once('close', () => resolve());
  });
  try {
    // Both are pipes because of `stdio`, which the types do not express.
    const second = readSecond?.(child.stdio[4] as Readable);
    const [result] = await Promise.all([read(child.stdout as Readable), second, ended]);
    return result;
  } finally {
    child.kill('SIGKILL');
  }
}
