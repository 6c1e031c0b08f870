import type { Bus, BusEvent, Subscription } from '@birdhub/shared/bus';
import type { Logger } from 'pino';
import { type LiveClient, type LiveFrame, toBatch, toFrame } from './live-client.js';

/** The one subscription to the stream in this process, and the clients it is sent to. */
export interface LiveFeed {
  /** Subscribes at the first call; resolves when the subscription is ready. */
  start(): Promise<void>;
  /** Sequence number of the last event; undefined while it is not known. */
  position(): number | undefined;
  /** Whether a client that has everything up to this sequence number can join. */
  covers(sequence: number): boolean;
  /** Sends the events that the client lacks, and all later ones. */
  join(client: LiveClient): void;
  leave(client: LiveClient): void;
  close(): Promise<void>;
}

/** What a feed works with. */
export interface LiveFeedDeps {
  readonly bus: Pick<Bus, 'subscribe' | 'extent' | 'status'>;
  readonly log: Logger;
}

/** Enough for clients that reconnect after an interruption of the network. */
const ringBytes = 512 * 1024;

/** Creates a feed, which subscribes when the first client connects. */
export function createLiveFeed({ bus, log }: LiveFeedDeps): LiveFeed {
  const ring = createFrameRing(ringBytes);
  const clients = new Set<LiveClient>();
  let waiting: LiveFrame[] = [];
  let started: Promise<void> | undefined;
  let subscription: Subscription | undefined;
  let isClosed = false;

  function flush(): void {
    const batch = toBatch(waiting);
    waiting = [];
    for (const client of clients) client.send(batch);
  }

  function take(event: BusEvent): void {
    const last = ring.position();
    if (last !== undefined && event.sequence <= last) restart(event.sequence - 1);
    const frame = toFrame(event);
    ring.push(frame);
    // Events that arrive together are written together.
    if (waiting.push(frame) === 1) setImmediate(flush);
  }

  /** Called when the broker has lost its store and its sequence numbers start again. */
  function restart(position: number): void {
    if (waiting.length) flush();
    ring.startBehind(position);
    for (const client of clients) client.reset(position);
  }

  async function lastOfStream(): Promise<number | undefined> {
    if (bus.status() !== 'ok') return undefined;
    try {
      return (await bus.extent()).last;
    } catch (error) {
      log.debug({ err: error }, 'live events started without the broker');
      return undefined;
    }
  }

  async function read(): Promise<void> {
    // Without a known position, the time decides which events came after the first client connected.
    const fromTime = Date.now();
    const last = await lastOfStream();
    if (isClosed) return;
    ring.startBehind(last);
    const beginning = last === undefined ? { fromTime } : { fromSequence: last + 1 };
    subscription = bus.subscribe({ subjects: 'hub.v1.>', ...beginning }, take);
  }

  return {
    start() {
      started ??= read();
      return started;
    },
    position: ring.position,
    covers: ring.covers,
    join(client) {
      client.send(toBatch(ring.after(client.position)));
      clients.add(client);
    },
    leave: (client) => void clients.delete(client),
    async close() {
      isClosed = true;
      await subscription?.close();
    },
  };
}

/** The latest events, the oldest of which go first. */
export interface FrameRing {
  /** The last event that it has or had; undefined while it is not known where it begins. */
  position(): number | undefined;
  /** Empties it; what comes next follows that event. */
  startBehind(position: number | undefined): void;
  push(frame: LiveFrame): void;
  /** Whether everything behind that event, which is no later than its own last, is here. */
  covers(sequence: number): boolean;
  /** What is here behind that event, in order. */
  after(sequence: number): readonly LiveFrame[];
}

/** Creates an empty ring of at most so many bytes of events. */
export function createFrameRing(maxBytes: number): FrameRing {
  const frames: LiveFrame[] = [];
  let bytes = 0;
  let first: number | undefined;
  let last: number | undefined;

  return {
    position: () => last,
    startBehind(position) {
      frames.length = 0;
      bytes = 0;
      first = position;
      last = position;
    },
    push(frame) {
      first ??= frame.sequence - 1;
      last = frame.sequence;
      frames.push(frame);
      bytes += frame.bytes.length;
      while (bytes > maxBytes) {
        const oldest = frames.shift();
        if (!oldest) break;
        bytes -= oldest.bytes.length;
        first = oldest.sequence;
      }
    },
    covers: (sequence) => first !== undefined && last !== undefined && sequence >= first && sequence <= last,
    after: (sequence) => frames.filter((frame) => frame.sequence > sequence),
  };
}
