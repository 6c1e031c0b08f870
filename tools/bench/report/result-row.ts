import type { ProcessUse } from '../run/process-watch.js';

/** What a load took; latencies in ms. */
export interface LoadFigures {
  readonly p50: number;
  readonly p975: number;
  readonly p99: number;
  readonly perSecond: number;
  /** Of the largest answer, with its head. */
  readonly bytes: number;
}

/** A number that is not of a load: seconds to start, memory; without a unit a count. */
export interface SingleFigure {
  readonly value: number;
  readonly unit: 's' | 'ms' | 'MB' | 'kB' | '';
}

/** What a table takes, in bytes with what is stored out of line. */
export interface TableSize {
  readonly rows: number;
  readonly bytes: number;
  readonly indexBytes: number;
}

/** What was aimed at and whether it was reached. */
export interface Verdict {
  readonly goal: string;
  readonly isReached: boolean;
}

/** What something is compared with, measured in the same run. */
export interface Comparison {
  readonly name: string;
  /** As the ratio was made. */
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

/** The results of a run; of each case the rows of its last run. */
export interface Results {
  /** Machine and versions, by what they are of. */
  readonly machine: Readonly<Record<string, string>>;
  readonly secondsEach: number;
  readonly cases: Readonly<Record<string, readonly ResultRow[]>>;
}
