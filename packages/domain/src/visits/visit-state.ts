import type { Interval } from './interval.js';
import type { RuleDetection } from './visit-runs.js';

/** What a visit says of itself, beside whose it is. */
export interface VisitState extends Interval {
  maxSimultaneous: number;
  detectionCount: number;
  /** How many of the detections are from the picture; 0 for a visit that was only heard. */
  videoCount: number;
}

/** A visit as it stands in the database. */
export interface StoredVisit extends VisitState {
  readonly id: number;
  readonly speciesId: number;
}

/** A detection as it stands in the database, with the visit that it belongs to. */
export interface StoredDetection extends RuleDetection {
  readonly speciesId: number;
  readonly visitId: number;
}

/** A detection that joins; `id` is its own when it has one already, else any negative number. */
export interface AddedDetection extends RuleDetection {
  readonly speciesId: number;
}

/** The rule under which the visits in store were made. */
export interface VisitRule {
  readonly gapMs: number;
  /** IANA zone of the days in `visit_day`. */
  readonly timezone: string;
  readonly treeRevision: number;
}
