import { HubError } from '@birdhub/shared/errors';
import { Client, type Dispatcher } from 'undici';

/** A request that needs a connection, which it holds until {@link UpstreamPool.release} or {@link UpstreamPool.abandon}. */
export interface PooledRequest {
  /** Address of the client; clients with many requests lose one first. */
  readonly clientAddress: string;
  /** Called once, when a connection is available. */
  onConnection(connection: Dispatcher): void;
  /** Called when no connection became available in time; the request has left the pool. */
  onRejected(error: HubError): void;
  /** Whether it currently waits for its client rather than for the service. */
  isWaitingForClient(now: number): boolean;
  /** Called when too many requests wait for their clients and this one is evicted. */
  abort(): void;
}

/** Limits of a pool. */
export interface PoolLimits {
  /** Maximum requests in flight that do not wait for their clients. */
  readonly maxActive: number;
  /** Maximum requests that wait for their clients; beyond it, the oldest request of the client with most of them is aborted. */
  readonly maxStalled?: number;
  /** Maximum queued requests. */
  readonly maxWaiting?: number;
  /** Maximum time in the queue. */
  readonly queueTimeoutMs?: number;
}

/** A snapshot of connections and requests. */
export interface PoolState {
  readonly busyConnections: number;
  readonly idleConnections: number;
  readonly waiting: number;
  /** Rejected requests since the start. */
  readonly rejected: number;
}

/** Maximum age of a connection, so that new replicas get their share. */
const maxConnectionAgeMs = 60_000;
const queueCheckIntervalMs = 50;
const retryAfterSeconds = 2;

interface Connection {
  readonly client: Client;
  readonly openedAt: number;
}

interface Waiting {
  readonly request: PooledRequest;
  readonly since: number;
}

/**
 * The connections to one service for one kind of request, each for one request at a time. Only requests that the
 * service is processing count towards the limit: one that waits for a slow client yields its place to others.
 * Requests are not queued in undici, where they could not be cancelled.
 */
export class UpstreamPool {
  readonly #origin: string;
  readonly #options: Client.Options;
  readonly #limits: Required<PoolLimits>;
  readonly #active = new Map<PooledRequest, Connection>();
  readonly #stalled = new Map<PooledRequest, Connection>();
  /** Oldest first. Served in LIFO order: under overload the clients of older requests have mostly given up. */
  readonly #waiting: Waiting[] = [];
  /** Most recently used last and reused first, so that surplus ones time out. */
  readonly #idle: Connection[] = [];
  #queueTimer: NodeJS.Timeout | undefined;
  #rejected = 0;

  constructor(origin: string, options: Client.Options, limits: PoolLimits) {
    this.#origin = origin;
    this.#options = options;
    this.#limits = { maxStalled: 512, maxWaiting: 1_024, queueTimeoutMs: 1_200, ...limits };
  }

  /** Assigns a connection to the request, now or when one is available, or rejects it with the HubError `busy`. */
  acquire(request: PooledRequest): void {
    const { maxActive, maxWaiting } = this.#limits;
    if (this.#active.size < maxActive) {
      this.#start(request);
    } else if (this.#waiting.length >= maxWaiting) {
      this.#reject(request);
    } else {
      this.#waiting.push({ request, since: performance.now() });
      this.#queueTimer ??= setInterval(() => this.#checkQueue(performance.now()), queueCheckIntervalMs);
    }
  }

  /** Releases the connection of a finished request. */
  release(request: PooledRequest): void {
    const connection = this.#detach(request);
    if (!connection) return;
    if (!connection.client.destroyed) this.#idle.push(connection);
    this.#admit();
  }

  /** Closes the connection of a request or removes it from the queue; does nothing if neither applies. */
  abandon(request: PooledRequest): void {
    const connection = this.#detach(request);
    if (!connection) {
      const index = this.#waiting.findIndex((one) => one.request === request);
      if (index >= 0) this.#waiting.splice(index, 1);
      return;
    }
    // Aborting the request itself would make undici reconnect.
    void connection.client.destroy();
    this.#admit();
  }

  /** Replaces the connection of a request with a new one; returns undefined when it no longer has one. */
  reconnect(request: PooledRequest): Dispatcher | undefined {
    const requests = this.#active.has(request) ? this.#active : this.#stalled;
    const previous = requests.get(request);
    if (!previous) return undefined;
    void previous.client.destroy();
    const connection = this.#open();
    requests.set(request, connection);
    return connection.client;
  }

  state(): PoolState {
    return {
      busyConnections: countConnected(this.#active.values()) + countConnected(this.#stalled.values()),
      idleConnections: countConnected(this.#idle),
      waiting: this.#waiting.length,
      rejected: this.#rejected,
    };
  }

  /** Rejects queued requests, and closes connections after their current requests. */
  async close(): Promise<void> {
    clearInterval(this.#queueTimer);
    for (const { request } of this.#waiting.splice(0)) this.#reject(request);
    const all = [...this.#active.values(), ...this.#stalled.values(), ...this.#idle];
    await Promise.all(all.map(({ client }) => client.destroyed || client.close()));
  }

  #start(request: PooledRequest): void {
    const connection = this.#takeIdle() ?? this.#open();
    this.#active.set(request, connection);
    request.onConnection(connection.client);
  }

  #takeIdle(): Connection | undefined {
    for (;;) {
      const connection = this.#idle.pop();
      if (!connection || performance.now() - connection.openedAt < maxConnectionAgeMs) return connection;
      void connection.client.close();
    }
  }

  #open(): Connection {
    const client = new Client(this.#origin, this.#options);
    const connection = { client, openedAt: performance.now() };
    client.on('disconnect', () => {
      const index = this.#idle.indexOf(connection);
      if (index < 0) return;
      this.#idle.splice(index, 1);
      void client.destroy();
    });
    return connection;
  }

  #detach(request: PooledRequest): Connection | undefined {
    const connection = this.#active.get(request) ?? this.#stalled.get(request);
    if (!this.#active.delete(request)) this.#stalled.delete(request);
    return connection;
  }

  #reject(request: PooledRequest): void {
    this.#rejected += 1;
    request.onRejected(new HubError('busy', { retryAfterSeconds }));
  }

  #admit(): void {
    while (this.#waiting.length > 0 && this.#active.size < this.#limits.maxActive) {
      const next = this.#waiting.pop();
      if (next) this.#start(next.request);
    }
  }

  /**
   * Runs while requests are queued: evicts requests that wait for their clients, and rejects those that were queued too
   * long.
   */
  #checkQueue(now: number): void {
    for (const [request, connection] of this.#active) {
      if (!request.isWaitingForClient(now)) continue;
      this.#active.delete(request);
      this.#stalled.set(request, connection);
    }
    while (this.#stalled.size > this.#limits.maxStalled) {
      const request = findOfHeaviestClient([...this.#stalled.keys()]);
      if (!request) break;
      request.abort();
      this.abandon(request);
    }
    this.#admit();
    const firstInTime = this.#waiting.findIndex(({ since }) => now - since < this.#limits.queueTimeoutMs);
    const late = this.#waiting.splice(0, firstInTime < 0 ? this.#waiting.length : firstInTime);
    for (const { request } of late) this.#reject(request);
    if (this.#waiting.length > 0) return;
    clearInterval(this.#queueTimer);
    this.#queueTimer = undefined;
  }
}

const countConnected = (connections: Iterable<Connection>) =>
  [...connections].filter(({ client }) => client.stats.connected).length;

/** Returns the first request of the client with the most requests. */
function findOfHeaviestClient(requests: readonly PooledRequest[]): PooledRequest | undefined {
  const counts = new Map<string, number>();
  for (const { clientAddress } of requests) counts.set(clientAddress, (counts.get(clientAddress) ?? 0) + 1);
  const highest = Math.max(...counts.values());
  return requests.find(({ clientAddress }) => counts.get(clientAddress) === highest);
}
