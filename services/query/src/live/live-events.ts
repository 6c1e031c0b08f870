import { once } from 'node:events';
import { createLimiter, pauseUnlessAborted } from '@birdhub/shared/async';
import { type Bus, BusUnavailableError, type StreamExtent } from '@birdhub/shared/bus';
import { HubError } from '@birdhub/shared/errors';
import { type Clock, dayMs } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import { LiveClient, type LiveName, type LiveSink, toBatch, toFrame } from './live-client.js';
import { LiveFeed } from './live-feed.js';

/** The request of a client. */
export interface LiveRequest {
  /** Names of the requested events; undefined for all. */
  readonly names: ReadonlySet<LiveName> | undefined;
  /** Its last received event; `unknown` for an id that is not a position in the stream. */
  readonly lastEvent: number | 'unknown' | undefined;
}

/** Dependencies and limits of live events. */
export interface LiveEventsDeps {
  readonly bus: Pick<Bus, 'subscribe' | 'extent' | 'status'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly maxClients?: number;
  readonly heartbeatMs?: number;
  readonly replay?: Partial<ReplayLimits>;
}

/** Each replay has its own consumer at the broker. */
const replayConcurrency = { max: 8, maxWaiting: 64, waitTimeoutMs: 10_000 };
const defaultReplay: ReplayLimits = { maxEvents: 5_000, maxAgeMs: dayMs, timeoutMs: 60_000 };

/** The clients of live events that are connected to this process. */
export class LiveEvents {
  readonly #deps: LiveEventsDeps;
  readonly #feed: LiveFeed;
  readonly #replays = createLimiter(replayConcurrency);
  readonly #clients = new Set<LiveClient>();
  readonly #heartbeat: NodeJS.Timeout;
  #isClosed = false;

  constructor(deps: LiveEventsDeps) {
    this.#deps = deps;
    this.#feed = new LiveFeed(deps);
    this.#heartbeat = setInterval(() => {
      for (const client of this.#clients) client.beat();
    }, deps.heartbeatMs ?? 15_000).unref();
  }

  /**
   * Resolves when the feed is subscribed, so that no later event is missed.
   * @throws HubError overloaded
   */
  async prepare(): Promise<void> {
    const { maxClients = 1_000 } = this.#deps;
    if (this.#isClosed || this.#clients.size >= maxClients)
      throw new HubError('overloaded', { retryAfterSeconds: 5 });
    await this.#feed.start();
  }

  /** Writes events to a response whose head was sent, until the client disconnects or this is closed. */
  follow(sink: LiveSink, request: LiveRequest): void {
    const disconnected = new AbortController();
    const client = new LiveClient(sink, request.names);
    this.#clients.add(client);
    sink.once('close', () => {
      disconnected.abort();
      this.#clients.delete(client);
      this.#feed.leave(client);
    });
    this.#begin(client, request, disconnected.signal);
    if (this.#isClosed) client.end();
  }

  /** Ends all responses, and accepts no more clients. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#heartbeat);
    for (const client of this.#clients) client.end();
    await this.#feed.close();
  }

  #begin(client: LiveClient, { lastEvent }: LiveRequest, disconnected: AbortSignal): void {
    const feed = this.#feed;
    client.open(typeof lastEvent === 'number' ? lastEvent : feed.position);
    if (typeof lastEvent === 'number') {
      this.#resume(client, disconnected).catch((error: unknown) => {
        this.#deps.log.error({ err: error }, 'live events not resumed');
        client.end();
      });
      return;
    }
    if (lastEvent === 'unknown') client.reset(feed.position);
    feed.join(client);
  }

  async #resume(client: LiveClient, disconnected: AbortSignal): Promise<void> {
    const feed = this.#feed;
    if (feed.covers(client.position)) return feed.join(client);
    const { bus, clock, replay } = this.#deps;
    const limits = { ...defaultReplay, ...replay };
    try {
      await this.#replays.run(() => catchUp({ bus, clock, feed, client, disconnected, limits }), {
        signal: disconnected,
      });
    } catch (error) {
      if (disconnected.aborted) return;
      if (!(error instanceof HubError)) throw error;
      // Too many clients reconnect at the same time.
      joinAfterReset({ feed, client });
    }
  }
}

/** The replay of missed events to a client before it joins the feed. */
export interface Replay {
  readonly bus: Pick<Bus, 'subscribe' | 'extent' | 'status'>;
  readonly clock: Clock;
  readonly feed: LiveFeed;
  readonly client: LiveClient;
  /** Fires when the client disconnects. */
  readonly disconnected: AbortSignal;
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

/** Returns the extent of the stream when the broker is available; undefined when the client disconnects before. */
async function waitForExtent({ bus, disconnected }: Replay): Promise<StreamExtent | undefined> {
  while (!disconnected.aborted) {
    try {
      return await bus.extent();
    } catch (error) {
      if (!(error instanceof BusUnavailableError)) throw error;
      await pauseUnlessAborted(retryMs, disconnected);
    }
  }
  return undefined;
}

/** Sends a reset to the client, and continues with new events. */
function joinAfterReset({ feed, client }: Pick<Replay, 'feed' | 'client'>): void {
  client.reset(feed.position);
  feed.join(client);
}

/** Replays the stream to this client until the ring of the feed covers its position. */
async function replayMissed(context: Replay): Promise<void> {
  const { bus, clock, feed, client, disconnected, limits } = context;
  const done = new AbortController();
  const timedOut = AbortSignal.timeout(limits.timeoutMs);
  const oldest = clock.now() - limits.maxAgeMs;
  const fromSequence = client.position + 1;
  const subscription = bus.subscribe({ subjects: 'hub.v1.>', fromSequence }, async (event) => {
    if (done.signal.aborted || disconnected.aborted) return;
    const needsReset = event.sequence <= client.position || event.storedAt < oldest;
    if (!needsReset) client.send(toBatch([toFrame(event)]));
    if (needsReset) joinAfterReset(context);
    else if (feed.covers(client.position)) feed.join(client);
    else return client.drained();
    done.abort();
  });
  const ended = AbortSignal.any([done.signal, disconnected, timedOut]);
  if (!ended.aborted) await once(ended, 'abort');
  const hasTimedOut = !done.signal.aborted && !disconnected.aborted;
  done.abort();
  await subscription.close();
  if (hasTimedOut && !disconnected.aborted) joinAfterReset(context);
}

/**
 * Sends the events after the position of a client and joins it to the feed: each event is sent once, or the client gets
 * a reset.
 */
async function catchUp(context: Replay): Promise<void> {
  const { feed, client, disconnected } = context;
  if (feed.covers(client.position)) return feed.join(client);
  const extent = await waitForExtent(context);
  if (!extent || disconnected.aborted) return;
  const { position } = client;
  // The feed may not have received the last event of the stream yet.
  if (feed.covers(position) || position === extent.last) return feed.join(client);
  if (position + 1 < extent.first || position > extent.last) return joinAfterReset(context);
  if (extent.last - position > context.limits.maxEvents) return joinAfterReset(context);
  await replayMissed(context);
}
