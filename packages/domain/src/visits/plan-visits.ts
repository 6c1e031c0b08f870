import { type Interval, mergeIntervals } from './interval.js';
import { maxSimultaneous } from './max-simultaneous.js';
import { assignIdentities } from './visit-identity.js';
import { formRuns, type RuleDetection } from './visit-runs.js';
import type { AddedDetection, StoredDetection, StoredVisit, VisitState } from './visit-state.js';

/** A visit as it shall be. */
export interface PlannedVisit {
  readonly speciesId: number;
  readonly state: VisitState;
  /** The visit it goes on with; undefined when it is new. */
  readonly before: StoredVisit | undefined;
  /** Visits whose detections all become its own. */
  readonly absorbed: readonly StoredVisit[];
  /** Stored detections that come to it one by one. */
  readonly joining: readonly number[];
  /** Those of the added detections that are in it. */
  readonly added: readonly AddedDetection[];
}

/** What becomes of the visits of one species beside a change. */
export interface VisitPlan {
  readonly visits: readonly PlannedVisit[];
  readonly gone: readonly StoredVisit[];
}

const inside = (span: Interval) => (part: Interval) => part.start >= span.start && part.end <= span.end;
const isVideo = (detection: RuleDetection) => detection.source === 'video';
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function leftOver(visits: readonly StoredVisit[], planned: readonly PlannedVisit[]): StoredVisit[] {
  const kept = new Set(planned.map((visit) => visit.before?.id));
  return visits.filter((visit) => !kept.has(visit.id));
}

/**
 * What becomes of the visits of one species when detections are added and none is taken away. A visit in store
 * is one piece then, so its own detections need not be read, but for those that overlap the new ones.
 */
export function planAdditions(
  speciesId: number,
  visits: StoredVisit[],
  added: readonly AddedDetection[],
  overlapping: readonly RuleDetection[],
  gapMs: number,
): VisitPlan {
  const spans = mergeIntervals([...visits, ...added], gapMs);
  const ids = assignIdentities(visits, spans);
  const planned = spans.map((span, index): PlannedVisit => {
    const parts = visits.filter(inside(span));
    const joined = added.filter(inside(span));
    const seen = maxSimultaneous([...joined, ...overlapping.filter(inside(span))]);
    return {
      speciesId,
      state: {
        ...span,
        maxSimultaneous: Math.max(seen, ...parts.map((part) => part.maxSimultaneous)),
        detectionCount: joined.length + sum(parts.map((part) => part.detectionCount)),
        videoCount: joined.filter(isVideo).length + sum(parts.map((part) => part.videoCount)),
      },
      before: parts.find((part) => part.id === ids[index]),
      absorbed: parts.filter((part) => part.id !== ids[index]),
      joining: [],
      added: joined,
    };
  });
  return { visits: planned, gone: leftOver(visits, planned) };
}

/** What becomes of the visits of one species when `remaining` is what is left of their detections. */
export function planReplacement(
  speciesId: number,
  visits: StoredVisit[],
  added: readonly AddedDetection[],
  remaining: readonly StoredDetection[],
  gapMs: number,
): VisitPlan {
  const runs = formRuns([...remaining, ...added], gapMs);
  const ids = assignIdentities(visits, runs);
  const visitOf = new Map(remaining.map((detection) => [detection.id, detection.visitId]));
  const addedById = new Map(added.map((detection) => [detection.id, detection]));
  const planned = runs.map((run, index): PlannedVisit => {
    const before = visits.find((visit) => visit.id === ids[index]);
    const stored = run.detections.filter((detection) => !addedById.has(detection.id));
    return {
      speciesId,
      state: {
        start: run.start,
        end: run.end,
        maxSimultaneous: maxSimultaneous(run.detections),
        detectionCount: run.detections.length,
        videoCount: run.detections.filter(isVideo).length,
      },
      before,
      absorbed: [],
      joining: stored
        .filter(({ id }) => before === undefined || visitOf.get(id) !== before.id)
        .map(({ id }) => id),
      added: run.detections.flatMap(({ id }) => addedById.get(id) ?? []),
    };
  });
  return { visits: planned, gone: leftOver(visits, planned) };
}

/** Whether a kept visit is to be written again. */
export function isChanged({ before, state }: PlannedVisit): boolean {
  return (
    before !== undefined &&
    (before.start !== state.start ||
      before.end !== state.end ||
      before.maxSimultaneous !== state.maxSimultaneous ||
      before.detectionCount !== state.detectionCount ||
      before.videoCount !== state.videoCount)
  );
}
