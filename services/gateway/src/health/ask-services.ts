import { type Conditions, readinessPath } from '@birdhub/shared/app';
import type { Dispatcher } from 'undici';
import type { Upstreams } from '../proxy/upstreams.js';
import type { Reports } from './hub-readiness.js';

const patienceMs = 2_000;

async function ask(upstream: Dispatcher, headers: Record<string, string>): Promise<Conditions | undefined> {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const answer = await upstream.request({ path: readinessPath, method: 'GET', headers, signal });
    const body = await answer.body.json();
    return answer.statusCode === 200 ? (body as Conditions) : undefined;
  } catch {
    // Whatever the reason: a service that does not answer is not ready.
    return undefined;
  }
}

/** Asks the four services at once how they are; none gets more than two seconds. */
export async function askServices(
  upstreams: Upstreams,
  internalSecret: string | undefined,
): Promise<Reports> {
  const headers: Record<string, string> =
    internalSecret === undefined ? {} : { 'x-hub-internal': internalSecret };
  const [ingest, query, reports, system] = await Promise.all([
    ask(upstreams.ingest, headers),
    ask(upstreams.query, headers),
    ask(upstreams.reports, headers),
    ask(upstreams.system, headers),
  ]);
  return { ingest, query, reports, system };
}
