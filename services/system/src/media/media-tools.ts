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
