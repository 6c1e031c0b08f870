import { compareSpans, nearestVisit, type SpeciesSpan } from './attach-runs.js';
import { maxSimultaneous } from './max-simultaneous.js';
import { findNearby } from './nearby-intervals.js';
import { formRuns, type RuleDetection, type Run } from './visit-runs.js';

/** The parent of each species, null or absent at the top of the tree. */
export type SpeciesParents = ReadonlyMap<number, number | null>;

/** A visit by the rule alone, before it has an id; its bounds and counts are those of its own detections. */
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

/** The visit that each audio-only run attaches to; runs that are visits themselves are absent. */
function findHosts(runs: Run[], childVisits: BatchVisit[], gapMs: number): Map<Run, BatchVisit> {
  const heard = runs.filter((run) => !run.hasVideo);
  const nearby = findNearby(heard, childVisits.toSorted(compareSpans), gapMs);
  const hosts = new Map<Run, BatchVisit>();
  for (const [at, run] of heard.entries()) {
    const host = nearestVisit(run, nearby[at] ?? [], gapMs);
    if (host !== undefined) hosts.set(run, host);
  }
  return hosts;
}

/**
 * The whole visit rule in memory: every visit and attached run of the detections, in order of time.
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
  // Children before parents: a run attaches only to what is a visit itself.
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
