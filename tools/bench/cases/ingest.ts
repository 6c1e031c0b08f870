import { atLeastTimes, atMost, both, compareThroughput } from '../report/judge.js';
import type { ResultRow } from '../report/result-row.js';
import type { LoadMeter, Measured } from '../run/load-meter.js';
import { type BenchCase, connectionCounts } from './bench-case.js';

/** With few sessions, locks of common birds are contended less; with many, waits for the disk overlap more. */
const sessionCounts = [4, 16];

/** Measures bare pg with this number of concurrent recordings, for several numbers of sessions. */
async function measureLimits(meter: LoadMeter, connections: number): Promise<Measured[]> {
  const counts = sessionCounts.filter((sessions) => sessions <= connections);
  const rows: Measured[] = [];
  for (const sessions of counts.length ? counts : [connections]) {
    const title = `limit: bare pg, rows and visits under a lock, sessions: ${sessions}`;
    rows.push(await meter.measureIngestLimit(title, { connections, sessions, withVisits: true }));
  }
  return rows;
}

const faster = (a: Measured, b: Measured) => (b.load.perSecond > a.load.perSecond ? b : a);

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
      const limits = await measureLimits(meter, connections);
      const bareRows = { connections, sessions: connections, withVisits: false };
      const bare = await meter.measureIngestLimit('limit: bare pg, rows in one statement', bareRows);
      const ratio = compareThroughput(row.load, 'bare pg with visits', limits.reduce(faster).load);
      const goals = [atLeastTimes(ratio, 0.6), atMost(row.load.p99, 80, 'ms', 'p99 ')];
      const judged = connections === 1 ? {} : { verdict: both(...goals) };
      rows.push({ ...row, limit: ratio, ...judged }, ...limits, bare);
    }
    return rows;
  },
};
