import type { Percentiles } from './latencies.js';
import type { RequestPlan } from './request-source.js';

/** A load: a closed loop on each connection. */
export interface LoadJob {
  /** `http://host:port` */
  readonly origin: string;
  readonly plan: RequestPlan;
  readonly connections: number;
  readonly seconds: number;
  /** Number of the first request. */
  readonly first: number;
  readonly expectedStatus: number;
}

/** The result of a load. */
export interface LoadResult extends Percentiles {
  readonly perSecond: number;
  readonly requests: number;
  /** Size of the largest response. */
  readonly bytes: number;
  /** CPU time of the process that made the load. */
  readonly clientCpuSeconds: number;
}
