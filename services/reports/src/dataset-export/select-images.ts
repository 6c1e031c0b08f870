import { type Box, chooseFrame, visibleArea } from '@birdhub/domain/media';
import type { Frame } from '@birdhub/domain/recordings';
import { toFileName } from '@birdhub/shared/files';
import type { DatasetDetection, DatasetRecording } from './dataset.store.js';
import {
  type DatasetClass,
  type DatasetPlan,
  type DatasetRequest,
  type Skipped,
  type Split,
  skip,
  splitOf,
} from './dataset-plan.js';

/** A bird in an image. */
export interface ImageLabel {
  readonly detection: DatasetDetection;
  readonly class: DatasetClass;
  /** In the frame of the video. */
  readonly box: Box;
}

/** A selected image, not decoded yet. */
export interface SelectedImage {
  readonly recording: DatasetRecording;
  /** From the start of the recording. */
  readonly seconds: number;
  readonly split: Split;
  /** The name of its file without folder and extension, unique within the data set. */
  readonly stem: string;
  readonly labels: readonly [ImageLabel, ...ImageLabel[]];
}

/** An image of a data set. */
export interface DatasetImage extends SelectedImage {
  readonly bytes: Buffer;
}

/** The criteria of the selection; skipped detections are counted in `skipped`. */
export interface Selection {
  readonly classes: ReadonlyMap<number, DatasetClass>;
  readonly splitOf: (visitId: number) => Split;
  readonly skipped: Skipped;
}

/** Returns the selection of a plan. */
export function toSelection(
  { classes, skipped }: DatasetPlan,
  { splitSeed, valRatio }: DatasetRequest,
): Selection {
  return {
    classes: new Map(classes.map((datasetClass) => [datasetClass.speciesId, datasetClass])),
    splitOf: (visitId) => splitOf(visitId, splitSeed, valRatio),
    skipped,
  };
}

/** Selects an image of each detection, around its largest box, in order of time. */
export function selectCrops(recording: DatasetRecording, selection: Selection): SelectedImage[] {
  const stemOf = createStems(recording.videoId);
  const selected: SelectedImage[] = [];
  for (const detection of recording.detections) {
    const { seconds, box } = chooseFrame(detection);
    const split = selection.splitOf(detection.visitId);
    if (box) {
      const labels = [toLabel(detection, box, selection)] as const;
      selected.push({ recording, seconds, split, stem: stemOf(detection), labels });
    } else skip(selection.skipped, 'no_box');
  }
  return selected.sort((one, other) => one.seconds - other.seconds);
}

/** Returns a function that creates unique names `<video>_<track>_<n>` for detections. */
function createStems(videoId: number): (detection: DatasetDetection) => string {
  const counts = new Map<string, number>();
  return ({ trackId }) => {
    const track = trackId === null ? 'none' : toFileName(trackId);
    const count = (counts.get(track.toLowerCase()) ?? 0) + 1;
    counts.set(track.toLowerCase(), count);
    return `${videoId}_${track}_${count}`;
  };
}

/**
 * Selects the best frame of each detection, with the boxes of all birds in it, in order of time; frames with birds of
 * both splits are skipped.
 */
export function selectFrames(recording: DatasetRecording, selection: Selection): SelectedImage[] {
  const { splitOf, skipped } = selection;
  const selected: SelectedImage[] = [];
  for (const [ms, seconds] of bestMoments(recording, skipped)) {
    const [first, ...others] = recording.detections.flatMap((detection) => {
      const box = boxAt(detection.frames, seconds);
      return box && visibleArea(box) > 0 ? [toLabel(detection, box, selection)] : [];
    });
    const split = first && splitOf(first.detection.visitId);
    if (!first || !split) skip(skipped, 'no_box');
    else if (others.some(({ detection }) => splitOf(detection.visitId) !== split))
      skip(skipped, 'on_both_sides');
    else {
      const stem = `${recording.videoId}_${ms}`;
      selected.push({ recording, seconds, split, stem, labels: [first, ...others] });
    }
  }
  return selected;
}

/** Returns the best moments of detections in ms and seconds, sorted and without duplicates. */
function bestMoments({ detections }: DatasetRecording, skipped: Skipped): [ms: number, seconds: number][] {
  const moments = new Map<number, number>();
  for (const detection of detections) {
    const { seconds, box } = chooseFrame(detection);
    if (box) moments.set(Math.round(seconds * 1_000), seconds);
    else skip(skipped, 'no_box');
  }
  return [...moments].sort(([one], [other]) => one - other);
}

function toLabel(detection: DatasetDetection, box: Box, { classes }: Selection): ImageLabel {
  const found = classes.get(detection.speciesId);
  if (!found) throw new Error(`species ${detection.speciesId} is not in the data set`);
  return { detection, class: found, box };
}

/** A single box is valid this long before and after its time. */
const toleranceSeconds = 0.1;
/** Between boxes further apart, the position is unknown. */
const maxGapSeconds = 1;

/**
 * Returns the box of a bird at a time, interpolated between neighbouring boxes; undefined when it is not visible then.
 */
export function boxAt(frames: readonly Frame[], t: number): Box | undefined {
  const ordered = frames.toSorted((one, other) => one.t - other.t);
  const before = ordered.findLast((frame) => frame.t <= t);
  const after = ordered.find((frame) => frame.t >= t);
  if (before && after && after.t - before.t <= maxGapSeconds) return interpolate(before, after, t);
  return [before, after].find((frame) => frame && Math.abs(frame.t - t) <= toleranceSeconds)?.bbox;
}

function interpolate(before: Frame, after: Frame, t: number): Box {
  const share = after.t > before.t ? (t - before.t) / (after.t - before.t) : 0;
  const mix = (corner: 0 | 1 | 2 | 3) =>
    before.bbox[corner] + (after.bbox[corner] - before.bbox[corner]) * share;
  return [mix(0), mix(1), mix(2), mix(3)];
}
