import type { Consumer, JsMsg } from 'nats';
import type { Logger } from 'pino';
import { pauseUnlessAborted, withAnySignal } from '../async/index.js';
import type { SubjectPattern } from '../events/index.js';
import type { ConsumeOptions, EventHandler, SubscribeOptions, Subscription } from './bus.js';
import { Deliverer, type Delivery, deliverLive } from './deliver.js';
import type { NatsLink, NatsSession } from './nats-link.js';
import {
  ackWaitMs,
  addEphemeral,
  ensureDurable,
  ensureStream,
  removeDurable,
  streamName,
} from './nats-stream.js';

const maxPending = 1_000;
/** Messages per pull of a subscription. */
const orderedPullCount = 64;
const livePullCount = 256;
const pullExpiryMs = 10_000;
const retryPauseMs = 300;

/** Reads a durable consumer through reconnects, restarts of the broker and the loss of its store. */
export function consumeDurable<P extends SubjectPattern>(
  link: NatsLink,
  options: ConsumeOptions<P>,
  handler: EventHandler<P>,
  log: Logger,
): Subscription {
  const { durable, subject, concurrency } = options;
  const isOrdered = concurrency === 1;
  const acknowledge = createAcknowledger();
  const tasks = new TaskSlots(concurrency);
  const deliverer = new Deliverer(options, handler, log);
  const position = new DurablePosition(options.deliver);

  async function handle(message: JsMsg): Promise<void> {
    position.open(message.seq);
    const keepAlive = setInterval(() => message.working(), ackWaitMs / 3);
    const verdict = await deliverer.deliver(toDelivery(message)).finally(() => clearInterval(keepAlive));
    if (verdict.kind === 'again') return message.nak(verdict.afterMs);
    await acknowledge(message);
    position.settle(message.seq);
  }

  return readSessions(link, log, {
    name: durable,
    async open({ jsm, js }) {
      const { created, state } = await ensureStream(jsm);
      const start = position.startIn(created, state.last_seq);
      if (options.replaces !== undefined) await removeDurable(jsm, options.replaces);
      await ensureDurable(jsm, { durable, subject, start, maxPending: isOrdered ? 1 : maxPending });
      return js.consumers.get(streamName, durable);
    },
    async read(consumer, signal) {
      while (!signal.aborted) {
        // Each pull costs three messages to the broker, so wait until half of the slots are free.
        const free = await tasks.waitForFree(Math.ceil(concurrency / 2));
        if (signal.aborted) return;
        await pull(consumer, isOrdered ? orderedPullCount : free, signal, async (message) => {
          if (signal.aborted) return message.nak();
          await tasks.start(() => handle(message));
        });
      }
    },
    settle: () => tasks.idle(),
  });
}

/** Reads the stream in order; resumes after the last handled event on every interruption. */
export function subscribeOrdered<P extends SubjectPattern>(
  link: NatsLink,
  options: SubscribeOptions<P>,
  handler: EventHandler<P>,
  log: Logger,
): Subscription {
  const { subjects, fromTime } = options;
  let next = options.fromSequence;
  let stream: string | undefined;
  let delivered = 0;

  return readSessions<Consumer>(link, log, {
    name: `live ${subjects}`,
    async open({ jsm, js }) {
      const { created, state } = await ensureStream(jsm);
      const isReplaced = stream !== undefined && stream !== created;
      stream = created;
      if (fromTime === undefined) next ??= state.last_seq + 1;
      // A position beyond the end belongs to a store that was lost; all events of the current one are new.
      if (isReplaced || (next ?? 0) > state.last_seq + 1) next = 1;
      delivered = 0;
      const start = next ?? new Date(fromTime ?? 0);
      return js.consumers.get(streamName, await addEphemeral(jsm, subjects, start));
    },
    async read(consumer, signal) {
      while (!signal.aborted) {
        await pull(consumer, livePullCount, signal, async (message) => {
          if (signal.aborted) return;
          const { deliverySequence } = message.info;
          if (deliverySequence !== delivered + 1) throw new Error('the broker skipped an event');
          delivered = deliverySequence;
          await deliverLive(toDelivery(message), handler, log);
          next = message.seq + 1;
        });
      }
    },
    settle: async () => {},
  });
}

/** Reads in each session: finds or creates the consumer, then reads until the signal fires. */
export interface SessionReader<C> {
  readonly name: string;
  open(session: NatsSession): Promise<C>;
  read(consumer: C, signal: AbortSignal): Promise<void>;
  /** Called once, after the last session. */
  settle(): Promise<void>;
}

/** Reads in one session after another until the subscription is closed. */
export function readSessions<C>(link: NatsLink, log: Logger, reader: SessionReader<C>): Subscription {
  const stop = new AbortController();
  let becomeReady = () => {};
  const ready = new Promise<void>((resolve) => {
    becomeReady = resolve;
  });

  async function readSession(session: NatsSession, signal: AbortSignal): Promise<void> {
    try {
      const consumer = await reader.open(session);
      becomeReady();
      await reader.read(consumer, signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ consumer: reader.name, err: error }, 'event consumer interrupted, reopening');
      await pauseUnlessAborted(retryPauseMs, signal);
    }
  }

  async function run(): Promise<void> {
    for (;;) {
      const session = await link.session(stop.signal);
      if (!session) break;
      await withAnySignal([stop.signal, session.ended], (signal) => readSession(session, signal));
    }
    await reader.settle();
    becomeReady();
  }

  const ended = run();
  return {
    ready,
    close() {
      stop.abort();
      return ended;
    },
  };
}

/** Pulls at most `count` messages; resolves when they have arrived, the pull has expired or the signal fires. */
async function pull(
  consumer: Consumer,
  count: number,
  signal: AbortSignal,
  take: (message: JsMsg) => Promise<void>,
): Promise<void> {
  const messages = await consumer.fetch({ max_messages: count, expires: pullExpiryMs });
  const stop = () => void messages.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) stop();
    for await (const message of messages) await take(message);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function toDelivery(message: JsMsg): Delivery {
  return {
    id: message.headers?.get('Nats-Msg-Id') || `sequence-${message.seq}`,
    subject: message.subject,
    payload: decode(message),
    requestId: message.headers?.get('x-request-id') || undefined,
    sequence: message.seq,
    attempt: message.info.deliveryCount,
    storedAt: message.info.timestampNanos / 1e6,
  };
}

function decode(message: JsMsg): unknown {
  try {
    return message.json();
  } catch {
    // Rejected by the catalogue like any other invalid payload.
    return message.string();
  }
}

/** Tracks where a durable consumer has to start if the broker loses its position. */
class DurablePosition {
  readonly #deliver: 'all' | 'new';
  readonly #open = new Set<number>();
  #highest = 0;
  #stream: string | undefined;

  constructor(deliver: 'all' | 'new') {
    this.#deliver = deliver;
  }

  /** Returns where a missing consumer of this stream has to start. Of a new stream, nothing has been read yet. */
  startIn(created: string, lastSequence: number): number | 'new' {
    const isFirst = this.#stream === undefined;
    if (this.#stream !== created) {
      this.#stream = created;
      this.#open.clear();
      this.#highest = isFirst && this.#deliver === 'new' ? lastSequence : 0;
    }
    if (isFirst) return this.#deliver === 'all' ? 1 : 'new';
    return Math.min(this.#highest, ...[...this.#open].map((sequence) => sequence - 1)) + 1;
  }

  open(sequence: number): void {
    this.#open.add(sequence);
    this.#highest = Math.max(this.#highest, sequence);
  }

  settle(sequence: number): void {
    this.#open.delete(sequence);
  }
}

/** Acknowledges all messages handled in one tick of the event loop in one system call. */
function createAcknowledger(): (message: JsMsg) => Promise<void> {
  let waiting: JsMsg[] = [];
  let sending: Promise<void> | undefined;
  async function send(): Promise<void> {
    await new Promise(setImmediate);
    const messages = waiting;
    waiting = [];
    sending = undefined;
    for (const message of messages) message.ack();
  }
  return (message) => {
    waiting.push(message);
    sending ??= send();
    return sending;
  };
}

/** Runs up to `count` tasks concurrently. Tasks report their own failures; a rejection is a defect. */
class TaskSlots {
  readonly #count: number;
  readonly #running = new Set<Promise<void>>();

  constructor(count: number) {
    this.#count = count;
  }

  /** Resolves with the number of free slots as soon as there are `min`. */
  async waitForFree(min: number): Promise<number> {
    while (this.#running.size > this.#count - min) await Promise.race(this.#running);
    return this.#count - this.#running.size;
  }

  /** Waits for a slot and starts the task; resolves when it has started. */
  async start(run: () => Promise<void>): Promise<void> {
    await this.waitForFree(1);
    const task = run().finally(() => this.#running.delete(task));
    this.#running.add(task);
  }

  /** Resolves when no task is running. */
  async idle(): Promise<void> {
    while (this.#running.size) await Promise.race(this.#running);
  }
}
