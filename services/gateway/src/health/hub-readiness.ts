import type { Condition, Conditions } from '@birdhub/shared/app';
import type { ServiceName } from '../proxy/upstreams.js';
import { serviceNames } from '../proxy/upstreams.js';
import type { HubReadiness } from './health.schema.js';

/** What each service said of itself; nothing when it did not answer. */
export type Reports = Readonly<Record<ServiceName, Conditions | undefined>>;

function worst(conditions: readonly Condition[]): 'ok' | 'error' {
  return conditions.includes('ok') && !conditions.includes('error') ? 'ok' : 'error';
}

/**
 * How the whole hub is. Without the broker everything that people see keeps working, so that alone is
 * `degraded`; anything else that is missing is an `error`.
 */
export function judgeReadiness(reports: Reports): HubReadiness {
  const answers = serviceNames.flatMap((name) => reports[name] ?? []);
  const of = (name: ServiceName) => (reports[name] ? 'ok' : 'error');
  const checks = {
    database: worst(answers.map(({ database }) => database)),
    broker: worst(answers.map(({ broker }) => broker)),
    ingest: of('ingest'),
    query: of('query'),
    reports: of('reports'),
    system: of('system'),
  } as const;
  const { broker, ...needed } = checks;
  if (Object.values(needed).includes('error')) return { status: 'error', checks };
  return { status: broker === 'ok' ? 'ok' : 'degraded', checks };
}
