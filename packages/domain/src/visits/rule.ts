/** A closed interval in ms since the epoch; `start` is not after `end`. */
export interface Interval {
  start: number;
  end: number;
}

/** The properties of a detection that the visit rule needs. */
export interface RuleDetection extends Interval {
  id: number;
  source: 'video' | 'audio';
  cameraId: string;
}

/** A run of one species' detections without a silence longer than the gap. */
export interface Run extends Interval {
  detections: RuleDetection[];
  hasVideo: boolean;
}

/** The span of one species' visit. */
export interface SpeciesSpan extends Interval {
  speciesId: number;
}

/** The parent of each species; null or absent at the top of the tree. */
export type SpeciesParents = ReadonlyMap<number, number | null>;

/** A visit computed by the rule, without an id; bounds and counts are those of its own detections. */
export interface BatchVisit extends SpeciesSpan {
  maxSimultaneous: number;
  videoDetections: number;
  detectionIds: number[];
  attachedDetectionIds: number[];
}

/** An audio-only run that belongs to a visit of a child species. */
export interface AttachedRun extends SpeciesSpan {
  detectionIds: number[];
  visit: BatchVisit;
}

/**
 * Applies the complete visit rule in memory: returns all visits and attached runs of the detections, in order of time.
 * Detections of one species with no silence longer than the gap between them form a visit; an audio-only run belongs to
 * the visit of a child species within the gap, because forms cannot be distinguished by sound.
 * @throws Error when a species is its own ancestor
 */
export function visitsOf(
  detectionsBySpecies: ReadonlyMap<number, Iterable<RuleDetection>>,
  parentOf: SpeciesParents,
  gapMs: number,
): { visits: BatchVisit[]; attached: AttachedRun[] } {
  const visits: BatchVisit[] = [];
  const attached: AttachedRun[] = [];
  const visitsByParent = new Map<number | null, BatchVisit[]>();
  // Children come before parents, because runs are attached only to visits.
  for (const speciesId of deepestFirst(detectionsBySpecies.keys(), parentOf)) {
    const runs = formRuns(detectionsBySpecies.get(speciesId) ?? [], gapMs);
    const hosts = findHosts(runs, visitsByParent.get(speciesId) ?? [], gapMs);
    const parentId = parentOf.get(speciesId) ?? null;
    const siblings = visitsByParent.get(parentId) ?? [];
    visitsByParent.set(parentId, siblings);
    for (const run of runs) {
      const host = hosts.get(run);
      if (host !== undefined) {
        attached.push(attach(speciesId, run, host));
        continue;
      }
      const visit = toVisit(speciesId, run);
      visits.push(visit);
      siblings.push(visit);
    }
  }
  return { visits: visits.sort(compareSpans), attached: attached.sort(compareSpans) };
}

function depthOf(speciesId: number, parentOf: SpeciesParents): number {
  let depth = 0;
  for (let id = parentOf.get(speciesId) ?? null; id !== null; id = parentOf.get(id) ?? null) {
    depth += 1;
    if (depth > parentOf.size) throw new Error(`species ${speciesId} has a cycle among its ancestors`);
  }
  return depth;
}

function deepestFirst(speciesIds: Iterable<number>, parentOf: SpeciesParents): number[] {
  const ranked = Array.from(speciesIds, (id) => ({ id, depth: depthOf(id, parentOf) }));
  return ranked.sort((a, b) => b.depth - a.depth || a.id - b.id).map(({ id }) => id);
}

function toVisit(speciesId: number, { start, end, detections }: Run): BatchVisit {
  return {
    speciesId,
    start,
    end,
    maxSimultaneous: maxSimultaneous(detections),
    videoDetections: detections.filter(({ source }) => source === 'video').length,
    detectionIds: detections.map(({ id }) => id),
    attachedDetectionIds: [],
  };
}

function attach(speciesId: number, { start, end, detections }: Run, visit: BatchVisit): AttachedRun {
  const detectionIds = detections.map(({ id }) => id);
  for (const id of detectionIds) visit.attachedDetectionIds.push(id);
  return { speciesId, start, end, detectionIds, visit };
}

/** Returns the visit to which each audio-only run is attached; runs that are visits of their own are absent. */
function findHosts(runs: Run[], childVisits: BatchVisit[], gapMs: number): Map<Run, BatchVisit> {
  const audioOnly = runs.filter((run) => !run.hasVideo);
  const nearby = findNearby(audioOnly, childVisits.toSorted(compareSpans), gapMs);
  const hosts = new Map<Run, BatchVisit>();
  for (const [at, run] of audioOnly.entries()) {
    const host = nearestVisit(run, nearby[at] ?? [], gapMs);
    if (host !== undefined) hosts.set(run, host);
  }
  return hosts;
}

/** Returns the runs of one species' detections in order; the detections need not be sorted. */
export function formRuns(detections: Iterable<RuleDetection>, gapMs: number): Run[] {
  const runs: Run[] = [];
  let run: Run | undefined;
  for (const detection of [...detections].sort((a, b) => compareIntervals(a, b) || a.id - b.id)) {
    if (run !== undefined && detection.start <= run.end + gapMs) {
      joinRun(run, detection);
      continue;
    }
    run = openRun(detection);
    runs.push(run);
  }
  return runs;
}

function openRun(detection: RuleDetection): Run {
  const { start, end, source } = detection;
  return { start, end, detections: [detection], hasVideo: source === 'video' };
}

function joinRun(run: Run, detection: RuleDetection): void {
  run.end = Math.max(run.end, detection.end);
  run.hasVideo ||= detection.source === 'video';
  run.detections.push(detection);
}

/**
 * Returns the visit of a child species to which an audio-only run is attached: the nearest within the gap, the earliest
 * on a tie.
 */
export function nearestVisit<T extends SpeciesSpan>(
  run: Interval,
  visits: Iterable<T>,
  gapMs: number,
): T | undefined {
  let nearest: T | undefined;
  for (const visit of visits) {
    if (!touches(run, visit, gapMs)) continue;
    const order = nearest && (distance(run, visit) - distance(run, nearest) || compareSpans(visit, nearest));
    if (order === undefined || order < 0) nearest = visit;
  }
  return nearest;
}

/** Sorts visits by time, then species. The order is total, because two visits of one species never start together. */
function compareSpans(a: SpeciesSpan, b: SpeciesSpan): number {
  return compareIntervals(a, b) || a.speciesId - b.speciesId;
}

/** Returns the maximum number of birds that one camera saw at the same time; 1 for an audio-only visit. */
export function maxSimultaneous(detections: Iterable<RuleDetection>): number {
  const byCamera = new Map<string, RuleDetection[]>();
  for (const detection of detections) {
    if (detection.source !== 'video') continue;
    const sameCamera = byCamera.get(detection.cameraId);
    if (sameCamera === undefined) byCamera.set(detection.cameraId, [detection]);
    else sameCamera.push(detection);
  }
  let max = 1;
  for (const one of byCamera.values()) max = Math.max(max, maxOverlap(one));
  return max;
}

/** Returns the maximum number of half-open intervals, each at least 1 ms long, that contain one instant. */
function maxOverlap(detections: RuleDetection[]): number {
  const starts = Float64Array.from(detections, ({ start }) => start).sort();
  const ends = Float64Array.from(detections, ({ start, end }) => Math.max(end, start + 1)).sort();
  let ended = 0;
  let max = 0;
  for (const [started, start] of starts.entries()) {
    while ((ends[ended] ?? Number.POSITIVE_INFINITY) <= start) ended += 1;
    max = Math.max(max, started + 1 - ended);
  }
  return max;
}

/**
 * Returns, for each item, the others within the gap. Both lists must be sorted by start; they are swept together, so
 * distant pairs are never compared.
 */
export function findNearby<T extends Interval>(
  items: readonly Interval[],
  others: readonly T[],
  gapMs: number,
): T[][] {
  let first = 0;
  return items.map(({ start, end }) => {
    while ((others[first]?.end ?? Number.POSITIVE_INFINITY) < start - gapMs) first += 1;
    const nearby: T[] = [];
    for (let at = first; ; at += 1) {
      const other = others[at];
      if (other === undefined || other.start > end + gapMs) return nearby;
      if (other.end >= start - gapMs) nearby.push(other);
    }
  });
}

/** Sorts by start, then end. */
export function compareIntervals(a: Interval, b: Interval): number {
  return a.start - b.start || a.end - b.end;
}

/** Returns the silence between two intervals in ms, 0 when they overlap or share an instant. */
export function distance(a: Interval, b: Interval): number {
  return Math.max(0, a.start - b.end, b.start - a.end);
}

/** Returns the length of the overlap of two intervals in ms; 0 also when they share only an instant. */
export function overlapLength(a: Interval, b: Interval): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

/** Returns whether the silence between two intervals is no longer than the gap. */
export function touches(a: Interval, b: Interval, gapMs: number): boolean {
  return distance(a, b) <= gapMs;
}

/** Merges intervals with no silence longer than the gap between them; returns the spans in order. */
export function mergeIntervals(intervals: Iterable<Interval>, gapMs: number): Interval[] {
  const spans: Interval[] = [];
  let latest: Interval | undefined;
  for (const { start, end } of [...intervals].sort(compareIntervals)) {
    if (latest !== undefined && start <= latest.end + gapMs) {
      latest.end = Math.max(latest.end, end);
      continue;
    }
    latest = { start, end };
    spans.push(latest);
  }
  return spans;
}

/** Returns the smallest interval that contains all of the given ones. */
export function cover(parts: readonly Interval[]): Interval {
  return {
    start: Math.min(...parts.map((part) => part.start)),
    end: Math.max(...parts.map((part) => part.end)),
  };
}
