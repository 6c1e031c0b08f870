import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** There is no ffmpeg on this machine. */
export class FfmpegMissingError extends Error {
  override readonly name = 'FfmpegMissingError';
}

/**
 * Runs ffmpeg to its end.
 *
 * @throws FfmpegMissingError when it is not installed, else an error with what ffmpeg said
 */
export async function runFfmpeg(args: readonly string[], signal?: AbortSignal): Promise<void> {
  try {
    await run('ffmpeg', args, signal === undefined ? {} : { signal });
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') {
      throw new FfmpegMissingError('ffmpeg is not installed', { cause });
    }
    throw cause;
  }
}
