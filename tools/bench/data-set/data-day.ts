import type { DayPlan } from './day-plan.js';

/** A detection of the data set. */
export interface DataDetection {
  readonly id: number;
  /** Index into `speciesProfiles`. */
  readonly species: number;
  readonly startOffset: number;
  readonly endOffset: number;
  readonly confidence: number;
  readonly source: 'video' | 'audio';
}

/** A recording of the data set; times in ms since the epoch. */
export interface DataRecording {
  readonly id: number;
  /** Index into `cameraIds`. */
  readonly camera: number;
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly detections: readonly DataDetection[];
}

/** A visit of the data set, with the ids of its detections. */
export interface DataVisit {
  readonly id: number;
  readonly species: number;
  readonly start: number;
  readonly end: number;
  readonly maxSimultaneous: number;
  readonly detectionIds: readonly number[];
  /** Number of the detections in the picture. */
  readonly videoCount: number;
}

/** One day of the data set; no visit extends over midnight. */
export interface DataDay extends DayPlan {
  readonly made: readonly DataRecording[];
  readonly visits: readonly DataVisit[];
}
