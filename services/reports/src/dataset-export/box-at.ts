import type { Box } from '@birdhub/domain/media';
import type { Frame } from '@birdhub/domain/recordings';

/** A bird is where a single box says for so long before and after. */
const toleranceSeconds = 0.1;
/** Between boxes further apart nobody knows where it was. */
const longestGapSeconds = 1;

function between(before: Frame, after: Frame, t: number): Box {
  const share = after.t > before.t ? (t - before.t) / (after.t - before.t) : 0;
  const mix = (corner: 0 | 1 | 2 | 3) =>
    before.bbox[corner] + (after.bbox[corner] - before.bbox[corner]) * share;
  return [mix(0), mix(1), mix(2), mix(3)];
}

/** Where a bird is at a time, from the boxes around it; undefined when it is not seen then. */
export function boxAt(frames: readonly Frame[], t: number): Box | undefined {
  const ordered = frames.toSorted((one, other) => one.t - other.t);
  const before = ordered.findLast((frame) => frame.t <= t);
  const after = ordered.find((frame) => frame.t >= t);
  if (before && after && after.t - before.t <= longestGapSeconds) return between(before, after, t);
  return [before, after].find((frame) => frame && Math.abs(frame.t - t) <= toleranceSeconds)?.bbox;
}
