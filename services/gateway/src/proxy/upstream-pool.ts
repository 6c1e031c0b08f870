import { HubError } from '@birdhub/shared/errors';
import { Client, type Dispatcher } from 'undici';

/** Something that takes a place in a pool, until {@link UpstreamPool.release} or {@link UpstreamPool.abandon}. */
export interface PoolEntrant {
  /** Whose it is, so that who has many loses one before others do. */
  readonly clientAddress: string;
  /** Begins; called once, when there is a place. */
  begin(connection: Dispatcher): void;
  /** Is told that there was no place in time; it has left then. */
  refuse(error: HubError): void;
  /** Whether it has been waiting for its client, not for the service, for a moment. */
  isWaitingForClient(now: number): boolean;
  /** Is told to give up, as too many wait for their clients. */
  cutOff(): void;
}

/** How many exchanges a pool has at once. */
export interface PoolLimits {
  /** Exchanges under way that do not wait for their clients. */
  readonly maxActive: number;
  /** Exchanges that wait for their clients; for one more, the oldest of the client with most of them is cut off. */
  readonly maxStalled?: number;
  /** Exchanges that wait for a place. */
  readonly maxWaiting?: number;
  /** Longest time that one waits for a place. */
  readonly queueTimeoutMs?: number;
}

/** What a pool has at one moment. */
export interface PoolState {
  readonly busyConnections: number;
  readonly idleConnections: number;
  readonly waiting: number;
  /** Exchanges that got no place since the start. */
  readonly refused: number;
}

/** A connection is not used for longer, so that replicas that came later get their share. */
const maxConnectionAgeMs = 60_000;
const reviewIntervalMs = 50;
const retryAfterSeconds = 2;

interface Connection {
  readonly client: Client;
  readonly openedAt: number;
}

interface Waiting {
  readonly entrant: PoolEntrant;
  readonly since: number;
}

const countConnected = (connections: Iterable<Connection>) =>
  [...connections].filter(({ client }) => client.stats.connected).length;

/** The first exchange of the client that has most of them. */
function findMostGreedy(entrants: readonly PoolEntrant[]): PoolEntrant | undefined {
  const counts = new Map<string, number>();
  for (const { clientAddress } of entrants) counts.set(clientAddress, (counts.get(clientAddress) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return entrants.find(({ clientAddress }) => counts.get(clientAddress) === most);
}

/**
 * The connections to one service for one kind of exchange, each for one exchange at a time. Only exchanges that the
 * service works on count against the limit: one that waits for a slow client makes room when others need its place.
 * Nothing waits inside of undici, from where it could not be taken back.
 */
export class UpstreamPool {
  readonly #origin: string;
  readonly #options: Client.Options;
  readonly #limits: Required<PoolLimits>;
  readonly #active = new Map<PoolEntrant, Connection>();
  readonly #stalled = new Map<PoolEntrant, Connection>();
  /** The oldest first. The newest is served first: under overload the others have mostly given up. */
  readonly #waiting: Waiting[] = [];
  /** The one that was used last is used first, so that those which are not needed close. */
  readonly #idle: Connection[] = [];
  #reviewing: NodeJS.Timeout | undefined;
  #refused = 0;

  constructor(origin: string, options: Client.Options, limits: PoolLimits) {
    this.#origin = origin;
    this.#options = options;
    this.#limits = { maxStalled: 512, maxWaiting: 1_024, queueTimeoutMs: 1_200, ...limits };
  }

  /** Begins the exchange now, or when a place is free, or refuses it with the HubError `busy`. */
  enter(entrant: PoolEntrant): void {
    const { maxActive, maxWaiting } = this.#limits;
    if (this.#active.size < maxActive) {
      this.#begin(entrant);
    } else if (this.#waiting.length >= maxWaiting) {
      this.#refuse(entrant);
    } else {
      this.#waiting.push({ entrant, since: performance.now() });
      this.#reviewing ??= setInterval(() => this.#review(performance.now()), reviewIntervalMs);
    }
  }

  /** Takes the place and the connection back from an exchange that has ended. */
  release(entrant: PoolEntrant): void {
    const connection = this.#takeBack(entrant);
    if (!connection) return;
    if (!connection.client.destroyed) this.#idle.push(connection);
    this.#admit();
  }

  /** Ends an exchange wherever it is, and its connection; nothing happens when it has no place. */
  abandon(entrant: PoolEntrant): void {
    const connection = this.#takeBack(entrant);
    if (!connection) {
      const index = this.#waiting.findIndex((one) => one.entrant === entrant);
      if (index >= 0) this.#waiting.splice(index, 1);
      return;
    }
    // Not by the exchange's own abort, after which undici would connect once more, for nobody.
    void connection.client.destroy();
    this.#admit();
  }

  /** Gives an exchange a connection that nothing was sent on yet, in the place of the one that it had. */
  reconnect(entrant: PoolEntrant): Dispatcher | undefined {
    const places = this.#active.has(entrant) ? this.#active : this.#stalled;
    const before = places.get(entrant);
    if (!before) return undefined;
    void before.client.destroy();
    const connection = this.#open();
    places.set(entrant, connection);
    return connection.client;
  }

  /** Counts connections and exchanges. */
  state(): PoolState {
    return {
      busyConnections: countConnected(this.#active.values()) + countConnected(this.#stalled.values()),
      idleConnections: countConnected(this.#idle),
      waiting: this.#waiting.length,
      refused: this.#refused,
    };
  }

  /** Closes the connections when what is under way on them is done, and refuses what waits. */
  async close(): Promise<void> {
    clearInterval(this.#reviewing);
    for (const { entrant } of this.#waiting.splice(0)) this.#refuse(entrant);
    const all = [...this.#active.values(), ...this.#stalled.values(), ...this.#idle];
    await Promise.all(all.map(({ client }) => client.destroyed || client.close()));
  }

  #begin(entrant: PoolEntrant): void {
    const connection = this.#takeIdle() ?? this.#open();
    this.#active.set(entrant, connection);
    entrant.begin(connection.client);
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

  #takeBack(entrant: PoolEntrant): Connection | undefined {
    const connection = this.#active.get(entrant) ?? this.#stalled.get(entrant);
    if (!this.#active.delete(entrant)) this.#stalled.delete(entrant);
    return connection;
  }

  #refuse(entrant: PoolEntrant): void {
    this.#refused += 1;
    entrant.refuse(new HubError('busy', { retryAfterSeconds }));
  }

  #admit(): void {
    while (this.#waiting.length > 0 && this.#active.size < this.#limits.maxActive) {
      const next = this.#waiting.pop();
      if (next) this.#begin(next.entrant);
    }
  }

  /** Runs while exchanges wait: those that wait for their clients make room, those that waited too long are refused. */
  #review(now: number): void {
    for (const [entrant, connection] of this.#active) {
      if (!entrant.isWaitingForClient(now)) continue;
      this.#active.delete(entrant);
      this.#stalled.set(entrant, connection);
    }
    while (this.#stalled.size > this.#limits.maxStalled) {
      const entrant = findMostGreedy([...this.#stalled.keys()]);
      if (!entrant) break;
      entrant.cutOff();
      this.abandon(entrant);
    }
    this.#admit();
    const firstInTime = this.#waiting.findIndex(({ since }) => now - since < this.#limits.queueTimeoutMs);
    const late = this.#waiting.splice(0, firstInTime < 0 ? this.#waiting.length : firstInTime);
    for (const { entrant } of late) this.#refuse(entrant);
    if (this.#waiting.length > 0) return;
    clearInterval(this.#reviewing);
    this.#reviewing = undefined;
  }
}
