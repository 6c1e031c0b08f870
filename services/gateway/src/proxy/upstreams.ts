import { Pool } from 'undici';

/** The services behind the gateway. */
export const serviceNames = ['ingest', 'query', 'reports', 'system'] as const;

/** One of {@link serviceNames}. */
export type ServiceName = (typeof serviceNames)[number];

/** The kept connections to each service. */
export type Upstreams = Readonly<Record<ServiceName, Pool>>;

const options = {
  connections: 256,
  pipelining: 1,
  connect: { timeout: 2_000 },
  keepAliveTimeout: 60_000,
} as const;

/** Pools for the services at these URLs; connections are made when they are needed. */
export function openUpstreams(urls: Readonly<Record<ServiceName, string>>): Upstreams {
  const open = (name: ServiceName) => new Pool(new URL(urls[name]).origin, options);
  return { ingest: open('ingest'), query: open('query'), reports: open('reports'), system: open('system') };
}

/** Closes the connections when what is under way on them is done. */
export async function closeUpstreams(upstreams: Upstreams): Promise<void> {
  await Promise.all(serviceNames.map((name) => upstreams[name].close()));
}
