import {
  type FrameTools,
  isProgramMissing,
  openMediaFile,
  pathInRecordings,
  videoPathOf,
} from '@birdhub/domain/media';
import type { PostedRecording } from '@birdhub/domain/recordings';
import { probeMedia } from '../media/probe-media.js';
import { readMp4 } from './read-mp4.js';
import { readPathCamera, readPathTime } from './read-path.js';
import type { FoundVideo, Unreadable } from './walk-tree.js';

/** Where a video was found, and what its path may tell. */
export interface VideoSurroundings {
  readonly recordingsDir: string;
  readonly ffprobePath: FrameTools['ffprobePath'];
  /** IANA zone that times in paths are told in. */
  readonly zone: string;
  readonly cameras: ReadonlySet<string>;
  readonly now: number;
}

const probeLimitMs = 20_000;
/** As for what processors post. */
const earliest = Date.UTC(2000, 0, 1);
const mostAheadMs = 86_400_000;
const longestSeconds = 86_400;

async function readFacts(recordingsDir: string, path: string, ffprobePath: string) {
  const file = await openMediaFile(recordingsDir, videoPathOf(path));
  if (!file) return undefined;
  try {
    const told = await readMp4(file.handle, file.size);
    if (told) return told;
    const probed = await probeMedia(ffprobePath, { input: file.handle, limitMs: probeLimitMs });
    return probed?.seconds === undefined ? undefined : { seconds: probed.seconds, createdAt: undefined };
  } finally {
    await file.handle.close();
  }
}

/** The recording that a file without one is of, or why it cannot be one. */
export async function describeVideo(
  { path, modifiedMs }: FoundVideo,
  { recordingsDir, ffprobePath, zone, cameras, now }: VideoSurroundings,
): Promise<PostedRecording | Unreadable> {
  if (pathInRecordings(path) !== path)
    return { path, reason: 'it lies in a folder data/recordings within the recordings' };
  const facts = await readFacts(recordingsDir, path, ffprobePath).catch((error: unknown) => {
    if (isProgramMissing(error)) return undefined;
    throw error;
  });
  if (!facts || facts.seconds > longestSeconds) return { path, reason: 'nobody can tell its length' };
  const isLikely = (instant: number) => instant >= earliest && instant <= now + mostAheadMs;
  const told = [readPathTime(path, zone), facts.createdAt].find((at) => at !== undefined && isLikely(at));
  const start = Math.round(told ?? modifiedMs);
  if (!isLikely(start)) return { path, reason: 'nobody can tell its time' };
  return {
    processorVersion: '',
    start,
    end: start + Math.round(facts.seconds * 1000),
    videoPath: videoPathOf(path),
    cameraId: readPathCamera(path, cameras),
    spectrogramPath: null,
    triggerSource: 'scan',
    extra: null,
    detections: [],
  };
}
