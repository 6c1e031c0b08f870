import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';

/** Thrown when ffmpeg is not installed. */
export class FfmpegMissingError extends Error {
  override readonly name = 'FfmpegMissingError';
}

const nice = 10;
const timeoutMs = 120_000;

/**
 * Runs ffmpeg at low priority and waits for its end.
 * @throws FfmpegMissingError when it is not installed, the reason of the signal, or an error with the output of ffmpeg
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
      // Lowering the priority is best effort.
    }
  });
}
