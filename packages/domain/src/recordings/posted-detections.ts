import type { Settings } from '../settings/schema.js';
import type { SpeciesDirectory, SpeciesTree } from '../species/directory.js';
import { isNoise } from '../species/species-group.js';
import { readNameMapping, speciesKey } from '../species/species-names.js';
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
}

/**
 * Returns the detections of a recording that is posted again: rows of the same bird keep their id and the review that
 * they got in the hub, which is stronger than one by the program that posts. A row with such a review that is no longer
 * reported stays. Posts by a person replace all stored detections.
 */
export function keepCorrections(
  posted: readonly ResolvedDetection[],
  stored: readonly StoredRow[],
  { isByPerson = false, isOfOneBird = false }: Repetition = {},
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
  const left = stored.filter((row) => isReviewed(row) && !matched.has(row.id));
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
    inheritsFrom: review.id === id ? undefined : review.id,
  };
}

/**
 * Returns, for each number on the left, the index of its partner on the right: nearest pairs first, none farther apart
 * than `reach`, ties in order.
 */
export function pairNearest(
  left: readonly number[],
  right: readonly number[],
  reach: number,
): (number | undefined)[] {
  const partners = groupLast(pairValues(left, right, reach));
  const places = groupLast(right.map((value, index) => [value, index]));
  return left.map((value) => {
    const partner = partners.get(value)?.pop();
    return partner === undefined ? undefined : places.get(partner)?.pop();
  });
}

interface Point {
  readonly at: number;
  readonly isLeft: boolean;
  previous: Point | undefined;
  next: Point | undefined;
  isTaken: boolean;
}

interface Candidate {
  readonly distance: number;
  readonly first: Point;
  readonly second: Point;
}

function linkInOrder(left: readonly number[], right: readonly number[]): Point[] {
  const toPoint = (isLeft: boolean) => (at: number) => ({
    at,
    isLeft,
    previous: undefined,
    next: undefined,
    isTaken: false,
  });
  const points: Point[] = [...left.map(toPoint(true)), ...right.map(toPoint(false))];
  points.sort((a, b) => a.at - b.at);
  for (const [index, point] of points.entries()) {
    point.previous = points[index - 1];
    point.next = points[index + 1];
  }
  return points;
}

/** Sorts the nearest pair last; ties by position. */
const compareCandidates = (a: Candidate, b: Candidate) => b.distance - a.distance || b.first.at - a.first.at;

function insert(queue: Candidate[], candidate: Candidate): void {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = queue[middle];
    if (at && compareCandidates(at, candidate) < 0) low = middle + 1;
    else high = middle;
  }
  queue.splice(low, 0, candidate);
}

function toCandidate(first: Point | undefined, second: Point | undefined, reach: number): Candidate[] {
  if (!first || !second || first.isLeft === second.isLeft) return [];
  const distance = second.at - first.at;
  return distance <= reach ? [{ distance, first, second }] : [];
}

/** The nearest pair always consists of neighbours in sorted order, so only neighbours are compared. */
function pairValues(left: readonly number[], right: readonly number[], reach: number): [number, number][] {
  const points = linkInOrder(left, right);
  const queue = points.flatMap((point) => toCandidate(point, point.next, reach)).sort(compareCandidates);
  const pairs: [number, number][] = [];
  for (let best = queue.pop(); best; best = queue.pop()) {
    const { first, second } = best;
    if (first.isTaken || second.isTaken) continue;
    first.isTaken = true;
    second.isTaken = true;
    pairs.push(first.isLeft ? [first.at, second.at] : [second.at, first.at]);
    const { previous } = first;
    const { next } = second;
    if (previous) previous.next = next;
    if (next) next.previous = previous;
    for (const candidate of toCandidate(previous, next, reach)) insert(queue, candidate);
  }
  return pairs;
}

function groupLast(entries: Iterable<readonly [number, number]>): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const [key, value] of entries) {
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  for (const group of groups.values()) group.sort((a, b) => b - a);
  return groups;
}
