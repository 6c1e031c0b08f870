import type { Percentiles } from './latencies.js';
import type { RequestPlan } from './request-source.js';

/** A load to make: a closed loop on each connection. */
export interface LoadJob {
  /** `http://host:port` */
  readonly origin: string;
  readonly plan: RequestPlan;
  readonly connections: number;
  readonly seconds: number;
  /** Number of the first request; the job uses this one and the ones after it. */
  readonly first: number;
  readonly expectedStatus: number;
}

/** What came of a load. */
export interface LoadResult extends Percentiles {
  readonly perSecond: number;
  readonly requests: number;
  /** Bytes of one response, the largest. */
  readonly bytes: number;
  /** Of the process that made the load, in s. */
  readonly clientCpuSeconds: number;
}
