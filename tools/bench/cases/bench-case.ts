import type { Scale } from '../data-set/scale.js';
import type { ResultRow } from '../report/result-row.js';
import type { HubProcess } from '../run/hub-process.js';
import type { LoadMeter } from '../run/load-meter.js';

/** Input of a case that loads a running hub. */
export interface HubBench {
  readonly hub: HubProcess;
  readonly scale: Scale;
  readonly meter: LoadMeter;
}

/** Input of a case that starts hubs itself. */
export interface StartBench {
  readonly repository: string;
  /** A data folder filled with the data set, which must not be changed. */
  readonly store: string;
  /** Length of each load. */
  readonly seconds: number;
}

/** A case of the benchmarks. */
export type BenchCase = {
  readonly name: string;
  readonly about: string;
  /** Runs only when it is named, as it takes long or is rarely needed. */
  readonly isOnRequest?: true;
} & (
  | { readonly kind: 'load'; run(bench: HubBench): Promise<ResultRow[]> }
  | {
      readonly kind: 'start';
      /** Starts with an empty data folder, so the data set is not loaded. */
      readonly isWithoutStore?: true;
      run(bench: StartBench): Promise<ResultRow[]>;
    }
);

/** A case that loads a running hub. */
export type LoadCase = BenchCase & { readonly kind: 'load' };

/** Each load runs once with each number of connections. */
export const connectionCounts = [1, 16] as const;
