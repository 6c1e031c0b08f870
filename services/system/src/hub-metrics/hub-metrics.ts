import { readFileSync } from 'node:fs';
import pLimit from 'p-limit';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { HostMetrics } from '../host-metrics/host-sampler.js';
import { type HubFacts, readHubFacts } from './hub-facts.store.js';
import { writeExposition } from './write-exposition.js';

/** The public metrics. */
export interface HubMetrics {
  /** Prometheus text 0.0.4, not older than the question. */
  text(): Promise<string>;
}

/** What the public metrics are made of. */
export interface HubMetricsSources {
  readonly pool: pg.Pool;
  readonly host: Pick<HostMetrics, 'snapshot'>;
  readonly log: Logger;
}

const manifest = new URL('../../package.json', import.meta.url);

/** Who asks while a text is being made shares the next one, so that many who ask at once cost two statements. */
export function createHubMetrics({ pool, host, log }: HubMetricsSources): HubMetrics {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const limit = pLimit(1);
  let next: Promise<string> | undefined;

  /** Without the database the host can still be watched, and what is absent tells of the rest. */
  async function findFacts(): Promise<HubFacts | undefined> {
    try {
      return await readHubFacts(pool);
    } catch (error) {
      log.warn({ err: error }, 'metrics without what the database knows');
      return undefined;
    }
  }

  async function write(): Promise<string> {
    next = undefined;
    const facts = await findFacts();
    return writeExposition({ version, host: host.snapshot(), facts });
  }

  return {
    text() {
      next ??= limit(write);
      return next;
    },
  };
}
