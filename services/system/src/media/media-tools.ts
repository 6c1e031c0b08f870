import type { FrameTools } from '@birdhub/domain/media';
import pLimit, { type LimitFunction } from 'p-limit';

/** The programs that look into recordings, and how many of them run at once. */
export interface MediaTools extends FrameTools {
  readonly limit: LimitFunction;
}

/** One for all who share a machine. */
export function createMediaTools({ ffmpegPath, ffprobePath }: FrameTools, maxAtOnce: number): MediaTools {
  return { ffmpegPath, ffprobePath, limit: pLimit(maxAtOnce) };
}
