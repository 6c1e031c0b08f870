import type { Frame } from '@birdhub/domain/recordings';
import type { Span } from './box.js';

/** A detection that nobody knows the place of. */
export interface Unplaced extends Span {
  readonly id: number;
}

const overlap = (one: Span, other: Span) => Math.min(one.end, other.end) - Math.max(one.start, other.start);
const spanOf = (track: readonly Frame[]): Span => ({ start: track[0]?.t ?? 0, end: track.at(-1)?.t ?? 0 });

/**
 * Gives each detection the boxes of what moved for the longest of its time, and those of one thing never to two
 * detections at once.
 */
export function assignTracks(
  detections: readonly Unplaced[],
  tracks: readonly (readonly Frame[])[],
): Map<number, Frame[]> {
  const pairs = detections
    .flatMap((detection) =>
      tracks.map((track) => ({ detection, track, seconds: overlap(detection, spanOf(track)) })),
    )
    .filter(({ seconds }) => seconds > 0)
    .sort((one, other) => other.seconds - one.seconds);
  const given = new Map<readonly Frame[], Unplaced[]>();
  const assigned = new Map<number, Frame[]>();
  for (const { detection, track } of pairs) {
    const owners = given.get(track) ?? [];
    if (assigned.has(detection.id) || owners.some((owner) => overlap(owner, detection) > 0)) continue;
    const frames = track.filter(({ t }) => t >= detection.start && t <= detection.end);
    if (!frames.length) continue;
    given.set(track, [...owners, detection]);
    assigned.set(detection.id, frames);
  }
  return assigned;
}
