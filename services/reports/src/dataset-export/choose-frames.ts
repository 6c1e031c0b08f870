import { chooseFrame, visibleArea } from '@birdhub/domain/media';
import { boxAt } from './box-at.js';
import type { DatasetRecording } from './dataset.store.js';
import { type Choice, toLabel, type WantedImage } from './dataset-image.js';
import { skip } from './plan-dataset.js';

/** The moments at which detections are seen best, by their ms, in order. */
function chooseMoments({ detections }: DatasetRecording, { skipped }: Choice): [number, number][] {
  const moments = new Map<number, number>();
  for (const detection of detections) {
    const { seconds, box } = chooseFrame(detection);
    if (box) moments.set(Math.round(seconds * 1_000), seconds);
    else skip(skipped, 'no_box');
  }
  return [...moments].sort(([one], [other]) => one - other);
}

/**
 * The frame in which each detection is seen best, with the boxes of all birds in it, in order of time; those with
 * birds of both sides are left out.
 */
export function chooseFrames(recording: DatasetRecording, choice: Choice): WantedImage[] {
  const { splitOf, skipped } = choice;
  const wanted: WantedImage[] = [];
  for (const [ms, seconds] of chooseMoments(recording, choice)) {
    const [first, ...others] = recording.detections.flatMap((detection) => {
      const box = boxAt(detection.frames, seconds);
      return box && visibleArea(box) > 0 ? [toLabel(detection, box, choice)] : [];
    });
    const split = first && splitOf(first.detection.visitId);
    if (!first || !split) skip(skipped, 'no_box');
    else if (others.some(({ detection }) => splitOf(detection.visitId) !== split))
      skip(skipped, 'on_both_sides');
    else {
      const stem = `${recording.videoId}_${ms}`;
      wanted.push({ recording, seconds, split, stem, labels: [first, ...others] });
    }
  }
  return wanted;
}
