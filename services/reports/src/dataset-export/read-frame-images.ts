import { chooseFrame, visibleArea } from '../detection-crop/choose-frame.js';
import { boxAt } from './box-at.js';
import type { DatasetRecording } from './dataset.store.js';
import { type DatasetImage, type ImageSource, imagesAtOnce, inParts, toLabel } from './dataset-image.js';
import { skip } from './plan-dataset.js';

type Wanted = Omit<DatasetImage, 'bytes'> & { readonly seconds: number };

/** The frame in which each detection is seen best, with all birds in it. */
function chooseFrames(recording: DatasetRecording, source: ImageSource): Wanted[] {
  const { classes, splitOf, skipped } = source;
  const times = new Map<number, number>();
  for (const detection of recording.detections) {
    const { seconds, box } = chooseFrame(detection);
    if (box) times.set(Math.round(seconds * 1_000), seconds);
    else skip(skipped, 'no_box');
  }
  const wanted: Wanted[] = [];
  for (const [ms, seconds] of [...times].sort(([one], [other]) => one - other)) {
    const [first, ...others] = recording.detections.flatMap((detection) => {
      const box = boxAt(detection.frames, seconds);
      return box && visibleArea(box) > 0 ? [toLabel(detection, box, classes)] : [];
    });
    if (!first) {
      skip(skipped, 'no_box');
      continue;
    }
    const labels = [first, ...others] as const;
    const split = splitOf(first.detection.visitId);
    const isOnOneSide = others.every(({ detection }) => splitOf(detection.visitId) === split);
    const stem = `${recording.videoId}_${ms}`;
    if (isOnOneSide) wanted.push({ recording, split, stem, labels, seconds });
    else skip(skipped, 'on_both_sides');
  }
  return wanted;
}

/** Whole frames, each with the boxes of all birds in it; those with birds of both sides are left out. */
export async function* readFrameImages(
  recording: DatasetRecording,
  source: ImageSource,
): AsyncGenerator<DatasetImage> {
  const { crops, skipped, signal } = source;
  for (const part of inParts(chooseFrames(recording, source), imagesAtOnce)) {
    const times = part.map(({ seconds }) => seconds);
    const pictures = await crops.readFrames(recording.videoPath, times, signal);
    if (!pictures) {
      skip(skipped, 'media_missing', part.length);
      continue;
    }
    for (const [at, image] of part.entries()) {
      const bytes = pictures[at];
      if (bytes) yield { ...image, bytes };
      else skip(skipped, 'undecodable');
    }
  }
}
