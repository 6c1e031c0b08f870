import type { Frame } from '@birdhub/domain/recordings';
import { type Box, iou } from './box.js';

/** Boxes that were found at one time. */
export interface Sighting {
  /** Seconds from the start of the recording. */
  readonly t: number;
  readonly boxes: readonly Box[];
}

/** What moves fast has left its last box behind: boxes are compared with so much of them added at each side. */
const reach = 0.5;
const leastIou = 0.1;
const longestLossSeconds = 1;
const fewestFrames = 3;

function widen([x1, y1, x2, y2]: Box): Box {
  const [dx, dy] = [(x2 - x1) * reach, (y2 - y1) * reach];
  return [x1 - dx, y1 - dy, x2 + dx, y2 + dy];
}

interface Pair {
  readonly track: Frame[];
  readonly box: Box;
  readonly score: number;
}

/** The tracks and boxes that may belong together, the likeliest first. */
function listPairs(tracks: readonly Frame[][], boxes: readonly Box[]): Pair[] {
  const pairs: Pair[] = [];
  for (const track of tracks) {
    const last = track.at(-1);
    for (const box of boxes) {
      const score = last ? iou(widen(last.bbox), widen(box)) : 0;
      if (score >= leastIou) pairs.push({ track, box, score });
    }
  }
  return pairs.sort((one, other) => other.score - one.score);
}

/** Joins boxes of one time after the other to tracks; what was seen for a moment only is none. */
export function followBoxes(sightings: readonly Sighting[]): Frame[][] {
  const tracks: Frame[][] = [];
  for (const { t, boxes } of sightings) {
    const open = tracks.filter((track) => t - (track.at(-1)?.t ?? 0) <= longestLossSeconds);
    const taken = new Set<Frame[] | Box>();
    for (const { track, box } of listPairs(open, boxes)) {
      if (taken.has(track) || taken.has(box)) continue;
      track.push({ t, bbox: box });
      taken.add(track).add(box);
    }
    for (const box of boxes) if (!taken.has(box)) tracks.push([{ t, bbox: box }]);
  }
  return tracks.filter((track) => track.length >= fewestFrames);
}
