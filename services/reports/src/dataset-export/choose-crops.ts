import { chooseFrame } from '@birdhub/domain/media';
import { toFileName } from '../file-name.js';
import type { DatasetDetection, DatasetRecording } from './dataset.store.js';
import { type Choice, toLabel, type WantedImage } from './dataset-image.js';
import { skip } from './plan-dataset.js';

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

/** A picture of each detection, around its largest box, in order of time. */
export function chooseCrops(recording: DatasetRecording, choice: Choice): WantedImage[] {
  const stemOf = createStems(recording.videoId);
  const wanted: WantedImage[] = [];
  for (const detection of recording.detections) {
    const { seconds, box } = chooseFrame(detection);
    const split = choice.splitOf(detection.visitId);
    if (box) {
      const labels = [toLabel(detection, box, choice)] as const;
      wanted.push({ recording, seconds, split, stem: stemOf(detection), labels });
    } else skip(choice.skipped, 'no_box');
  }
  return wanted.sort((one, other) => one.seconds - other.seconds);
}
