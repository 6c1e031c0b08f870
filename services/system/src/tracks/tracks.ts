import type { Frame } from '@birdhub/domain/recordings';

/** Corners x1, y1, x2, y2 as fractions of the picture. */
export type Box = Frame['bbox'];

/** A span of a recording in seconds from its start. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A detection without boxes. */
export interface UnlocatedDetection extends Span {
  readonly id: number;
}

/** Boxes per second of tracks created by the hub. */
export const framesPerSecond = 5;

/** Across longer gaps the position is unknown. */
const maxGapSeconds = 2;
const minArea = 1e-6;

/** Returns the frames of one bird, clipped to the picture, resampled at equal steps and smoothed. */
export function tidyFrames(frames: readonly Frame[]): Frame[] {
  return splitAtGaps(cleanFrames(frames))
    .flatMap((run) => smooth(resample(run)))
    .map(({ t, bbox: [x1, y1, x2, y2] }) => ({
      t: round(t),
      bbox: [round(x1), round(y1), round(x2), round(y2)],
    }));
}

/** Returns the valid frames by time, clipped to the picture, without duplicates. */
export function cleanFrames(frames: readonly Frame[]): Frame[] {
  const clean = frames
    .filter(({ t, bbox }) => Number.isFinite(t) && t >= 0 && bbox.every(Number.isFinite))
    .map(({ t, bbox }) => ({ t, bbox: clamp(bbox) }))
    .filter(({ bbox: [x1, y1, x2, y2] }) => x2 > x1 && y2 > y1 && areaOf([x1, y1, x2, y2]) >= minArea)
    .sort((one, other) => one.t - other.t);
  return clean.filter(({ t }, index) => t !== clean[index - 1]?.t);
}

/** Splits frames into non-empty runs without long gaps. */
function splitAtGaps(frames: readonly Frame[]): Frame[][] {
  const runs: Frame[][] = [];
  for (const frame of frames) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && frame.t - last.t <= maxGapSeconds) run.push(frame);
    else runs.push([frame]);
  }
  return runs;
}

/** Resamples the boxes of a run at equal steps of time; a run shorter than a step is not changed. */
function resample(run: readonly Frame[]): Frame[] {
  const first = Math.ceil((run[0]?.t ?? 0) * framesPerSecond);
  const last = Math.floor((run.at(-1)?.t ?? 0) * framesPerSecond);
  if (last <= first) return [...run];
  const resampled: Frame[] = [];
  let at = 0;
  for (let step = first; step <= last; step += 1) {
    const t = step / framesPerSecond;
    while ((run[at + 1]?.t ?? Number.POSITIVE_INFINITY) <= t) at += 1;
    const [before, after] = [run[at], run[at + 1]];
    if (!before) continue;
    const part = after ? (t - before.t) / (after.t - before.t) : 0;
    const bbox = mix([
      [before.bbox, 1 - part],
      [(after ?? before).bbox, part],
    ]);
    resampled.push({ t, bbox });
  }
  return resampled;
}

/** Averages each box, except the first and last, with its neighbours. */
function smooth(run: readonly Frame[]): Frame[] {
  return run.map((frame, index) => {
    const [before, after] = [run[index - 1], run[index + 1]];
    if (!before || !after) return frame;
    const bbox = mix([
      [before.bbox, 0.25],
      [frame.bbox, 0.5],
      [after.bbox, 0.25],
    ]);
    return { t: frame.t, bbox };
  });
}

/**
 * Assigns to each detection the track that overlaps it longest. A track never belongs to two detections at the same
 * time.
 */
export function assignTracks(
  detections: readonly UnlocatedDetection[],
  tracks: readonly (readonly Frame[])[],
): Map<number, Frame[]> {
  const pairs = detections
    .flatMap((detection) =>
      tracks.map((track) => ({ detection, track, seconds: overlap(detection, spanOf(track)) })),
    )
    .filter(({ seconds }) => seconds > 0)
    .sort((one, other) => other.seconds - one.seconds);
  const ownersByTrack = new Map<readonly Frame[], UnlocatedDetection[]>();
  const assigned = new Map<number, Frame[]>();
  for (const { detection, track } of pairs) {
    const owners = ownersByTrack.get(track) ?? [];
    if (assigned.has(detection.id) || owners.some((owner) => overlap(owner, detection) > 0)) continue;
    const frames = track.filter(({ t }) => t >= detection.start && t <= detection.end);
    if (!frames.length) continue;
    ownersByTrack.set(track, [...owners, detection]);
    assigned.set(detection.id, frames);
  }
  return assigned;
}

function overlap(one: Span, other: Span): number {
  return Math.min(one.end, other.end) - Math.max(one.start, other.start);
}

function spanOf(track: readonly Frame[]): Span {
  return { start: track[0]?.t ?? 0, end: track.at(-1)?.t ?? 0 };
}

/** Returns the intersection of two boxes over their union. */
export function iou(one: Box, other: Box): number {
  const common = areaOf([
    Math.max(one[0], other[0]),
    Math.max(one[1], other[1]),
    Math.min(one[2], other[2]),
    Math.min(one[3], other[3]),
  ]);
  const all = areaOf(one) + areaOf(other) - common;
  return all > 0 ? common / all : 0;
}

/** Returns 0 when the corners are swapped. */
function areaOf([x1, y1, x2, y2]: Box): number {
  return Math.max(0, x2 - x1) * Math.max(0, y2 - y1);
}

function clamp(box: Box): Box {
  const [x1, y1, x2, y2] = box.map((fraction) => Math.min(1, Math.max(0, fraction)));
  return [x1 ?? 0, y1 ?? 0, x2 ?? 0, y2 ?? 0];
}

/** Returns the weighted mean of boxes; the weights add up to 1. */
function mix(weighted: readonly (readonly [box: Box, weight: number])[]): Box {
  const corner = (index: 0 | 1 | 2 | 3) =>
    weighted.reduce((sum, [box, weight]) => sum + box[index] * weight, 0);
  return [corner(0), corner(1), corner(2), corner(3)];
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
