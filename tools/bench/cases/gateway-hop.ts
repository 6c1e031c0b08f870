import { atLeastTimes, atMost, compareLatency, compareThroughput } from '../report/judge.js';
import type { ResultRow } from '../report/result-row.js';
import { internalSecret } from '../run/hub-process.js';
import { type BenchCase, connectionCounts } from './bench-case.js';

const path = '/api/ui/bird_families';
const direct = { method: 'GET', path, headers: { 'x-hub-internal': internalSecret } } as const;

/** The same small response through the gateway and directly from the service. */
export const gatewayHopCase: BenchCase = {
  name: 'gateway-hop',
  about: 'a small answer through the gateway and past it',
  kind: 'load',
  async run({ hub, meter }) {
    const rows: ResultRow[] = [];
    for (const connections of connectionCounts) {
      const through = await meter.measureHub('small answer through the gateway', {
        origin: hub.origin,
        plan: { kind: 'same', request: { method: 'GET', path } },
        connections,
      });
      const past = await meter.measureHub('small answer from the query service itself', {
        origin: hub.originOf('query'),
        plan: { kind: 'same', request: direct },
        connections,
      });
      const added = atMost(through.load.p50 - past.load.p50, 0.25, 'ms', 'adds ');
      const throughput = compareThroughput(through.load, 'direct', past.load);
      const judged =
        connections === 1
          ? { limit: compareLatency(through.load, 'direct', past.load), verdict: added }
          : { limit: throughput, verdict: atLeastTimes(throughput, 0.6) };
      rows.push({ ...through, ...judged }, past);
    }
    return rows;
  },
};
