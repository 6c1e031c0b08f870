import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';

/** There is no ffmpeg on this machine. */
export class FfmpegMissingError extends Error {
  override readonly name = 'FfmpegMissingError';
}

const nice = 10;
const timeoutMs = 120_000;

/**
 * Runs ffmpeg to its end, at low priority.
 * @throws FfmpegMissingError when it is not installed, the reason of the signal, else an error with what ffmpeg said
 */
export async function runFfmpeg(
  program: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', ...(signal && { signal }) } as const;
    const child = execFile(program, args, limits, (cause) => {
      if (!cause) resolve();
      else if (signal?.aborted) reject(signal.reason);
      else if (cause.code === 'ENOENT') reject(new FfmpegMissingError('ffmpeg is not installed', { cause }));
      else reject(cause);
    });
    try {
      if (child.pid !== undefined) setPriority(child.pid, nice);
    } catch {
      // The clip matters more than its priority.
    }
  });
}
