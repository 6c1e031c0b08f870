import { setTimeout as pause } from 'node:timers/promises';
import { statMediaFile, videoPathOf } from '@birdhub/domain/media';
import type { FoundVideo } from './walk-tree.js';

/** What is known of those who may be writing to files. */
export interface Arrivals {
  readonly recordingsDir: string;
  readonly now: number;
  /** Whether a processor was heard from lately: it posts what it has just recorded itself. */
  readonly isProcessorAlive: boolean;
}

const settledMs = 60_000;
/** Whoever writes a video does so more often. */
const quietMs = 3_000;

/** Those of some files that nobody writes to or is about to post. Looks a second time where that is not certain. */
export async function findComplete(
  videos: readonly FoundVideo[],
  { recordingsDir, now, isProcessorAlive }: Arrivals,
): Promise<FoundVideo[]> {
  const isOlder = ({ modifiedMs }: FoundVideo, ms: number) => now - modifiedMs > ms;
  const complete = videos.filter((video) => isOlder(video, isProcessorAlive ? settledMs : quietMs));
  const young = isProcessorAlive ? [] : videos.filter((video) => !isOlder(video, quietMs));
  if (!young.length) return complete;
  await pause(quietMs);
  const again = await Promise.all(young.map(({ path }) => statMediaFile(recordingsDir, videoPathOf(path))));
  const isSame = ({ size, modifiedMs }: FoundVideo, at: number) =>
    again[at]?.size === size && Math.floor(modifiedMs) === again[at]?.modifiedMs;
  return [...complete, ...young.filter(isSame)];
}
