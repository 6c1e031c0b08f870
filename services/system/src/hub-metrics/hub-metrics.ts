import { readFileSync } from 'node:fs';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { HostMetrics } from '../host-metrics/host-sampler.js';
import { type HubFacts, readHubFacts } from './hub-facts.store.js';
import { writeExposition } from './write-exposition.js';

/** The public metrics. */
export interface HubMetrics {
  /** Prometheus text 0.0.4, not older than a second. */
  text(): Promise<string>;
}

/** What the public metrics are made of. */
export interface HubMetricsSources {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly host: Pick<HostMetrics, 'snapshot'>;
  readonly log: Logger;
}

const keptMs = 1_000;
const manifest = new URL('../../package.json', import.meta.url);

/** Keeps the text for a second, so that many who ask cost one statement. */
export function createHubMetrics({ pool, clock, host, log }: HubMetricsSources): HubMetrics {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  let kept: { readonly at: number; readonly text: Promise<string> } | undefined;

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
    const facts = await findFacts();
    return writeExposition({ version, host: host.snapshot(), facts });
  }

  return {
    text() {
      const now = clock.now();
      if (!kept || now - kept.at >= keptMs || now < kept.at) kept = { at: now, text: write() };
      return kept.text;
    },
  };
}
