import { createGate, type Gate } from '@birdhub/shared/gate';
import type { FrameTools } from '@birdhub/shared/media';

/** The programs that look into recordings, and how many of them run at once. */
export interface MediaTools extends FrameTools {
  readonly gate: Gate;
}

/** One for all who share a machine. */
export function createMediaTools({ ffmpegPath, ffprobePath }: FrameTools, mostAtOnce: number): MediaTools {
  return { ffmpegPath, ffprobePath, gate: createGate(mostAtOnce) };
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
