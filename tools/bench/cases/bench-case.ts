import type { Scale } from '../data-set/scale.js';
import type { ResultRow } from '../report/result-row.js';
import type { HubProcess } from '../run/hub-process.js';
import type { LoadMeter } from '../run/load-meter.js';

/** What a case that loads a running hub is given. */
export interface HubBench {
  readonly hub: HubProcess;
  readonly scale: Scale;
  readonly meter: LoadMeter;
}

/** What a case that starts hubs itself is given. */
export interface StartBench {
  readonly repository: string;
  /** A data folder filled with the data set, not to be changed. */
  readonly store: string;
  /** Length of each load. */
  readonly seconds: number;
}

/** A case of the benchmarks. */
export type BenchCase = {
  readonly name: string;
  readonly about: string;
  /** Takes so long, or asks so special a question, that it runs only when it is named. */
  readonly isOnRequest?: true;
} & (
  | { readonly kind: 'load'; run(bench: HubBench): Promise<ResultRow[]> }
  | {
      readonly kind: 'start';
      /** Begins with an empty data folder: the data set is not loaded for it. */
      readonly isWithoutStore?: true;
      run(bench: StartBench): Promise<ResultRow[]>;
    }
);

/** The numbers of connections that each load is made with. */
export const connectionCounts = [1, 16] as const;
