import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Bus, BusUnavailableError, type StreamExtent } from '@birdhub/shared/bus';
import { type LiveClient, toBatch } from './live-client.js';
import type { LiveFeed } from './live-feed.js';
import { toFrame } from './live-frame.js';

/** A client on its way to the feed. */
export interface CatchingUp {
  readonly bus: Bus;
  readonly feed: LiveFeed;
  readonly client: LiveClient;
  /** Fires when the client is gone. */
  readonly gone: AbortSignal;
  readonly limits: ReplayLimits;
}

/** What is replayed to a client that comes back; one that missed more is told to begin anew. */
export interface ReplayLimits {
  readonly maxEvents: number;
  /** Greatest age of the first event that is replayed. */
  readonly maxAgeMs: number;
  /** Longest time that a replay takes. */
  readonly timeoutMs: number;
}

const retryMs = 500;

/** What the stream holds, as soon as the broker is there; undefined when the client went before. */
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

/** Tells the client that events are missing, and goes on with what comes. */
export function joinAnew({ feed, client }: Pick<CatchingUp, 'feed' | 'client'>): void {
  client.reset(feed.position());
  feed.join(client);
}

/** Reads the stream for this client alone, until what it misses is in the memory of the feed. */
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
 * Brings a client that has everything up to its position to the feed: no event is left out and none comes twice, or it is
 * told to begin anew.
 */
export async function catchUp(catching: CatchingUp): Promise<void> {
  const { feed, client, gone } = catching;
  if (feed.covers(client.position)) return feed.join(client);
  const extent = await waitForExtent(catching);
  if (!extent || gone.aborted) return;
  const { position } = client;
  // The last event of the stream may still be on its way to the feed.
  if (feed.covers(position) || position === extent.last) return feed.join(client);
  if (position + 1 < extent.first || position > extent.last) return joinAnew(catching);
  if (extent.last - position > catching.limits.maxEvents) return joinAnew(catching);
  await readAlone(catching);
}
