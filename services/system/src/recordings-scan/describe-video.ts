import type { FileHandle } from 'node:fs/promises';
import { jobProblem } from '@birdhub/domain/jobs';
import {
  type FrameTools,
  isProgramMissing,
  openMediaFile,
  pathInRecordings,
  videoPathOf,
} from '@birdhub/domain/media';
import {
  maxAheadMs,
  maxRecordingMs,
  minRecordingStart,
  type PostedRecording,
} from '@birdhub/domain/recordings';
import type { FoundVideo, Unreadable } from '@birdhub/domain/storage';
import { firstInstantAt, isDay } from '@birdhub/shared/time';
import { probeMedia } from '../media/media-tools.js';

/** A found video and the context for interpreting its path. */
export interface VideoContext {
  readonly recordingsDir: string;
  readonly ffprobePath: FrameTools['ffprobePath'];
  /** IANA zone of times in paths. */
  readonly zone: string;
  readonly cameras: ReadonlySet<string>;
  readonly now: number;
}

const probeTimeoutMs = 20_000;

const date = /(?<!\d)(20\d\d)([-_./]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])/g;
const time = /(?<!\d)([01]\d|2[0-3])([-_.:]?)([0-5]\d)\2([0-5]\d)(?!\d)/;
const extension = /\.[^./]*$/;

/** Returns the recording of a file, or why it is skipped. */
export async function describeVideo(
  { path, modifiedMs }: FoundVideo,
  { recordingsDir, ffprobePath, zone, cameras, now }: VideoContext,
): Promise<PostedRecording | Unreadable> {
  if (pathInRecordings(path) !== path) return { path, reason: jobProblem('nested_folder') };
  const facts = await readFacts(recordingsDir, path, ffprobePath).catch((error: unknown) => {
    if (isProgramMissing(error)) return undefined;
    throw error;
  });
  if (!facts || facts.seconds * 1000 > maxRecordingMs) return { path, reason: jobProblem('length_unknown') };
  const isPlausible = (instant: number) => instant >= minRecordingStart && instant <= now + maxAheadMs;
  const knownStart = [readPathTime(path, zone), facts.createdAt].find(
    (at) => at !== undefined && isPlausible(at),
  );
  const start = Math.round(knownStart ?? modifiedMs);
  if (!isPlausible(start)) return { path, reason: jobProblem('time_unknown') };
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
 * Returns the start of a recording in ms from the local time in its path: `2026/05/01/081530/video.mp4`,
 * `garden/2026-05-01_08-15-30.mp4` and the like. The last date followed by a time counts. Returns undefined without
 * one.
 */
export function readPathTime(path: string, zone: string): number | undefined {
  const name = path.replace(extension, '');
  for (const found of [...name.matchAll(date)].reverse()) {
    const local = parseLocalTime(found, name.slice(found.index + found[0].length));
    if (local !== undefined) return firstInstantAt(zone, local);
  }
  return undefined;
}

/** Returns the local time in ms, as if it were UTC. */
function parseLocalTime(parts: RegExpMatchArray, rest: string): number | undefined {
  const [, year, , month, day] = parts;
  const [, hour, , minute, second] = time.exec(rest) ?? [];
  const name = `${year}-${month}-${day}`;
  if (hour === undefined || !isDay(name)) return undefined;
  return Date.parse(`${name}T${hour}:${minute}:${second}Z`);
}

/** Returns the camera whose id is a folder of the path; empty without one. */
export function readPathCamera(path: string, cameras: ReadonlySet<string>): string {
  return (
    path
      .split('/')
      .slice(0, -1)
      .find((folder) => cameras.has(folder)) ?? ''
  );
}

/** Facts from the header of an MP4 file (ISO/IEC 14496-12). */
export interface Mp4Facts {
  readonly seconds: number;
  /** When it was created, in ms; undefined when unknown. */
  readonly createdAt: number | undefined;
}

interface Box {
  readonly type: string;
  /** Offsets of its content and of the next box. */
  readonly start: number;
  readonly end: number;
}

const maxBoxes = 1_000;
/** The epoch of MP4. */
const epochMs = Date.UTC(1904, 0, 1);
const minCreatedAt = Date.UTC(2000, 0, 1);

async function read(handle: FileHandle, at: number, length: number): Promise<Buffer | undefined> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, at);
  return bytesRead === length ? buffer : undefined;
}

async function readBox(handle: FileHandle, at: number, limit: number): Promise<Box | undefined> {
  const head = await read(handle, at, 8);
  if (!head) return undefined;
  const type = head.toString('latin1', 4);
  const short = head.readUInt32BE(0);
  if (short === 0) return { type, start: at + 8, end: limit };
  if (short !== 1) return short < 8 ? undefined : { type, start: at + 8, end: at + short };
  const long = await read(handle, at + 8, 8);
  const end = long ? at + Number(long.readBigUInt64BE(0)) : at;
  return end < at + 16 ? undefined : { type, start: at + 16, end };
}

/** Finds a box by type; undefined when there is none, or a box exceeds its parent. */
async function findBox(
  handle: FileHandle,
  type: string,
  { start, end }: Pick<Box, 'start' | 'end'>,
): Promise<Box | undefined> {
  let found: Box | undefined;
  for (let at = start, count = 0; at < end && count < maxBoxes; count += 1) {
    const box = await readBox(handle, at, end);
    if (!box || box.end > end) return undefined;
    if (box.type === type) found ??= box;
    at = box.end;
  }
  return found;
}

function readMovieHeader(content: Buffer): Mp4Facts | undefined {
  const isLong = content.readUInt8(0) === 1;
  const created = isLong ? Number(content.readBigUInt64BE(4)) : content.readUInt32BE(4);
  const scale = content.readUInt32BE(isLong ? 20 : 12);
  const duration = isLong ? Number(content.readBigUInt64BE(24)) : content.readUInt32BE(16);
  const isUnknown = duration === 0 || duration >= (isLong ? 2 ** 63 : 2 ** 32 - 1);
  if (scale === 0 || isUnknown) return undefined;
  const createdAt = epochMs + created * 1000;
  return { seconds: duration / scale, createdAt: createdAt >= minCreatedAt ? createdAt : undefined };
}

/**
 * Reads duration and creation time of a complete MP4 file. Returns undefined for other and incomplete files, and when
 * the header has no duration.
 */
export async function readMp4(handle: FileHandle, size: number): Promise<Mp4Facts | undefined> {
  const first = await readBox(handle, 0, size);
  if (first?.type !== 'ftyp') return undefined;
  const movie = await findBox(handle, 'moov', { start: 0, end: size });
  const header = movie && (await findBox(handle, 'mvhd', movie));
  const content = header && (await read(handle, header.start, Math.min(header.end - header.start, 32)));
  return content && content.length >= 20 && content.length >= (content.readUInt8(0) === 1 ? 32 : 20)
    ? readMovieHeader(content)
    : undefined;
}
