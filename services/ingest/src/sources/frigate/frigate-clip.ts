import { open, rm, stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { isProgramMissing, runTool, ToolTimeoutError, toolInput } from '@birdhub/domain/media';
import { errorCode } from '@birdhub/shared/errors';
import { type Sentence, say } from '../sentences.js';
import { type FetchOutcome, type Json, UpstreamError } from '../source-kind.js';
import type { FrigateApi, FrigateVersion } from './frigate-api.js';
import { type ClipReference, paddingSeconds } from './map-frigate.js';

/** Dependencies for fetching clips. */
export interface ClipDeps {
  readonly api: FrigateApi;
  readonly version: FrigateVersion;
  readonly ffmpegPath: string;
  /** In ms. */
  readonly now: number;
}

/** Segments are written to disk 10 to 20 s after they were recorded. */
const settleMs = 20_000;
/** After this time, missing footage is not expected any more. */
const maxWaitMs = 15 * 60_000;
/** Longer clips are cut to this length. */
const maxClipSeconds = 30 * 60;
/** Frigate responds with an empty or damaged file when it cannot export a clip. */
const minClipBytes = 512;
const toolLimitMs = 60_000;

/** Parses the stored reference of an event; undefined when it is not one of Frigate. */
export function readReference(value: Json): ClipReference | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { of, id, camera, start, end } = value as Partial<ClipReference>;
  const isWhole = typeof id === 'string' && typeof camera === 'string' && (of === 'review' || of === 'event');
  return isWhole && Number.isFinite(start) && Number.isFinite(end) ? (value as ClipReference) : undefined;
}

/** Fetches the clip of a recording; without one, makes a short video of the best picture. */
export async function fetchClip(
  { api, version, ffmpegPath, now }: ClipDeps,
  reference: ClipReference,
  file: string,
  signal: AbortSignal,
): Promise<FetchOutcome> {
  if (!reference.clip) return fetchPicture(api, ffmpegPath, reference, file, signal);
  const age = now - reference.end * 1000;
  if (age < settleMs && age > -settleMs) {
    const reason = say('frigate_writing');
    return { outcome: 'later', reason, retryAfterMs: settleMs - age };
  }
  const { status, sizeBytes } = await api.downloadClip(toPath(reference, version), file, signal);
  if (status === 200 && sizeBytes >= minClipBytes) return { outcome: 'ready', keepsTimes: isLong(reference) };
  if (status === 200) await rm(file, { force: true });
  if (status === 403) throw new UpstreamError('permission', say('may_not_fetch', { program: 'Frigate' }));
  const isFinal = status === 404 || (age > maxWaitMs && (status === 400 || status === 200));
  if (isFinal) return fetchPicture(api, ffmpegPath, reference, file, signal);
  // Doubles the age: 20, 40, 80 s.
  const retryAfterMs = Math.min(maxWaitMs, Math.max(settleMs, age));
  return { outcome: 'later', reason: laterReason(status), retryAfterMs };
}

function laterReason(status: number): Sentence {
  if (status === 400) return say('frigate_not_on_disk');
  if (status === 200) return say('frigate_empty_clip');
  return say('status', { status, program: 'Frigate' });
}

const isLong = ({ start, end }: ClipReference) => end - start > maxClipSeconds;

/** Returns the path of a clip. Only 0.18 supports clips of review segments. */
function toPath(reference: ClipReference, { major, minor }: FrigateVersion): string {
  const { of, id, camera, start, end } = reference;
  if (of === 'review' && !isLong(reference) && (major > 0 || minor >= 18))
    return `/api/review/${encodeURIComponent(id)}/clip.mp4?padding=${paddingSeconds}`;
  const until = Math.min(end, start + maxClipSeconds);
  return `/api/${encodeURIComponent(camera)}/start/${start}/end/${until}/clip.mp4`;
}

async function fetchPicture(
  api: FrigateApi,
  ffmpegPath: string,
  { snapshot, clip }: ClipReference,
  file: string,
  signal: AbortSignal,
): Promise<FetchOutcome> {
  const reason = clip ? say('frigate_footage_gone') : say('frigate_nothing_kept');
  if (snapshot === null) return { outcome: 'never', reason };
  const picture = `${file}.jpg`;
  try {
    const { status } = await api.downloadSnapshot(snapshot, picture, signal);
    if (status >= 500) return { outcome: 'later', reason: laterReason(status) };
    if (status !== 200) return { outcome: 'never', reason };
    const isMade = await makeClip(ffmpegPath, picture, file, signal);
    return isMade
      ? { outcome: 'ready', keepsTimes: true }
      : { outcome: 'never', reason: say('frigate_no_video') };
  } finally {
    await rm(picture, { force: true });
  }
}

/** Makes a 3 s video of a picture; returns whether that succeeded. */
async function makeClip(
  ffmpegPath: string,
  picture: string,
  file: string,
  signal: AbortSignal,
): Promise<boolean> {
  const input = await open(picture);
  const args = [
    ...['-v', 'quiet', '-protocol_whitelist', 'file', '-f', 'jpeg_pipe', '-i', toolInput],
    // H.264 requires even dimensions.
    ...[
      '-vf',
      'scale=trunc(min(iw\\,1920)/2)*2:-2,tpad=stop_mode=clone:stop_duration=3',
      '-r',
      '5',
      '-t',
      '3',
    ],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-movflags', '+faststart', '-f', 'mp4', '-y', file],
  ];
  let isMade = false;
  try {
    await runTool(ffmpegPath, { args, input, limitMs: toolLimitMs, signal }, text);
    isMade = (await stat(file)).size >= minClipBytes;
    return isMade;
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT';
    if (isMissing || isProgramMissing(error) || error instanceof ToolTimeoutError) return false;
    throw error;
  } finally {
    await input.close();
    if (!isMade) await rm(file, { force: true });
  }
}
