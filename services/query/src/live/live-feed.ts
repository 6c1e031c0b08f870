import type { Bus, BusEvent, Subscription } from '@birdhub/shared/bus';
import type { Logger } from 'pino';
import { type LiveClient, type LiveFrame, toBatch, toFrame } from './live-client.js';

/** The one reading of the stream in this process, and those who are told of it. */
export interface LiveFeed {
  /** Resolves when it reads, which it does from the first call on. */
  start(): Promise<void>;
  /** The last event that passed; undefined while it is not known. */
  position(): number | undefined;
  /** Whether a client that has everything up to that event can join. */
  covers(sequence: number): boolean;
  /** Sends what the client misses and, from then on, what comes. */
  join(client: LiveClient): void;
  leave(client: LiveClient): void;
  close(): Promise<void>;
}

/** What a feed works with. */
export interface LiveFeedDeps {
  readonly bus: Pick<Bus, 'subscribe' | 'extent' | 'status'>;
  readonly log: Logger;
}

/** Enough for everybody to come back after a break of the network. */
const ringBytes = 512 * 1024;

/** Reads nothing until somebody listens. */
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
    // What comes in one go is written in one go.
    if (waiting.push(frame) === 1) setImmediate(flush);
  }

  /** The broker has lost its store and counts anew. */
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
    // Where no place in the stream is known, the time says what came after somebody had begun to listen.
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

/** An empty ring that holds at most so many bytes of events. */
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
