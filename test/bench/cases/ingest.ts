import { atLeastTimes, atMost, both, compareThroughput } from '../report/judge.js';
import type { ResultRow } from '../report/result-row.js';
import { type BenchCase, connectionCounts } from './bench-case.js';

/** New recordings of 3 detections with 30 boxes each, posted as a processor does. */
export const ingestCase: BenchCase = {
  name: 'ingest',
  about: 'new recordings, each with 3 detections of 30 boxes',
  kind: 'load',
  async run({ hub, meter }) {
    const rows: ResultRow[] = [];
    const plan = { kind: 'new-recordings', path: '/api/processor/videos' } as const;
    for (const connections of connectionCounts) {
      const row = await meter.measureHub('ingest', {
        origin: hub.origin,
        plan,
        connections,
        expectedStatus: 201,
      });
      const limit = await meter.measureIngestLimit(
        'limit: bare pg, rows and visits under a lock',
        connections,
        true,
      );
      const bare = await meter.measureIngestLimit(
        'limit: bare pg, rows in one statement',
        connections,
        false,
      );
      const ratio = compareThroughput(row.load, 'bare pg with visits', limit.load);
      const goals = [atLeastTimes(ratio, 0.5), atMost(row.load.p99, 100, 'ms', 'p99 ')];
      const judged = connections === 1 ? {} : { verdict: both(...goals) };
      rows.push({ ...row, limit: ratio, ...judged }, limit, bare);
    }
    return rows;
  },
};
