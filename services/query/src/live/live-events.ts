import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { createLimiter } from '@birdhub/shared/async';
import { type Bus, BusUnavailableError, type StreamExtent } from '@birdhub/shared/bus';
import { HubError } from '@birdhub/shared/errors';
import type { Logger } from 'pino';
import { LiveClient, type LiveName, type LiveSink, toBatch, toFrame } from './live-client.js';
import { LiveFeed } from './live-feed.js';

/** The request of a client. */
export interface LiveWish {
  /** Names of the events that it wants; all of them when undefined. */
  readonly names: ReadonlySet<LiveName> | undefined;
  /** The last event that it has; `unknown` for one that is no place in the stream. */
  readonly lastEvent: number | 'unknown' | undefined;
}

/** Dependencies and limits of live events. */
export interface LiveEventsOptions {
  readonly bus: Pick<Bus, 'subscribe' | 'extent' | 'status'>;
  readonly log: Logger;
  readonly maxClients?: number;
  readonly heartbeatMs?: number;
  readonly replay?: Partial<ReplayLimits>;
}

/** Each has a consumer of its own at the broker. */
const replaysAtOnce = { max: 8, maxWaiting: 64, waitTimeoutMs: 10_000 };
const defaultReplay: ReplayLimits = { maxEvents: 5_000, maxAgeMs: 86_400_000, timeoutMs: 60_000 };

/** The clients of live events that are connected to this process. */
export class LiveEvents {
  readonly #options: LiveEventsOptions;
  readonly #feed: LiveFeed;
  readonly #replays = createLimiter(replaysAtOnce);
  readonly #clients = new Set<LiveClient>();
  readonly #heartbeat: NodeJS.Timeout;
  #isClosed = false;

  constructor(options: LiveEventsOptions) {
    this.#options = options;
    this.#feed = new LiveFeed(options);
    this.#heartbeat = setInterval(() => {
      for (const client of this.#clients) client.beat();
    }, options.heartbeatMs ?? 15_000).unref();
  }

  /**
   * Resolves when no later event is missed.
   * @throws HubError overloaded
   */
  async prepare(): Promise<void> {
    const { maxClients = 1_000 } = this.#options;
    if (this.#isClosed || this.#clients.size >= maxClients)
      throw new HubError('overloaded', { retryAfterSeconds: 5 });
    await this.#feed.start();
  }

  /** Writes events to a response whose head is written, until the client disconnects or this is closed. */
  follow(sink: LiveSink, wish: LiveWish): void {
    const gone = new AbortController();
    const client = new LiveClient(sink, wish.names);
    this.#clients.add(client);
    sink.once('close', () => {
      gone.abort();
      this.#clients.delete(client);
      this.#feed.leave(client);
    });
    this.#begin(client, wish, gone.signal);
    if (this.#isClosed) client.end();
  }

  /** Ends all responses, and accepts no more clients. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#heartbeat);
    for (const client of this.#clients) client.end();
    await this.#feed.close();
  }

  #begin(client: LiveClient, { lastEvent }: LiveWish, gone: AbortSignal): void {
    const feed = this.#feed;
    client.open(typeof lastEvent === 'number' ? lastEvent : feed.position);
    if (typeof lastEvent === 'number') {
      this.#resume(client, gone).catch((error: unknown) => {
        this.#options.log.error({ err: error }, 'live events not resumed');
        client.end();
      });
      return;
    }
    if (lastEvent === 'unknown') client.reset(feed.position);
    feed.join(client);
  }

  async #resume(client: LiveClient, gone: AbortSignal): Promise<void> {
    const feed = this.#feed;
    if (feed.covers(client.position)) return feed.join(client);
    const { bus, replay } = this.#options;
    const limits = { ...defaultReplay, ...replay };
    try {
      await this.#replays.run(() => catchUp({ bus, feed, client, gone, limits }), { signal: gone });
    } catch (error) {
      if (gone.aborted) return;
      if (!(error instanceof HubError)) throw error;
      // Too many clients reconnect at the same time.
      joinAnew({ feed, client });
    }
  }
}

/** A client that is being replayed missed events, before it joins the feed. */
export interface CatchingUp {
  readonly bus: Pick<Bus, 'subscribe' | 'extent' | 'status'>;
  readonly feed: LiveFeed;
  readonly client: LiveClient;
  /** Fires when the client disconnects. */
  readonly gone: AbortSignal;
  readonly limits: ReplayLimits;
}

/** Limits of the replay for a reconnecting client; one that missed more gets a reset. */
export interface ReplayLimits {
  readonly maxEvents: number;
  /** Maximum age of a replayed event. */
  readonly maxAgeMs: number;
  /** Maximum duration of a replay. */
  readonly timeoutMs: number;
}

const retryMs = 500;

/** Returns the extent of the stream as soon as the broker is there; undefined when the client disconnected before. */
async function waitForExtent({ bus, gone }: CatchingUp): Promise<StreamExtent | undefined> {
  while (!gone.aborted) {
    try {
      return await bus.extent();
    } catch (error) {
      if (!(error instanceof BusUnavailableError)) throw error;
      await pause(retryMs, undefined, { signal: gone }).catch(() => undefined);
    }
  }
  return undefined;
}

/** Sends a reset to the client, and continues with new events. */
function joinAnew({ feed, client }: Pick<CatchingUp, 'feed' | 'client'>): void {
  client.reset(feed.position);
  feed.join(client);
}

/** Reads the stream for this client alone, until the memory of the feed covers its position. */
async function readAlone(catching: CatchingUp): Promise<void> {
  const { bus, feed, client, gone, limits } = catching;
  const done = new AbortController();
  const late = AbortSignal.timeout(limits.timeoutMs);
  const oldest = Date.now() - limits.maxAgeMs;
  const fromSequence = client.position + 1;
  const subscription = bus.subscribe({ subjects: 'hub.v1.>', fromSequence }, async (event) => {
    if (done.signal.aborted || gone.aborted) return;
    const isAnew = event.sequence <= client.position || event.storedAt < oldest;
    if (!isAnew) client.send(toBatch([toFrame(event)]));
    if (isAnew) joinAnew(catching);
    else if (feed.covers(client.position)) feed.join(client);
    else return client.drained();
    done.abort();
  });
  const ended = AbortSignal.any([done.signal, gone, late]);
  if (!ended.aborted) await once(ended, 'abort');
  const isLate = !done.signal.aborted && !gone.aborted;
  done.abort();
  await subscription.close();
  if (isLate && !gone.aborted) joinAnew(catching);
}

/**
 * Joins a client that has everything up to its position to the feed: each event is sent once, or the client gets a
 * reset.
 */
async function catchUp(catching: CatchingUp): Promise<void> {
  const { feed, client, gone } = catching;
  if (feed.covers(client.position)) return feed.join(client);
  const extent = await waitForExtent(catching);
  if (!extent || gone.aborted) return;
  const { position } = client;
  // The feed may not have received the last event of the stream yet.
  if (feed.covers(position) || position === extent.last) return feed.join(client);
  if (position + 1 < extent.first || position > extent.last) return joinAnew(catching);
  if (extent.last - position > catching.limits.maxEvents) return joinAnew(catching);
  await readAlone(catching);
}
