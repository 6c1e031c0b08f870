import type { Bus, BusEvent, Subscription } from '@birdhub/shared/bus';
import type { Clock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import { type LiveClient, type LiveFrame, toBatch, toFrame } from './live-client.js';

/** Dependencies of a feed. */
export interface LiveFeedDeps {
  readonly bus: Pick<Bus, 'subscribe' | 'extent' | 'status'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Sufficient for clients that reconnect after a network interruption. */
const ringBytes = 512 * 1024;

/** The single subscription of this process to the stream, and the clients that its events are sent to. */
export class LiveFeed {
  readonly #deps: LiveFeedDeps;
  readonly #ring = new FrameRing(ringBytes);
  readonly #clients = new Set<LiveClient>();
  #waiting: LiveFrame[] = [];
  #started: Promise<void> | undefined;
  #subscription: Subscription | undefined;
  #isClosed = false;

  constructor(deps: LiveFeedDeps) {
    this.#deps = deps;
  }

  /** Subscribes at the first call; resolves when the subscription is ready. */
  start(): Promise<void> {
    this.#started ??= this.#read();
    return this.#started;
  }

  /** Sequence number of the last event; undefined while unknown. */
  get position(): number | undefined {
    return this.#ring.position;
  }

  /** Whether a client that has everything up to this sequence number can join. */
  covers(sequence: number): boolean {
    return this.#ring.covers(sequence);
  }

  /** Sends the events after the client's position, and all later ones. */
  join(client: LiveClient): void {
    client.send(toBatch(this.#ring.after(client.position)));
    this.#clients.add(client);
  }

  leave(client: LiveClient): void {
    this.#clients.delete(client);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#subscription?.close();
  }

  async #read(): Promise<void> {
    // Without a known position, events since the connection of the first client are selected by time.
    const fromTime = this.#deps.clock.now();
    const last = await this.#findLastSequence();
    if (this.#isClosed) return;
    this.#ring.restartAfter(last);
    const start = last === undefined ? { fromTime } : { fromSequence: last + 1 };
    this.#subscription = this.#deps.bus.subscribe({ subjects: 'hub.v1.>', ...start }, (event) =>
      this.#receive(event),
    );
  }

  async #findLastSequence(): Promise<number | undefined> {
    const { bus, log } = this.#deps;
    if (bus.status() !== 'ok') return undefined;
    try {
      return (await bus.extent()).last;
    } catch (error) {
      log.debug({ err: error }, 'live events started without the broker');
      return undefined;
    }
  }

  #receive(event: BusEvent): void {
    const last = this.#ring.position;
    if (last !== undefined && event.sequence <= last) this.#restart(event.sequence - 1);
    const frame = toFrame(event);
    this.#ring.push(frame);
    // Events that arrive in one tick are written together.
    if (this.#waiting.push(frame) === 1) setImmediate(() => this.#flush());
  }

  /** Called when the broker has lost its store, so that sequence numbers restart. */
  #restart(position: number): void {
    if (this.#waiting.length) this.#flush();
    this.#ring.restartAfter(position);
    for (const client of this.#clients) client.reset(position);
  }

  #flush(): void {
    const batch = toBatch(this.#waiting);
    this.#waiting = [];
    for (const client of this.#clients) client.send(batch);
  }
}

/** A buffer of the latest events, limited by bytes. */
export class FrameRing {
  readonly #maxBytes: number;
  readonly #frames: LiveFrame[] = [];
  #bytes = 0;
  /** Sequence number before that of the first event. */
  #first: number | undefined;
  #last: number | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Sequence number of the last event, even if it was removed; undefined while unknown. */
  get position(): number | undefined {
    return this.#last;
  }

  /** Removes all events; the next one follows the event of this position. */
  restartAfter(position: number | undefined): void {
    this.#frames.length = 0;
    this.#bytes = 0;
    this.#first = position;
    this.#last = position;
  }

  /** Adds an event, and removes the oldest ones if there are too many bytes. */
  push(frame: LiveFrame): void {
    this.#first ??= frame.sequence - 1;
    this.#last = frame.sequence;
    this.#frames.push(frame);
    this.#bytes += frame.bytes.length;
    while (this.#bytes > this.#maxBytes) {
      const oldest = this.#frames.shift();
      if (!oldest) break;
      this.#bytes -= oldest.bytes.length;
      this.#first = oldest.sequence;
    }
  }

  /** Whether it contains all events after this sequence number, which must not be later than the last one. */
  covers(sequence: number): boolean {
    const [first, last] = [this.#first, this.#last];
    return first !== undefined && last !== undefined && sequence >= first && sequence <= last;
  }

  /** Returns the events after this sequence number, in order. */
  after(sequence: number): readonly LiveFrame[] {
    return this.#frames.filter((frame) => frame.sequence > sequence);
  }
}
