import { chooseFrame } from '../detection-crop/choose-frame.js';
import { toFileName } from '../file-name.js';
import type { DatasetDetection, DatasetRecording } from './dataset.store.js';
import {
  type DatasetImage,
  type ImageLabel,
  type ImageSource,
  imagesAtOnce,
  inParts,
  toLabel,
} from './dataset-image.js';
import { skip } from './plan-dataset.js';

interface Wanted {
  readonly seconds: number;
  readonly label: ImageLabel;
}

function chooseCrops(recording: DatasetRecording, { classes, skipped }: ImageSource): Wanted[] {
  const wanted: Wanted[] = [];
  for (const detection of recording.detections) {
    const { seconds, box } = chooseFrame(detection);
    if (box) wanted.push({ seconds, label: toLabel(detection, box, classes) });
    else skip(skipped, 'no_box');
  }
  return wanted.sort((one, other) => one.seconds - other.seconds);
}

/** Names `<video>_<track>_<n>`, each once. */
function createStems(videoId: number): (detection: DatasetDetection) => string {
  const counts = new Map<string, number>();
  return ({ trackId }) => {
    const track = trackId === null ? 'none' : toFileName(trackId);
    const count = (counts.get(track.toLowerCase()) ?? 0) + 1;
    counts.set(track.toLowerCase(), count);
    return `${videoId}_${track}_${count}`;
  };
}

/** One picture of each detection, around its largest box. */
export async function* readCropImages(
  recording: DatasetRecording,
  source: ImageSource,
): AsyncGenerator<DatasetImage> {
  const { videoId, videoPath } = recording;
  const { crops, splitOf, skipped, signal } = source;
  const stemOf = createStems(videoId);
  for (const part of inParts(chooseCrops(recording, source), imagesAtOnce)) {
    const keys = part.map(({ seconds, label }) => {
      return { videoId, detectionId: label.detection.id, seconds, box: label.box };
    });
    const pictures = await crops.read(videoPath, keys, signal);
    if (!pictures) {
      skip(skipped, 'media_missing', part.length);
      continue;
    }
    for (const [at, { label }] of part.entries()) {
      const bytes = pictures[at];
      const { detection } = label;
      const split = splitOf(detection.visitId);
      if (bytes) yield { recording, split, stem: stemOf(detection), bytes, labels: [label] };
      else skip(skipped, 'undecodable');
    }
  }
}
