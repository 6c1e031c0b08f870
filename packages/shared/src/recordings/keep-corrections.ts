import { speciesKey } from '../species/index.js';
import type { DetectionRow, ResolvedDetection, StoredRow } from './recording-types.js';

const nearSeconds = 0.5;

/** Detections of one bird as the processor names it: by its track, else by what it was taken for. */
function groupKey({ source, trackId, speciesName }: ResolvedDetection): string {
  return trackId === null ? `${source} name ${speciesKey(speciesName)}` : `${source} track ${trackId}`;
}

function groupStored(stored: readonly StoredRow[]): Map<string, StoredRow[]> {
  const groups = new Map<string, StoredRow[]>();
  for (const row of stored) {
    const key = groupKey(row);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
}

function nearest(posted: ResolvedDetection, candidates: readonly StoredRow[]): StoredRow | undefined {
  const distance = (row: StoredRow) => Math.abs(row.startOffset - posted.startOffset);
  const [first] = candidates.toSorted((a, b) => distance(a) - distance(b) || a.id - b.id);
  const isSame = first && (posted.trackId !== null || distance(first) <= nearSeconds);
  return isSame ? first : undefined;
}

function withVerdict(
  posted: ResolvedDetection,
  id: number | undefined,
  verdict: StoredRow | undefined,
): DetectionRow {
  if (!verdict) return { ...posted, id, originalSpeciesId: null, reviewed: false, reviewedAt: null };
  return {
    ...posted,
    id,
    speciesId: verdict.speciesId,
    originalSpeciesId: verdict.speciesId === posted.speciesId ? null : posted.speciesId,
    reviewed: true,
    reviewedAt: verdict.reviewedAt,
  };
}

/**
 * The detections of a recording after it was posted again: rows that are the same bird keep their id and what a
 * person said of them. A reviewed row that the processor no longer reports stays, for a person saw it.
 */
export function keepCorrections(
  posted: readonly ResolvedDetection[],
  stored: readonly StoredRow[],
): DetectionRow[] {
  const groups = groupStored(stored);
  const taken = new Set<number>();
  const answeredTracks = new Set<string>();
  const rows = posted.map((detection) => {
    const group = groups.get(groupKey(detection)) ?? [];
    const match = nearest(
      detection,
      group.filter((row) => !taken.has(row.id)),
    );
    if (match) taken.add(match.id);
    if (detection.trackId === null)
      return withVerdict(detection, match?.id, match?.reviewed ? match : undefined);
    answeredTracks.add(groupKey(detection));
    const verdict = match?.reviewed ? match : group.find((row) => row.reviewed);
    return withVerdict(detection, match?.id, verdict);
  });
  const left = stored.filter(
    (row) => row.reviewed && !taken.has(row.id) && !answeredTracks.has(groupKey(row)),
  );
  return [...rows, ...left];
}
