import { atMost } from '../report/judge.js';
import type { BenchCase } from './bench-case.js';

/** The requests of monitoring. */
const polls = [
  { title: 'metrics of the hub', path: '/metrics', connections: 12 },
  { title: 'status of the hub', path: '/api/ui/status', connections: 20 },
] as const;
const goalMs = 15;

/** The routes that Prometheus and dashboards poll. */
export const monitoringCase: BenchCase = {
  name: 'monitoring',
  about: 'metrics 12 at once, status 20 at once',
  kind: 'load',
  async run({ hub, meter }) {
    const rows = [];
    for (const { title, path, connections } of polls) {
      const plan = { kind: 'same', request: { method: 'GET', path } } as const;
      const row = await meter.measureHub(title, { origin: hub.origin, plan, connections });
      rows.push({ ...row, verdict: atMost(row.load.p975, goalMs, 'ms', 'p97.5 ') });
    }
    return rows;
  },
};
