import type { Box } from '../detection-crop/choose-frame.js';
import type { Crops } from '../detection-crop/crops.js';
import type { DatasetDetection, DatasetRecording } from './dataset.store.js';
import type { DatasetClass, Skipped } from './plan-dataset.js';
import type { Split } from './split-visits.js';

/** A bird in a picture. */
export interface ImageLabel {
  readonly detection: DatasetDetection;
  readonly class: DatasetClass;
  /** In the frame of the video. */
  readonly box: Box;
}

/** A picture of a data set. */
export interface DatasetImage {
  readonly recording: DatasetRecording;
  readonly split: Split;
  /** The name of its file without folder and extension, unique in the data set. */
  readonly stem: string;
  readonly bytes: Buffer;
  readonly labels: readonly [ImageLabel, ...ImageLabel[]];
}

/** What pictures are made with. */
export interface ImageSource {
  readonly crops: Crops;
  readonly classes: ReadonlyMap<number, DatasetClass>;
  readonly splitOf: (visitId: number) => Split;
  readonly skipped: Skipped;
  readonly signal: AbortSignal;
}

/** Makes the pictures of a recording, and counts what is left out. */
export type ReadImages = (recording: DatasetRecording, source: ImageSource) => AsyncGenerator<DatasetImage>;

/** How many pictures are in memory at once. */
export const imagesAtOnce = 32;

/** A detection as the label of a picture. */
export function toLabel(
  detection: DatasetDetection,
  box: Box,
  classes: ReadonlyMap<number, DatasetClass>,
): ImageLabel {
  const found = classes.get(detection.speciesId);
  if (!found) throw new Error(`species ${detection.speciesId} is not in the data set`);
  return { detection, class: found, box };
}

/** A list in parts of at most so many. */
export function* inParts<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}
