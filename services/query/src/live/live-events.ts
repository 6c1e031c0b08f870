import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { createLimiter } from '@birdhub/shared/async';
import { type Bus, BusUnavailableError, type StreamExtent } from '@birdhub/shared/bus';
import { HubError } from '@birdhub/shared/errors';
import type { Logger } from 'pino';
import {
  createLiveClient,
  type LiveClient,
  type LiveName,
  type LiveSink,
  toBatch,
  toFrame,
} from './live-client.js';
import { createLiveFeed, type LiveFeed } from './live-feed.js';

/** The request of a client. */
export interface LiveWish {
  /** Names of the events that it wants; all of them when undefined. */
  readonly names: ReadonlySet<LiveName> | undefined;
  /** The last event that it has; `unknown` for one that is no place in the stream. */
  readonly lastEvent: number | 'unknown' | undefined;
}

/** Everybody who listens to this process. */
export interface LiveEvents {
  /**
   * Resolves when nothing that happens from now on is missed.
   * @throws HubError overloaded
   */
  prepare(): Promise<void>;
  /** Writes events to a response whose head is written, until the client goes or this is closed. */
  follow(sink: LiveSink, wish: LiveWish): void;
  /** Ends all responses and takes no more. */
  close(): Promise<void>;
}

/** What live events are made of. */
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

/** No client is connected yet. */
export function createLiveEvents(options: LiveEventsOptions): LiveEvents {
  const { bus, log, maxClients = 1_000, heartbeatMs = 15_000 } = options;
  const feed = createLiveFeed({ bus, log });
  const replays = createLimiter(replaysAtOnce);
  const limits = { ...defaultReplay, ...options.replay };
  const present = new Set<LiveClient>();
  let isClosed = false;
  const heartbeat = setInterval(() => {
    for (const client of present) client.beat();
  }, heartbeatMs).unref();

  async function resume(client: LiveClient, gone: AbortSignal): Promise<void> {
    if (feed.covers(client.position)) return feed.join(client);
    try {
      await replays.run(() => catchUp({ bus, feed, client, gone, limits }), { signal: gone });
    } catch (error) {
      if (gone.aborted) return;
      if (!(error instanceof HubError)) throw error;
      // Too many come back at once.
      joinAnew({ feed, client });
    }
  }

  function begin(client: LiveClient, { lastEvent }: LiveWish, gone: AbortSignal): void {
    client.open(typeof lastEvent === 'number' ? lastEvent : feed.position());
    if (typeof lastEvent === 'number') {
      resume(client, gone).catch((error: unknown) => {
        log.error({ err: error }, 'live events not resumed');
        client.end();
      });
      return;
    }
    if (lastEvent === 'unknown') client.reset(feed.position());
    feed.join(client);
  }

  return {
    async prepare() {
      if (isClosed || present.size >= maxClients) throw new HubError('overloaded', { retryAfterSeconds: 5 });
      await feed.start();
    },
    follow(sink, wish) {
      const gone = new AbortController();
      const client = createLiveClient(sink, wish.names);
      present.add(client);
      sink.once('close', () => {
        gone.abort();
        present.delete(client);
        feed.leave(client);
      });
      begin(client, wish, gone.signal);
      if (isClosed) client.end();
    },
    async close() {
      isClosed = true;
      clearInterval(heartbeat);
      for (const client of present) client.end();
      await feed.close();
    },
  };
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
  client.reset(feed.position());
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
