import type pg from 'pg';
import { Gauge } from 'prom-client';
import type { ServiceMetrics } from './service-metrics.js';

/** Shows how many connections to the database are busy and idle, and who waits for one. */
export function showPool({ registry }: ServiceMetrics, pool: pg.Pool): void {
  const registers = [registry];
  new Gauge({
    name: 'hub_database_connections',
    help: 'Database connections by state: busy, idle',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
    },
  });
  new Gauge({
    name: 'hub_database_waiting',
    help: 'Callers waiting for a database connection',
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
}
