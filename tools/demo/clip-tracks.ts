import type { WireFrame } from '@birdhub/testing/processor-client/processor-wire';
import type { Subject } from './clip-variants.js';
import { boxAt, picture } from './motion-path.js';

/** A box four times a second, as a tracker on a small board gives them. */
const FRAMES_PER_BOX = 3;

/** When a bird of a clip is to be seen, in seconds, and its boxes at frames of the clip. */
export type ClipTrack = { start: number; end: number; frames: WireFrame[] };

/** What a perfect tracker would report of a bird in a clip. */
export function trackOf(subject: Subject): ClipTrack {
  const frames: WireFrame[] = [];
  for (let frame = subject.fromFrame; frame <= subject.toFrame; frame += FRAMES_PER_BOX) {
    frames.push({
      t: secondsOf(frame),
      bbox: boxAt(subject.path, subject.size, frame / picture.framesPerSecond),
    });
  }
  return { start: secondsOf(subject.fromFrame), end: secondsOf(subject.toFrame), frames };
}

function secondsOf(frame: number): number {
  return Math.round((frame / picture.framesPerSecond) * 1000) / 1000;
}
