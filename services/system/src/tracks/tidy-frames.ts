import type { Frame } from '@birdhub/domain/recordings';
import { areaOf, clampBox, mixBoxes } from './box.js';

/** Boxes a second of what the hub makes. */
export const framesPerSecond = 5;

/** Nobody knows where a bird was that was out of sight for longer. */
const longestGapSeconds = 2;
const leastArea = 1e-6;

const round = (value: number) => Math.round(value * 10_000) / 10_000;

/** Drops what is no box in the picture and what comes twice, keeps what of the others is in it, by time. */
export function cleanFrames(frames: readonly Frame[]): Frame[] {
  const clean = frames
    .filter(({ t, bbox }) => Number.isFinite(t) && t >= 0 && bbox.every(Number.isFinite))
    .map(({ t, bbox }) => ({ t, bbox: clampBox(bbox) }))
    .filter(({ bbox: [x1, y1, x2, y2] }) => x2 > x1 && y2 > y1 && areaOf([x1, y1, x2, y2]) >= leastArea)
    .sort((one, other) => one.t - other.t);
  return clean.filter(({ t }, index) => t !== clean[index - 1]?.t);
}

/** Frames in order of time, cut where a bird was out of sight; no run is empty. */
function toRuns(frames: readonly Frame[]): Frame[][] {
  const runs: Frame[][] = [];
  for (const frame of frames) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && frame.t - last.t <= longestGapSeconds) run.push(frame);
    else runs.push([frame]);
  }
  return runs;
}

/** Boxes of a run at equal steps of time; one that is shorter than a step stays as it is. */
function resampleRun(run: readonly Frame[]): Frame[] {
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
    const bbox = mixBoxes([
      [before.bbox, 1 - part],
      [(after ?? before).bbox, part],
    ]);
    resampled.push({ t, bbox });
  }
  return resampled;
}

/** Each box but the first and last is drawn to its neighbours. */
function smoothRun(run: readonly Frame[]): Frame[] {
  return run.map((frame, index) => {
    const [before, after] = [run[index - 1], run[index + 1]];
    if (!before || !after) return frame;
    const bbox = mixBoxes([
      [before.bbox, 0.25],
      [frame.bbox, 0.5],
      [after.bbox, 0.25],
    ]);
    return { t: frame.t, bbox };
  });
}

/** Boxes of one bird put in order: inside the picture, at equal steps of time, without trembling. */
export function tidyFrames(frames: readonly Frame[]): Frame[] {
  return toRuns(cleanFrames(frames))
    .flatMap((run) => smoothRun(resampleRun(run)))
    .map(({ t, bbox: [x1, y1, x2, y2] }) => ({
      t: round(t),
      bbox: [round(x1), round(y1), round(x2), round(y2)],
    }));
}
