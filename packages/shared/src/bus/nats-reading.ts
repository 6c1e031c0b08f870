import { setTimeout as pause } from 'node:timers/promises';
import type { Consumer, JsMsg } from 'nats';
import type { Logger } from 'pino';
import type { Subscription } from './bus.js';
import type { Delivery } from './deliver.js';
import type { NatsLink, NatsSession } from './nats-link.js';

/** What a subscription does in each session: find or make its consumer, then read until the signal. */
export interface Reading<C> {
  readonly name: string;
  open(session: NatsSession): Promise<C>;
  read(consumer: C, signal: AbortSignal): Promise<void>;
  /** Called once, when reading has ended for good. */
  settle(): Promise<void>;
}

const pullExpiryMs = 10_000;
const retryPauseMs = 300;

/** Reads session after session until closed. */
export function keepReading<C>(link: NatsLink, reading: Reading<C>, log: Logger): Subscription {
  const stop = new AbortController();
  let becomeReady = () => {};
  const ready = new Promise<void>((resolve) => {
    becomeReady = resolve;
  });

  async function readSession(session: NatsSession): Promise<void> {
    const signal = AbortSignal.any([stop.signal, session.ended]);
    try {
      const consumer = await reading.open(session);
      becomeReady();
      await reading.read(consumer, signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ consumer: reading.name, err: error }, 'event consumer interrupted, opening it again');
      await pause(retryPauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async function run(): Promise<void> {
    for (;;) {
      const session = await link.session(stop.signal);
      if (!session) break;
      await readSession(session);
    }
    await reading.settle();
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

/** One pull: at most `count` messages; returns when they came, when it expired or when the signal fired. */
export async function pull(
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

function decode(message: JsMsg): unknown {
  try {
    return message.json();
  } catch {
    // Judged by the catalogue like any other wrong payload.
    return message.string();
  }
}

/** The message in the words of the bus. */
export function toDelivery(message: JsMsg): Delivery {
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
