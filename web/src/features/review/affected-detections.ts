import type { components } from '../../api/schema';
import type { TimelineItem } from '../../components/visits/describe-visit';
import type { Unknown, Verdict } from './review-queue';

type Recording = components['schemas']['Video'];

/** Whether a verdict applies to one track or to the entire visit. */
export type Scope = 'single_track' | 'visit';

/** Recording and visit of a detection. */
export interface DetectionContext {
  readonly recording: Recording | undefined;
  readonly visit: TimelineItem | undefined;
}

/** The other detections of the same track. */
function othersOfTrack({ id }: Unknown, recording: Recording | undefined) {
  const rows = recording?.species ?? [];
  const track = rows.find((row) => row.id === id)?.track_id ?? null;
  return track === null ? [] : rows.filter((row) => row.track_id === track && row.id !== id);
}

/**
 * Returns the other detections to which a verdict applies: those covered by the same call, and those that need a
 * separate call, as the hub confirms one track per call.
 */
export function affectedDetections(
  item: Unknown,
  verdict: Verdict,
  scope: Scope,
  { recording, visit }: DetectionContext,
): { readonly covered: readonly number[]; readonly alike: readonly number[] } {
  const mates = othersOfTrack(item, recording);
  const ofVisit = scope === 'visit' ? (visit?.detections ?? []).map(({ id }) => id) : [];
  if (verdict.kind === 'skip' || verdict.kind === 'delete') return { covered: [], alike: [] };
  if (verdict.kind === 'correct') return { covered: [...mates.map(({ id }) => id), ...ofVisit], alike: [] };
  const covered = mates.filter((row) => row.species_id === item.species_id).map(({ id }) => id);
  return { covered, alike: ofVisit };
}

/**
 * Returns the doubtful detections that are deleted with an empty recording; undefined while the recording is loading,
 * and if it has a detection that is not in doubt.
 */
export function emptyRecording(
  item: Unknown,
  waiting: readonly Unknown[],
  recording: Recording | undefined,
): readonly number[] | undefined {
  if (recording === undefined) return undefined;
  const doubted = new Set(waiting.filter(({ video_id }) => video_id === item.video_id).map(({ id }) => id));
  const others = recording.species.filter(({ id }) => id !== item.id);
  return others.every(({ id }) => doubted.has(id)) ? others.map(({ id }) => id) : undefined;
}
