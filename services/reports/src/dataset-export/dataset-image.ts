import type { Box } from '@birdhub/domain/media';
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

/** A picture that is to be made. */
export interface WantedImage {
  readonly recording: DatasetRecording;
  /** From the start of the recording. */
  readonly seconds: number;
  readonly split: Split;
  /** The name of its file without folder and extension, unique in the data set. */
  readonly stem: string;
  readonly labels: readonly [ImageLabel, ...ImageLabel[]];
}

/** A picture of a data set. */
export interface DatasetImage extends WantedImage {
  readonly bytes: Buffer;
}

/** What pictures are chosen by; what is left out is counted. */
export interface Choice {
  readonly classes: ReadonlyMap<number, DatasetClass>;
  readonly splitOf: (visitId: number) => Split;
  readonly skipped: Skipped;
}

/** A detection as the label of a picture. */
export function toLabel(detection: DatasetDetection, box: Box, { classes }: Choice): ImageLabel {
  const found = classes.get(detection.speciesId);
  if (!found) throw new Error(`species ${detection.speciesId} is not in the data set`);
  return { detection, class: found, box };
}
