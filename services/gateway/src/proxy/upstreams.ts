import type { ServiceMetrics } from '@birdhub/shared/metrics';
import { Counter, Gauge } from 'prom-client';
import { type Client, Pool } from 'undici';
import { createReplicaLookup } from './replica-lookup.js';
import { type PoolLimits, UpstreamPool } from './upstream-pool.js';

/** The services behind the gateway. */
export const serviceNames = ['ingest', 'query', 'reports', 'system'] as const;

/** One of {@link serviceNames}. */
export type ServiceName = (typeof serviceNames)[number];

type ByService<T> = Readonly<Record<ServiceName, T>>;

/** Kinds of exchanges that keep no places from each other, and how many of each a service has at once. */
const poolLimits = {
  /** Answers of JSON and text to requests whose bodies are here. */
  requests: { maxActive: 256 },
  /** Bodies that are passed on while they come. */
  uploads: { maxActive: 64 },
  /** Answers that are files. Each that no client takes leaves some megabytes in the buffers of the kernel. */
  files: { maxActive: 64, maxStalled: 128 },
  /** Answers that last as long as their clients stay. */
  streams: { maxActive: 2_000, maxWaiting: 0 },
} as const satisfies Record<string, PoolLimits>;

/** One of the kinds of exchanges. */
export type PoolName = keyof typeof poolLimits;

const poolNames = Object.keys(poolLimits) as readonly PoolName[];

/** The kept connections to each service. */
export interface Upstreams {
  readonly pools: Readonly<Record<PoolName, ByService<UpstreamPool>>>;
  /** For questions after the state of a service, which wait for nothing else. */
  readonly health: ByService<Pool>;
}

const keepAliveTimeoutMs = 15_000;
const options = {
  pipelining: 1,
  connect: { timeout: 2_000, lookup: createReplicaLookup() },
  keepAliveTimeout: keepAliveTimeoutMs,
  keepAliveMaxTimeout: keepAliveTimeoutMs,
} as const;

const socketScheme = 'unix:';

/** The origin and the options of connections to a service at a URL, or at `unix:/path`. */
function addressOf(name: ServiceName, url: string): [string, Client.Options] {
  if (!url.startsWith(socketScheme)) return [new URL(url).origin, options];
  const { timeout } = options.connect;
  const connect = { timeout, socketPath: url.slice(socketScheme.length) };
  return [`http://${name}`, { ...options, connect }];
}

function byService<T>(make: (name: ServiceName) => T): ByService<T> {
  return { ingest: make('ingest'), query: make('query'), reports: make('reports'), system: make('system') };
}

/** Pools for the services at these URLs, `unix:/path` for a Unix socket; connections are made when they are needed. */
export function openUpstreams(urls: ByService<string>): Upstreams {
  const open = (limits: PoolLimits) =>
    byService((name) => new UpstreamPool(...addressOf(name, urls[name]), limits));
  const openHealth = (name: ServiceName) => {
    const [origin, connectionOptions] = addressOf(name, urls[name]);
    return new Pool(origin, { ...connectionOptions, connections: 2 });
  };
  return {
    pools: {
      requests: open(poolLimits.requests),
      uploads: open(poolLimits.uploads),
      files: open(poolLimits.files),
      streams: open(poolLimits.streams),
    },
    health: byService(openHealth),
  };
}

/** Closes the connections when what is under way on them is done. */
export async function closeUpstreams({ pools, health }: Upstreams): Promise<void> {
  const ofExchanges = poolNames.flatMap((pool) => serviceNames.map((name) => pools[pool][name].close()));
  // Nobody waits for an answer to these any more.
  await Promise.all([...ofExchanges, ...serviceNames.map((name) => health[name].destroy())]);
}

/** Shows how many connections each pool has, who waits for one, and who got none. */
export function showUpstreams({ registry }: ServiceMetrics, { pools, health }: Upstreams): void {
  const registers = [registry];
  const labelNames = ['pool', 'upstream'] as const;
  const each = poolNames.flatMap((pool) =>
    serviceNames.map((upstream) => ({ labels: { pool, upstream }, pool: pools[pool][upstream] })),
  );
  new Gauge({
    name: 'hub_gateway_upstream_connections',
    help: 'Connections of the gateway to services, by whether they are busy or idle',
    labelNames: [...labelNames, 'state'],
    registers,
    collect() {
      for (const { labels, pool } of each) {
        const { busyConnections, idleConnections } = pool.state();
        this.set({ ...labels, state: 'busy' }, busyConnections);
        this.set({ ...labels, state: 'idle' }, idleConnections);
      }
      for (const upstream of serviceNames) {
        const { connected, running } = health[upstream].stats;
        this.set({ pool: 'health', upstream, state: 'busy' }, running);
        this.set({ pool: 'health', upstream, state: 'idle' }, Math.max(0, connected - running));
      }
    },
  });
  new Gauge({
    name: 'hub_gateway_upstream_waiting',
    help: 'Requests that wait for a place among those under way to a service',
    labelNames,
    registers,
    collect() {
      for (const { labels, pool } of each) this.set(labels, pool.state().waiting);
    },
  });
  new Counter({
    name: 'hub_gateway_upstream_refused_total',
    help: 'Requests that were answered 503 busy, as none of those before them ended in time',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const { labels, pool } of each) this.inc(labels, pool.state().refused);
    },
  });
}
