import {
  type FrameTools,
  isProgramMissing,
  openMediaFile,
  pathInRecordings,
  videoPathOf,
} from '@birdhub/domain/media';
import type { PostedRecording } from '@birdhub/domain/recordings';
import { firstInstantAt, isDay } from '@birdhub/shared/time';
import { probeMedia } from '../media/media-tools.js';
import { readMp4 } from './read-mp4.js';
import type { FoundVideo, Unreadable } from './recordings-tree.js';

/** Where a video was found, and what its path is interpreted with. */
export interface VideoContext {
  readonly recordingsDir: string;
  readonly ffprobePath: FrameTools['ffprobePath'];
  /** IANA zone of times in paths. */
  readonly zone: string;
  readonly cameras: ReadonlySet<string>;
  readonly now: number;
}

const probeTimeoutMs = 20_000;
/** The limits of what processors post. */
const minStart = Date.UTC(2000, 0, 1);
const maxAheadMs = 86_400_000;
const maxSeconds = 86_400;

const date = /(?<!\d)(20\d\d)([-_./]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])/g;
const time = /(?<!\d)([01]\d|2[0-3])([-_.:]?)([0-5]\d)\2([0-5]\d)(?!\d)/;
const extension = /\.[^./]*$/;

/** Returns the recording to be made of a file, or why it cannot be one. */
export async function describeVideo(
  { path, modifiedMs }: FoundVideo,
  { recordingsDir, ffprobePath, zone, cameras, now }: VideoContext,
): Promise<PostedRecording | Unreadable> {
  if (pathInRecordings(path) !== path)
    return { path, reason: 'it lies in a folder data/recordings within the recordings' };
  const facts = await readFacts(recordingsDir, path, ffprobePath).catch((error: unknown) => {
    if (isProgramMissing(error)) return undefined;
    throw error;
  });
  if (!facts || facts.seconds > maxSeconds) return { path, reason: 'nobody can tell its length' };
  const isLikely = (instant: number) => instant >= minStart && instant <= now + maxAheadMs;
  const known = [readPathTime(path, zone), facts.createdAt].find((at) => at !== undefined && isLikely(at));
  const start = Math.round(known ?? modifiedMs);
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

async function readFacts(recordingsDir: string, path: string, ffprobePath: string) {
  const file = await openMediaFile(recordingsDir, videoPathOf(path));
  if (!file) return undefined;
  try {
    const header = await readMp4(file.handle, file.size);
    if (header) return header;
    const probed = await probeMedia(ffprobePath, { input: file.handle, limitMs: probeTimeoutMs });
    return probed?.seconds === undefined ? undefined : { seconds: probed.seconds, createdAt: undefined };
  } finally {
    await file.handle.close();
  }
}

/**
 * Returns the start of a recording in ms, from the local time in the names of its folders and file:
 * `2026/05/01/081530/video.mp4`, `garden/2026-05-01_08-15-30.mp4` and the like. Of several dates the last one followed by
 * a time counts. Returns undefined when there is none.
 */
export function readPathTime(path: string, zone: string): number | undefined {
  const name = path.replace(extension, '');
  for (const found of [...name.matchAll(date)].reverse()) {
    const local = parseLocalTime(found, name.slice(found.index + found[0].length));
    if (local !== undefined) return firstInstantAt(zone, local);
  }
  return undefined;
}

/** Returns the local time in ms, as if in UTC. */
function parseLocalTime(parts: RegExpMatchArray, rest: string): number | undefined {
  const [, year, , month, day] = parts;
  const [, hour, , minute, second] = time.exec(rest) ?? [];
  const name = `${year}-${month}-${day}`;
  if (hour === undefined || !isDay(name)) return undefined;
  return Date.parse(`${name}T${hour}:${minute}:${second}Z`);
}

/** Returns the camera that a folder of the path is named after; empty when there is none. */
export function readPathCamera(path: string, cameras: ReadonlySet<string>): string {
  return (
    path
      .split('/')
      .slice(0, -1)
      .find((folder) => cameras.has(folder)) ?? ''
  );
}
