import { createLimiter } from '@birdhub/shared/async';
import type { Bus } from '@birdhub/shared/bus';
import { HubError } from '@birdhub/shared/errors';
import type { Logger } from 'pino';
import { catchUp, joinAnew, type ReplayLimits } from './catch-up.js';
import { createLiveClient, type LiveClient, type LiveSink } from './live-client.js';
import { createLiveFeed } from './live-feed.js';
import type { LiveName } from './live-names.js';

/** What a client asks for. */
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
  /** Writes events to an answer whose head is written, until the client goes or this is closed. */
  follow(sink: LiveSink, wish: LiveWish): void;
  /** Ends all answers and takes no more. */
  close(): Promise<void>;
}

/** What live events are made of. */
export interface LiveEventsOptions {
  readonly bus: Bus;
  readonly log: Logger;
  readonly mostClients?: number;
  readonly heartbeatMs?: number;
  readonly replay?: Partial<ReplayLimits>;
}

/** Each has a consumer of its own at the broker. */
const replaysAtOnce = { max: 8, maxWaiting: 64, waitTimeoutMs: 10_000 };
const defaultReplay: ReplayLimits = { maxEvents: 5_000, maxAgeMs: 86_400_000, timeoutMs: 60_000 };

/** Nobody listens yet. */
export function createLiveEvents(options: LiveEventsOptions): LiveEvents {
  const { bus, log, mostClients = 1_000, heartbeatMs = 15_000 } = options;
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
      if (isClosed || present.size >= mostClients) throw new HubError('overloaded', { retryAfterSeconds: 5 });
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
