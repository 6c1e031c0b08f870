import type { Settings } from '../settings/schema.js';
import type { SpeciesDirectory, SpeciesTree } from '../species/directory.js';
import { isNoise } from '../species/species-group.js';
import { readNameMapping, speciesKey } from '../species/species-names.js';
import { pairNearest } from './pair-nearest.js';
import type { DetectionRow, PostedRecording, ResolvedDetection, StoredRow } from './recording.js';

/** The posted detections to store, and the number of dropped ones: those of low confidence, and noise. */
export interface ResolvedPost {
  readonly detections: readonly ResolvedDetection[];
  readonly dropped: number;
}

/**
 * Applies the settings to posted detections: renames, drops unreviewed ones of low confidence, finds or creates the
 * species, and drops noise.
 */
export async function resolvePosted(
  { detections }: PostedRecording,
  settings: Settings,
  directory: SpeciesDirectory,
): Promise<ResolvedPost> {
  const { min_confidence_to_store: minConfidence } = settings.detection;
  const kept = detections.filter(({ confidence, reviewed }) => reviewed || confidence >= minConfidence);
  const labelOf = createNaming(settings);
  const ids = await directory.resolve(kept.map((detection) => labelOf(detection.speciesName)));
  const tree = await directory.tree();
  const resolved = kept.flatMap((detection) => {
    const label = labelOf(detection.speciesName);
    const speciesId = ids.get(label);
    if (speciesId === undefined) throw new Error(`no species for ${detection.speciesName}`);
    if (isNoise(tree, speciesId, detection)) return [];
    const plumage = tree.read(label)?.plumage;
    return [{ ...detection, speciesId, ...(plumage && { plumage }) }];
  });
  return { detections: resolved, dropped: detections.length - resolved.length };
}

/** Returns a function that maps a posted name to a label according to the settings. */
export function createNaming({ detection }: Settings): (name: string) => string {
  const mapping = readNameMapping(detection.species_mapping);
  return (name) => (mapping.size ? (mapping.get(speciesKey(name)) ?? name) : name);
}

/** Returns whether all posted names are names of known species. */
export function areNamesKnown(
  { detections }: Pick<PostedRecording, 'detections'>,
  settings: Settings,
  tree: Pick<SpeciesTree, 'find'>,
): boolean {
  const labelOf = createNaming(settings);
  return detections.every(({ speciesName }) => tree.find(labelOf(speciesName)) !== undefined);
}

/** Detections without a track count as the same bird when they start within this time of each other. */
const nearMs = 500;

/** How a recording that is posted again relates to the stored one. */
export interface Repetition {
  /** Whether a person posted it by hand. */
  readonly isByPerson?: boolean | undefined;
  /** Whether all its detections, posted and stored, are of one bird. */
  readonly isOfOneBird?: boolean | undefined;
  /** Tracks whose stored detections stay although they are not posted. */
  readonly keptTracks?: readonly string[] | undefined;
}

/**
 * Returns the detections of a recording that is posted again: rows of the same bird keep their id and the review that
 * they got in the hub, which is stronger than one by the program that posts. A row with such a review that is no longer
 * reported stays. Posts by a person replace all stored detections.
 */
export function keepCorrections(
  posted: readonly ResolvedDetection[],
  stored: readonly StoredRow[],
  { isByPerson = false, isOfOneBird = false, keptTracks = [] }: Repetition = {},
): DetectionRow[] {
  const isReviewed = (row: StoredRow) => !isByPerson && isReviewedInHub(row);
  const known = groupBird(stored, isOfOneBird);
  const rows = new Map<ResolvedDetection, DetectionRow>();
  const matched = new Set<number>();
  for (const [key, group] of groupBird(posted, isOfOneBird)) {
    const candidates = known.get(key) ?? [];
    const isOneBird = isOfOneBird || group[0]?.trackId !== null;
    const matches = matchRows(group, candidates, isOneBird ? Number.POSITIVE_INFINITY : nearMs);
    // A track is one bird, even if it is split into several detections.
    const ofBird = isOneBird ? candidates.find(isReviewed) : undefined;
    for (const row of isOneBird ? candidates : matches.values()) matched.add(row.id);
    for (const detection of group) {
      const match = matches.get(detection);
      rows.set(detection, withReview(detection, match?.id, match && isReviewed(match) ? match : ofBird));
    }
  }
  const isKept = (row: StoredRow) =>
    isReviewed(row) || (row.trackId !== null && keptTracks.includes(row.trackId));
  const left = stored.filter((row) => isKept(row) && !matched.has(row.id));
  return [...posted.flatMap((detection) => rows.get(detection) ?? []), ...left];
}

/** Reviews by programs have no time. */
const isReviewedInHub = ({ reviewed, reviewedAt }: StoredRow) => reviewed && reviewedAt !== null;

/** Returns the key that all detections of one bird share: their track, or their name without one. */
function groupKey({ source, trackId, speciesName }: ResolvedDetection): string {
  return trackId === null ? `${source} name ${speciesKey(speciesName)}` : `${source} track ${trackId}`;
}

function groupBird<T extends ResolvedDetection>(rows: readonly T[], isOfOneBird: boolean): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = isOfOneBird ? '' : groupKey(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

const startMs = ({ startOffset }: ResolvedDetection) => Math.round(startOffset * 1000);

/** Matches posted rows of one bird with stored rows that start at most `reach` ms earlier or later. */
function matchRows(
  posted: readonly ResolvedDetection[],
  stored: readonly StoredRow[],
  reach: number,
): Map<ResolvedDetection, StoredRow> {
  const pairs = pairNearest(posted.map(startMs), stored.map(startMs), reach);
  const matches = new Map<ResolvedDetection, StoredRow>();
  for (const [index, detection] of posted.entries()) {
    const match = stored[pairs[index] ?? -1];
    if (match) matches.set(detection, match);
  }
  return matches;
}

function withReview(
  posted: ResolvedDetection,
  id: number | undefined,
  review: StoredRow | undefined,
): DetectionRow {
  if (!review) {
    const { reviewed = false, reviewedAt = null } = posted;
    return { ...posted, id, originalSpeciesId: null, reviewed, reviewedAt };
  }
  return {
    ...posted,
    id,
    speciesId: review.speciesId,
    originalSpeciesId: review.speciesId === posted.speciesId ? null : posted.speciesId,
    reviewed: true,
    reviewedAt: review.reviewedAt,
    postedReviewed: posted.reviewed ?? false,
    inheritsFrom: review.id === id ? undefined : review.id,
  };
}
