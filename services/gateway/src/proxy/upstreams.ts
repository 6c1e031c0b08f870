import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { ServiceMetrics } from '@birdhub/shared/metrics';
import { Counter, Gauge } from 'prom-client';
import { type Client, Pool } from 'undici';
import { type PoolLimits, UpstreamPool } from './upstream-pool.js';

/** The services behind the gateway. */
export const serviceNames = ['ingest', 'query', 'reports', 'system'] as const;

/** One of {@link serviceNames}. */
export type ServiceName = (typeof serviceNames)[number];

type ByService<T> = Readonly<Record<ServiceName, T>>;

/** Kinds of requests with separate pools, and their limits per service. */
const poolLimits = {
  /** JSON and text responses to requests with buffered bodies. */
  requests: { maxActive: 256 },
  /** Streamed bodies. */
  uploads: { maxActive: 64 },
  /** Recordings, which are streamed for as long as clients play them. */
  media: { maxActive: 192, maxStalled: 256, maxWaiting: 256, queueTimeoutMs: 10_000 },
  /**
   * Other files. A response that its client does not read occupies some megabytes of kernel buffers. The queue timeout
   * is longer than for other requests, as browsers do not retry rejected pictures.
   */
  files: { maxActive: 64, maxStalled: 128, queueTimeoutMs: 5_000 },
  /** Endless responses. */
  streams: { maxActive: 2_000, maxWaiting: 0 },
} as const satisfies Record<string, PoolLimits>;

/** One of the kinds of requests. */
export type PoolName = keyof typeof poolLimits;

const poolNames = Object.keys(poolLimits) as readonly PoolName[];

/** The connections to each service. */
export interface Upstreams {
  readonly pools: Readonly<Record<PoolName, ByService<UpstreamPool>>>;
  /** Separate connections for readiness probes. */
  readonly health: ByService<Pool>;
}

/** Opens pools for the services at these URLs (`unix:/path` for a Unix socket), which connect on demand. */
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
      media: open(poolLimits.media),
      files: open(poolLimits.files),
      streams: open(poolLimits.streams),
    },
    health: byService(openHealth),
  };
}

const keepAliveTimeoutMs = 15_000;
const clientOptions = {
  pipelining: 1,
  connect: { timeout: 2_000, lookup: createReplicaLookup() },
  keepAliveTimeout: keepAliveTimeoutMs,
  keepAliveMaxTimeout: keepAliveTimeoutMs,
} as const;

const socketScheme = 'unix:';

/** Returns the origin and the client options of a service at a URL, or at `unix:/path`. */
function addressOf(name: ServiceName, url: string): [string, Client.Options] {
  if (!url.startsWith(socketScheme)) return [new URL(url).origin, clientOptions];
  const { timeout } = clientOptions.connect;
  const connect = { timeout, socketPath: url.slice(socketScheme.length) };
  return [`http://${name}`, { ...clientOptions, connect }];
}

function byService<T>(make: (name: ServiceName) => T): ByService<T> {
  return { ingest: make('ingest'), query: make('query'), reports: make('reports'), system: make('system') };
}

type Resolve = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * Creates a lookup that starts at a random address of a name: the system's order is stable, which would send all
 * connections to one replica.
 */
export function createReplicaLookup(random = Math.random, resolve: Resolve = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found = []) => {
      if (error) return callback(error, []);
      const first = Math.floor(random() * found.length);
      const rotated = [...found.slice(first), ...found.slice(0, first)];
      if (options.all) return callback(null, rotated);
      const [{ address, family } = { address: '', family: 0 }] = rotated;
      callback(null, address, family);
    });
  };
}

/** Closes the connections after their current requests. */
export async function closeUpstreams({ pools, health }: Upstreams): Promise<void> {
  const ofRequests = poolNames.flatMap((pool) => serviceNames.map((name) => pools[pool][name].close()));
  // No readiness probe is pending any more.
  await Promise.all([...ofRequests, ...serviceNames.map((name) => health[name].destroy())]);
}

/** Adds metrics of the pools: connections, queued and rejected requests. */
export function addUpstreamMetrics({ registry }: ServiceMetrics, { pools, health }: Upstreams): void {
  const registers = [registry];
  const labelNames = ['pool', 'upstream'] as const;
  const each = poolNames.flatMap((pool) =>
    serviceNames.map((upstream) => ({ labels: { pool, upstream }, pool: pools[pool][upstream] })),
  );
  new Gauge({
    name: 'hub_gateway_upstream_connections',
    help: 'Connections of the gateway to services, busy or idle',
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
    help: 'Requests queued for a connection to a service',
    labelNames,
    registers,
    collect() {
      for (const { labels, pool } of each) this.set(labels, pool.state().waiting);
    },
  });
  new Counter({
    name: 'hub_gateway_upstream_refused_total',
    help: 'Requests rejected with 503 busy because no connection became available in time',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const { labels, pool } of each) this.inc(labels, pool.state().rejected);
    },
  });
}
