import type { JsMsg } from 'nats';
import type { Logger } from 'pino';
import type { SubjectPattern } from '../events/index.js';
import type { ConsumeOptions, EventHandler, Subscription } from './bus.js';
import { createDeliverer } from './deliver.js';
import type { NatsLink } from './nats-link.js';
import { keepReading, pull, toDelivery } from './nats-reading.js';
import { ackWaitMs, ensureDurable, ensureStream, removeDurable, streamName } from './nats-stream.js';
import { createSlots } from './slots.js';

const mostPending = 1_000;
const orderedPull = 64;

/** Where the consumer would have to begin again if the broker forgot it. */
function createPosition(deliver: 'all' | 'new') {
  const open = new Set<number>();
  let highest = 0;
  let stream: string | undefined;
  return {
    /** The start for a consumer that is missing from this stream; another stream is new and wholly unread. */
    start(created: string, lastSequence: number): number | 'new' {
      const isSameStream = stream === created;
      const isFirst = stream === undefined;
      if (!isSameStream) {
        stream = created;
        open.clear();
        highest = isFirst && deliver === 'new' ? lastSequence : 0;
      }
      if (isFirst) return deliver === 'all' ? 1 : 'new';
      return Math.min(highest, ...[...open].map((sequence) => sequence - 1)) + 1;
    },
    opened(sequence: number): void {
      open.add(sequence);
      highest = Math.max(highest, sequence);
    },
    settled: (sequence: number) => void open.delete(sequence),
  };
}

/** Acknowledges what was handled in one turn of the event loop together, which is one system call. */
function createAcks(): (message: JsMsg) => Promise<void> {
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

/** A durable consumer that outlives sessions, restarts of the broker and the loss of its store. */
export function consumeDurable<P extends SubjectPattern>(
  link: NatsLink,
  options: ConsumeOptions<P>,
  handler: EventHandler<P>,
  log: Logger,
): Subscription {
  const { durable, subject, concurrency } = options;
  const isOrdered = concurrency === 1;
  const acknowledge = createAcks();
  const slots = createSlots(concurrency);
  const deliver = createDeliverer(options, handler, log);
  const position = createPosition(options.deliver);

  async function handle(message: JsMsg): Promise<void> {
    position.opened(message.seq);
    const keepAlive = setInterval(() => message.working(), ackWaitMs / 3);
    const verdict = await deliver(toDelivery(message)).finally(() => clearInterval(keepAlive));
    if (verdict.kind === 'again') return message.nak(verdict.afterMs);
    await acknowledge(message);
    position.settled(message.seq);
  }

  return keepReading(
    link,
    {
      name: durable,
      async open({ jsm, js }) {
        const { created, state } = await ensureStream(jsm);
        const start = position.start(created, state.last_seq);
        if (options.replaces !== undefined) await removeDurable(jsm, options.replaces);
        await ensureDurable(jsm, { durable, subject, start, maxPending: isOrdered ? 1 : mostPending });
        return js.consumers.get(streamName, durable);
      },
      async read(consumer, signal) {
        while (!signal.aborted) {
          // Each pull is three messages to the broker: better one for many places than one for each.
          const free = await slots.free(Math.ceil(concurrency / 2));
          if (signal.aborted) return;
          await pull(consumer, isOrdered ? orderedPull : free, signal, async (message) => {
            if (signal.aborted) return message.nak();
            await slots.run(() => handle(message));
          });
        }
      },
      settle: () => slots.idle(),
    },
    log,
  );
}
