import { speciesKey } from '../species/species-names.js';
import { pairNearest } from './pair-nearest.js';
import type { DetectionRow, ResolvedDetection, StoredRow } from './recording-types.js';

const nearMs = 500;

/** Detections of one bird as the processor names it: by its track, else by what it was taken for. */
function groupKey({ source, trackId, speciesName }: ResolvedDetection): string {
  return trackId === null ? `${source} name ${speciesKey(speciesName)}` : `${source} track ${trackId}`;
}

function groupBird<T extends ResolvedDetection>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = groupKey(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

const startMs = ({ startOffset }: ResolvedDetection) => Math.round(startOffset * 1000);

/** The stored row that each posted row of one bird is. */
function matchRows(
  posted: readonly ResolvedDetection[],
  stored: readonly StoredRow[],
): Map<ResolvedDetection, StoredRow> {
  const reach = stored[0]?.trackId === null ? nearMs : Number.POSITIVE_INFINITY;
  const pairs = pairNearest(posted.map(startMs), stored.map(startMs), reach);
  const matches = new Map<ResolvedDetection, StoredRow>();
  for (const [index, detection] of posted.entries()) {
    const match = stored[pairs[index] ?? -1];
    if (match) matches.set(detection, match);
  }
  return matches;
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
    inheritsFrom: verdict.id === id ? undefined : verdict.id,
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
  const known = groupBird(stored);
  const rows = new Map<ResolvedDetection, DetectionRow>();
  const answered = new Set<number>();
  for (const [key, group] of groupBird(posted)) {
    const candidates = known.get(key) ?? [];
    const matches = matchRows(group, candidates);
    const isTrack = group[0]?.trackId !== null;
    // A track is one bird, however many pieces it comes in.
    const ofTrack = isTrack ? candidates.find((row) => row.reviewed) : undefined;
    for (const row of isTrack ? candidates : matches.values()) answered.add(row.id);
    for (const detection of group) {
      const match = matches.get(detection);
      rows.set(detection, withVerdict(detection, match?.id, match?.reviewed ? match : ofTrack));
    }
  }
  const left = stored.filter((row) => row.reviewed && !answered.has(row.id));
  return [...posted.flatMap((detection) => rows.get(detection) ?? []), ...left];
}
