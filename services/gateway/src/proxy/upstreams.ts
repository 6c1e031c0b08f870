import { Pool } from 'undici';
import { createReplicaLookup } from './replica-lookup.js';

/** The services behind the gateway. */
export const serviceNames = ['ingest', 'query', 'reports', 'system'] as const;

/** One of {@link serviceNames}. */
export type ServiceName = (typeof serviceNames)[number];

type Pools = Readonly<Record<ServiceName, Pool>>;

/** The kept connections to each service. */
export interface Upstreams extends Pools {
  /** For answers that last as long as their clients stay: as many as there are, so that nothing else waits for them. */
  readonly streams: Pools;
}

const mostConnections = 256;
const options = {
  pipelining: 1,
  connect: { timeout: 2_000, lookup: createReplicaLookup() },
  keepAliveTimeout: 60_000,
  // Replicas that came later get their share.
  clientTtl: 60_000,
} as const;

/** Pools for the services at these URLs; connections are made when they are needed. */
export function openUpstreams(urls: Readonly<Record<ServiceName, string>>): Upstreams {
  const open = (connections: number | null): Pools => {
    const pool = (name: ServiceName) => new Pool(new URL(urls[name]).origin, { ...options, connections });
    return { ingest: pool('ingest'), query: pool('query'), reports: pool('reports'), system: pool('system') };
  };
  return { ...open(mostConnections), streams: open(null) };
}

/** Closes the connections when what is under way on them is done. */
export async function closeUpstreams(upstreams: Upstreams): Promise<void> {
  const pools = serviceNames.flatMap((name) => [upstreams[name], upstreams.streams[name]]);
  await Promise.all(pools.map((pool) => pool.close()));
}
