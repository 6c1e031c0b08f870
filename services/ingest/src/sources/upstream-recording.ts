import { createHash } from 'node:crypto';
import { isRecordingPath, sourceVideoPath } from '@birdhub/domain/media';
import {
  type Frame,
  maxRecordingMs,
  type PostedDetection,
  type PostedRecording,
  slackSeconds,
} from '@birdhub/domain/recordings';
import { normaliseSpeciesName } from '@birdhub/domain/species';
import { dayMs } from '@birdhub/shared/time';
import { isName, toStorable } from '../plain-text.js';
import { checkInstant } from '../recordings/recording-body.js';
import { type Sentence, say } from './sentences.js';
import type { StoredEvent } from './source-events.store.js';
import type { UpstreamEvent } from './source-kind.js';
import type { StoredSource } from './sources.store.js';

const openRereadMs = 30_000;
const maxNameLength = 200;
const maxCameraLength = 64;
const maxIdLength = 512;
const maxDetections = 1_000;
const maxFrames = 5_000;
const maxExtraLength = 65_536;
/** Maximum difference of a file's span from the posted one without posting again. */
const maxStartShiftMs = 250;
const maxEndShiftMs = 1_000;

/** Removes control characters and lone surrogates. */
function cleanText(text: unknown, maxLength: number): string {
  const plain = String(text ?? '')
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return plain.slice(0, maxLength).toWellFormed().trim();
}

/** Returns an event with storable texts and a span of at most a day, or the reason to skip it. */
export function cleanEvent(event: UpstreamEvent, now: number): UpstreamEvent | Sentence {
  const { upstreamId, start } = event;
  if (
    upstreamId === '' ||
    upstreamId.length > maxIdLength ||
    upstreamId !== cleanText(upstreamId, maxIdLength)
  )
    return say('bad_id');
  const problem = Number.isFinite(start) ? checkInstant(start, now) : 'cannot be read';
  if (problem !== undefined) return say('bad_time');
  const end = Number.isFinite(event.end) ? Math.max(start, event.end) : start;
  const isTooLong = (event.isOpen ? Math.max(end, now) : end) - start > maxRecordingMs;
  const { extra } = event;
  const isLarge = JSON.stringify(extra).length > maxExtraLength;
  return {
    ...event,
    start: Math.round(start),
    end: Math.round(isTooLong ? start + maxRecordingMs : end),
    isOpen: event.isOpen && !isTooLong,
    camera: cleanText(event.camera, maxNameLength),
    processorVersion: cleanText(event.processorVersion, maxNameLength) || 'unknown',
    extra: isLarge ? {} : extra,
    media: event.media && isRecordingPath(`clip${event.media.extension}`) ? event.media : undefined,
  };
}

/** Returns the camera of an event in the hub. */
export function cameraOf(
  { camera }: Pick<UpstreamEvent, 'camera'>,
  { options }: Pick<StoredSource, 'options'>,
): string {
  const mapped = Object.hasOwn(options.cameras, camera) ? options.cameras[camera] : undefined;
  return cleanText(mapped || [options.cameraPrefix, camera].filter(Boolean).join('/'), maxCameraLength);
}

/** Returns the path of the recording of a new event. */
export function pathOf(
  { upstreamId, start, media }: UpstreamEvent,
  { id: sourceId }: Pick<StoredSource, 'id'>,
): string {
  return sourceVideoPath({
    sourceId,
    upstreamId,
    start,
    extension: media?.extension.toLowerCase() ?? '.mp4',
  });
}

/**
 * Returns the span of the file of an event in ms, by its length and, if known, the instant in its middle; undefined
 * when it equals the stored span.
 */
export function clipSpanOf(
  event: Pick<StoredEvent, 'start' | 'end' | 'clipStart' | 'clipEnd'>,
  seconds: number | undefined,
  middle?: number,
): { readonly start: number; readonly end: number } | undefined {
  if (seconds === undefined) return undefined;
  const before = { start: event.clipStart ?? event.start, end: event.clipEnd ?? event.end };
  const clipStart = middle === undefined ? before.start : middle - seconds * 500;
  const isShifted = Math.abs(clipStart - before.start) > maxStartShiftMs;
  const start = Math.round(isShifted ? clipStart : before.start);
  const end = start + Math.round(seconds * 1000);
  const isOther = isShifted || Math.abs(end - before.end) > maxEndShiftMs;
  return isOther && end - start <= maxRecordingMs ? { start, end } : undefined;
}

/** The context of a recording. */
export interface RecordingContext {
  readonly source: Pick<StoredSource, 'id' | 'name' | 'kind' | 'options'>;
  readonly stored: Pick<StoredEvent, 'cameraId' | 'videoPath' | 'videoId' | 'clipStart' | 'clipEnd'>;
  /** Whether its file exists or is expected. */
  readonly hasFile: boolean;
}

/**
 * Returns the recording of a cleaned event; its detections may be empty. The minimum confidence does not apply to
 * detections that a person reviewed, nor to stored recordings.
 */
export function toRecording(
  event: UpstreamEvent,
  { source, stored, hasFile }: RecordingContext,
): PostedRecording {
  const start = stored.clipStart ?? event.start;
  const end = Math.max(start, stored.clipEnd ?? event.end);
  const shift = (event.start - start) / 1000;
  const seconds = (end - start) / 1000;
  const { minConfidence = 0 } = source.options;
  const detections = event.detections
    .slice(0, maxDetections)
    .flatMap((detection) => toDetection(detection, shift, seconds) ?? [])
    .filter(({ confidence, reviewed }) => reviewed || stored.videoId !== null || confidence >= minConfidence);
  return {
    processorVersion: event.processorVersion,
    start,
    end,
    videoPath: stored.videoPath,
    cameraId: stored.cameraId,
    spectrogramPath: null,
    triggerSource: source.kind,
    extra: toStorable({ ...event.extra, source: { id: source.id } }) as Record<string, unknown>,
    detections,
    ...(!hasFile && { hasFile }),
  };
}

const finite = (value: number, fallback: number) => (Number.isFinite(value) ? value : fallback);
const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);
const hundredth = (seconds: number) => Math.round(seconds * 100) / 100;

function toDetection(given: PostedDetection, shift: number, seconds: number): PostedDetection | undefined {
  const speciesName = normaliseSpeciesName(cleanText(given.speciesName, maxNameLength));
  if (!isName(speciesName)) return undefined;
  const startOffset = hundredth(clamp(finite(given.startOffset, 0) + shift, 0, seconds));
  const endOffset = hundredth(clamp(finite(given.endOffset, seconds) + shift, startOffset, seconds));
  return {
    ...given,
    speciesName,
    confidence: clamp(finite(given.confidence, 0), 0, 1),
    startOffset,
    endOffset,
    trackId: given.trackId === null ? null : cleanText(given.trackId, maxCameraLength) || null,
    provider: given.provider === null ? null : cleanText(given.provider, maxNameLength) || null,
    frames: given.frames.slice(0, maxFrames).flatMap((frame) => toFrame(frame, shift, seconds) ?? []),
    extra: given.extra && (toStorable(given.extra) as Record<string, unknown>),
  };
}

function toFrame({ t, bbox }: Frame, shift: number, seconds: number): Frame | undefined {
  const at = t + shift;
  if (!(at >= 0 && at <= seconds + slackSeconds) || !bbox.every(Number.isFinite)) return undefined;
  const [x1, y1, x2, y2] = bbox.map((value) => clamp(value, -0.05, 1.05)) as [number, number, number, number];
  return { t: hundredth(at), bbox: [x1, y1, x2, y2] };
}

/** Returns a digest of a recording, which detects unchanged events. */
export function fingerprintOf(recording: PostedRecording): string {
  return createHash('sha1').update(JSON.stringify(recording)).digest('hex');
}

/**
 * Returns when an event is read again, in ms; undefined for never: every 30 s while it is in progress; after its end as
 * its kind defines; then once a day, as users may verify it upstream.
 */
export function nextReread(
  { isOpen, end, rereadAfterMs }: Pick<UpstreamEvent, 'isOpen' | 'end' | 'rereadAfterMs'>,
  rereadDays: number,
  now: number,
): number | undefined {
  if (isOpen) return now + openRereadMs;
  const next = rereadAfterMs.map((afterMs) => end + afterMs).filter((at) => at > now);
  if (next.length) return Math.min(...next);
  return end > now - rereadDays * dayMs ? now + dayMs : undefined;
}
