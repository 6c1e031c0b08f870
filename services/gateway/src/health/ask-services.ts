import { type Conditions, readinessPath } from '@birdhub/shared/app';
import { createSingleFlight } from '@birdhub/shared/async';
import type { Dispatcher } from 'undici';
import type { Upstreams } from '../proxy/upstreams.js';
import type { Reports } from './hub-readiness.js';

/** Longer than a service asks its database, and readiness is answered within two seconds. */
const answerTimeoutMs = 1_800;

async function read(upstream: Dispatcher, headers: Record<string, string>): Promise<Conditions | undefined> {
  const signal = AbortSignal.timeout(answerTimeoutMs);
  const answer = await upstream.request({ path: readinessPath, method: 'GET', headers, signal });
  const body = await answer.body.json();
  return answer.statusCode === 200 ? (body as Conditions) : undefined;
}

/** Returns undefined whatever the reason is: a service that does not answer is not ready. */
async function ask(upstream: Dispatcher, headers: Record<string, string>): Promise<Conditions | undefined> {
  let timer: NodeJS.Timeout | undefined;
  // A signal does not reach a request that waits for its connection.
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), answerTimeoutMs);
  });
  try {
    return await Promise.race([read(upstream, headers).catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Makes a function that asks the four services at once how they are, on connections of its own; none gets more than
 * two seconds. Whoever asks while they are being asked shares the answers.
 */
export function createAskServices(
  upstreams: Upstreams['health'],
  internalSecret: string | undefined,
): () => Promise<Reports> {
  const headers: Record<string, string> =
    internalSecret === undefined ? {} : { 'x-hub-internal': internalSecret };
  const flights = createSingleFlight<Reports>();

  async function askAll(): Promise<Reports> {
    const [ingest, query, reports, system] = await Promise.all([
      ask(upstreams.ingest, headers),
      ask(upstreams.query, headers),
      ask(upstreams.reports, headers),
      ask(upstreams.system, headers),
    ]);
    return { ingest, query, reports, system };
  }

  return () => flights.run('all', askAll);
}
