import type { IngestJob } from '../limits/ingest-job.js';
import type { ResultRow } from '../report/result-row.js';
import { runJob } from './job-process.js';
import type { LoadJob, LoadResult } from './load-job.js';
import type { Roots } from './process-groups.js';
import { watchProcesses } from './process-watch.js';

const loadProcess = new URL('./load-process.ts', import.meta.url);
const ingestProcess = new URL('../limits/ingest-process.ts', import.meta.url);
const warmUpSeconds = 1;
/** The recordings of the limit are months after those of the hub, so that their visits do not touch. */
const firstOfLimit = 500_000;

/** A load without the properties that the meter adds. */
export type Load = Omit<LoadJob, 'seconds' | 'first' | 'expectedStatus'> & {
  readonly expectedStatus?: number;
};

/** Options of {@link LoadMeter.measureIngestLimit}. */
export type BareIngest = Pick<IngestJob, 'connections' | 'sessions' | 'withVisits'>;

/** Makes loads, each after a short warm-up; no request number is used twice. */
export interface LoadMeter {
  /** Loads the hub and watches its processes. */
  measureHub(title: string, load: Load): Promise<Measured>;
  /** Loads a limit. */
  measureLimit(title: string, load: Load): Promise<Measured>;
  /** Stores recordings with pg only. */
  measureIngestLimit(title: string, load: BareIngest): Promise<Measured>;
}

/** A result row of a load. */
export type Measured = ResultRow & { readonly load: LoadResult; readonly connections: number };

/** Creates a meter for one hub. */
export function createLoadMeter(hub: { roots: Roots; databaseUrl: string }, seconds: number): LoadMeter {
  const next = new Map([['limit new-recordings', firstOfLimit]]);

  /** Runs a job for the warm-up and then in full length, with unused numbers. */
  async function runWithWarmUp(
    counter: string,
    run: (seconds: number, first: number) => Promise<LoadResult>,
  ) {
    let result: LoadResult | undefined;
    for (const length of [warmUpSeconds, seconds]) {
      const first = next.get(counter) ?? 0;
      result = await run(length, first);
      next.set(counter, first + result.requests);
    }
    if (!result) throw new Error('nothing was measured');
    return result;
  }

  const runOne = (load: Load) => (length: number, first: number) =>
    runJob<LoadJob, LoadResult>(loadProcess, { expectedStatus: 200, ...load, seconds: length, first });

  async function measureHub(title: string, load: Load): Promise<Measured> {
    let processes: ResultRow['processes'] = [];
    const result = await runWithWarmUp(load.plan.kind, async (length, first) => {
      const watch = watchProcesses(hub.roots);
      try {
        return await runOne(load)(length, first);
      } finally {
        processes = watch.stop();
      }
    });
    return { title, connections: load.connections, load: result, processes };
  }

  return {
    measureHub,
    measureLimit: async (title, load) => {
      const result = await runWithWarmUp(`limit ${load.plan.kind}`, runOne(load));
      return { title, connections: load.connections, load: result };
    },
    measureIngestLimit: async (title, load) => {
      const job = { databaseUrl: hub.databaseUrl, ...load };
      const result = await runWithWarmUp('limit new-recordings', (length, first) =>
        runJob<IngestJob, LoadResult>(ingestProcess, { ...job, seconds: length, first }),
      );
      return { title, connections: load.connections, load: result };
    },
  };
}
