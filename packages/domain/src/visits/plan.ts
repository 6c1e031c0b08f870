import { localDay } from '@birdhub/shared/time';
import {
  type BatchVisit,
  compareIntervals,
  findNearby,
  formRuns,
  type Interval,
  maxSimultaneous,
  mergeIntervals,
  overlapLength,
  type RuleDetection,
} from './rule.js';

/** The content of a visit, without its species. */
export interface VisitState extends Interval {
  maxSimultaneous: number;
  detectionCount: number;
  /** Number of its video detections; 0 for an audio-only visit. */
  videoCount: number;
}

/** A stored visit. */
export interface StoredVisit extends VisitState {
  readonly id: number;
  readonly speciesId: number;
}

/** A stored detection with its visit. */
export interface StoredDetection extends RuleDetection {
  readonly speciesId: number;
  readonly visitId: number;
}

/** A detection to be added; `id` is negative for a new one. */
export interface AddedDetection extends RuleDetection {
  readonly speciesId: number;
}

/** The rule of the stored visits. */
export interface VisitRule {
  readonly gapMs: number;
  /** IANA zone of the days in `visit_day`. */
  readonly timezone: string;
  readonly treeRevision: number;
}

/** A planned visit. */
export interface PlannedVisit {
  readonly speciesId: number;
  readonly state: VisitState;
  /** The stored visit whose id it keeps; undefined for a new one. */
  readonly before: StoredVisit | undefined;
  /** Visits that are merged into it. */
  readonly absorbed: readonly StoredVisit[];
  /** Stored detections that move to it individually. */
  readonly joining: readonly number[];
  /** The added detections that belong to it. */
  readonly added: readonly AddedDetection[];
}

/** The changes of one species' visits near a change of detections. */
export interface VisitPlan {
  readonly visits: readonly PlannedVisit[];
  /** Stored visits to be deleted. */
  readonly gone: readonly StoredVisit[];
}

/**
 * Plans the visits of one species when detections are only added. Stored visits are then never split, so only those of
 * their detections that overlap the new ones are needed.
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
    const simultaneous = maxSimultaneous([...joined, ...overlapping.filter(inside(span))]);
    return {
      speciesId,
      state: {
        ...span,
        maxSimultaneous: Math.max(simultaneous, ...parts.map((part) => part.maxSimultaneous)),
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

/** Plans the visits of one species from the `remaining` stored detections and the added ones. */
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

/** Plans the visits of one species for the runs of a rebuild. */
export function planRebuild(
  old: StoredVisit[],
  next: BatchVisit[],
  visitOf: ReadonlyMap<number, number>,
): VisitPlan {
  const ids = assignIdentities(old, next);
  const visits = next.map((visit, index) =>
    planBatchVisit(
      visit,
      old.find((row) => row.id === ids[index]),
      visitOf,
    ),
  );
  const kept = new Set(ids);
  return { visits, gone: old.filter((visit) => !kept.has(visit.id)) };
}

/** Returns whether the row of a stored visit has to be updated. */
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

/** Subtracts the previous visits from the rollups and adds the planned ones. */
export function countPlans(plans: readonly VisitPlan[], deltas: RollupDeltas): void {
  for (const { visits, gone } of plans) {
    for (const visit of gone) deltas.count(visit.speciesId, visit, -1);
    for (const { speciesId, before, state } of visits) {
      if (before) deltas.count(speciesId, before, -1);
      deltas.count(speciesId, state, 1);
    }
  }
}

/** The change of a species' rollup for one day. */
export interface DayDelta {
  readonly speciesId: number;
  /** Calendar day in the zone of the visit rule. */
  readonly day: string;
  visits: number;
  individuals: number;
  videoVisits: number;
  detections: number;
  /** Summed length of the visits, in ms. */
  durationMs: number;
}

/** Accumulates the changes of rollups that result from changed visits. */
export class RollupDeltas {
  readonly #timezone: string;
  readonly #days = new Map<string, DayDelta>();

  constructor(timezone: string) {
    this.#timezone = timezone;
  }

  /** Adds a visit, or subtracts it with `sign` -1. */
  count(speciesId: number, visit: VisitState, sign: 1 | -1): void {
    const delta = this.#dayOf(speciesId, visit.start);
    delta.visits += sign;
    delta.individuals += sign * visit.maxSimultaneous;
    delta.videoVisits += visit.videoCount > 0 ? sign : 0;
    delta.detections += sign * visit.detectionCount;
    delta.durationMs += sign * (visit.end - visit.start);
  }

  /** Returns the changed days, in the same order for all writers, so that they cannot deadlock. */
  list(): DayDelta[] {
    return [...this.#days.values()]
      .filter(({ visits, individuals, videoVisits, detections, durationMs }) =>
        [visits, individuals, videoVisits, detections, durationMs].some((number) => number !== 0),
      )
      .sort((a, b) => a.speciesId - b.speciesId || a.day.localeCompare(b.day));
  }

  #dayOf(speciesId: number, instant: number): DayDelta {
    const day = localDay(this.#timezone, instant);
    const key = `${speciesId} ${day}`;
    let delta = this.#days.get(key);
    if (!delta) {
      delta = { speciesId, day, visits: 0, individuals: 0, videoVisits: 0, detections: 0, durationMs: 0 };
      this.#days.set(key, delta);
    }
    return delta;
  }
}

/**
 * Returns, for each new run, the id of the old visit that it continues, or undefined for a new visit. Ids are assigned
 * by longest overlap first; on a tie, to the earlier visit and the earlier run. A single shared instant comes last.
 */
export function assignIdentities(
  old: readonly OldVisit[],
  runs: readonly Interval[],
): (number | undefined)[] {
  const ids = runs.map((): number | undefined => undefined);
  const taken = new Set<number>();
  for (const claim of listClaims(old, runs).sort(compareClaims)) {
    if (ids[claim.run.index] !== undefined || taken.has(claim.old.id)) continue;
    ids[claim.run.index] = claim.old.id;
    taken.add(claim.old.id);
  }
  return ids;
}

const inside = (span: Interval) => (part: Interval) => part.start >= span.start && part.end <= span.end;
const isVideo = (detection: RuleDetection) => detection.source === 'video';
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function leftOver(visits: readonly StoredVisit[], planned: readonly PlannedVisit[]): StoredVisit[] {
  const kept = new Set(planned.map((visit) => visit.before?.id));
  return visits.filter((visit) => !kept.has(visit.id));
}

function planBatchVisit(
  visit: BatchVisit,
  before: StoredVisit | undefined,
  visitOf: ReadonlyMap<number, number>,
): PlannedVisit {
  const members = [...visit.detectionIds, ...visit.attachedDetectionIds];
  return {
    speciesId: visit.speciesId,
    state: {
      start: visit.start,
      end: visit.end,
      maxSimultaneous: visit.maxSimultaneous,
      detectionCount: members.length,
      videoCount: visit.videoDetections,
    },
    before,
    absorbed: [],
    joining: members.filter((id) => before === undefined || visitOf.get(id) !== before.id),
    added: [],
  };
}

interface OldVisit extends Interval {
  id: number;
}

interface NewRun extends Interval {
  index: number;
}

interface Claim {
  old: OldVisit;
  run: NewRun;
  overlap: number;
}

function listClaims(old: readonly OldVisit[], runs: readonly Interval[]): Claim[] {
  const visits = old.toSorted((a, b) => compareIntervals(a, b) || a.id - b.id);
  const ordered = runs.map(({ start, end }, index) => ({ start, end, index })).sort(compareIntervals);
  const touching = findNearby(ordered, visits, 0);
  return ordered.flatMap((run, position) =>
    (touching[position] ?? []).map((visit) => ({ old: visit, run, overlap: overlapLength(visit, run) })),
  );
}

function compareClaims(a: Claim, b: Claim): number {
  return b.overlap - a.overlap || compareIntervals(a.old, b.old) || compareIntervals(a.run, b.run);
}
