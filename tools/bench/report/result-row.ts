import type { ProcessUse } from '../run/process-watch.js';

/** The results of a load; latencies in ms. */
export interface LoadFigures {
  readonly p50: number;
  readonly p975: number;
  readonly p99: number;
  readonly perSecond: number;
  /** Size of the largest response with its headers. */
  readonly bytes: number;
}

/** A result other than that of a load, such as a start time or memory; without a unit it is a count. */
export interface SingleFigure {
  readonly value: number;
  readonly unit: 's' | 'ms' | 'MB' | 'kB' | '';
}

/** The size of a table in bytes, including data that is stored out of line. */
export interface TableSize {
  readonly rows: number;
  readonly bytes: number;
  readonly indexBytes: number;
}

/** A goal, and whether it was reached. */
export interface Verdict {
  readonly goal: string;
  readonly isReached: boolean;
}

/** A reference value, measured in the same run. */
export interface Comparison {
  readonly name: string;
  /** The value from which the ratio was computed. */
  readonly value: number;
  readonly unit: SingleFigure['unit'] | '/s';
  readonly ratio: number;
}

/** One line of the results. */
export interface ResultRow {
  readonly title: string;
  readonly connections?: number;
  readonly load?: LoadFigures;
  readonly single?: SingleFigure;
  readonly size?: TableSize;
  readonly limit?: Comparison;
  readonly verdict?: Verdict;
  readonly processes?: readonly ProcessUse[];
}

/** The results of a run: the rows of the last run of each case. */
export interface Results {
  /** Hardware and versions, by name. */
  readonly machine: Readonly<Record<string, string>>;
  readonly secondsEach: number;
  readonly cases: Readonly<Record<string, readonly ResultRow[]>>;
}
