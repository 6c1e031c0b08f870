import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  assertCommand,
  assertEvent,
  type CommandMap,
  type CommandSubject,
  type ReplyMap,
  type RequestSubject,
  type SubjectPattern,
} from '../events/index.js';
import {
  type Bus,
  BusUnavailableError,
  type ConsumeOptions,
  type EventHandler,
  type SubscribeOptions,
  type Subscription,
} from './bus.js';
import { callLive } from './call-live.js';
import { createDeliverer } from './deliver.js';
import { createMemoryDurable, type MemoryDurable } from './memory-durable.js';
import { createMemoryStream, type StoredEvent } from './memory-stream.js';
import { createSlots } from './slots.js';
import { matchesSubject } from './subject-pattern.js';

/** A command that was sent. */
export type SentCommand = {
  [C in CommandSubject]: {
    readonly subject: C;
    readonly payload: CommandMap[C];
    readonly requestId?: string;
  };
}[CommandSubject];

/** The bus of tests that need no broker. */
export interface MemoryBus extends Bus {
  readonly sentCommands: readonly SentCommand[];
}

/** The same promises as the bus on NATS, kept in this process and gone with it. */
export function createMemoryBus(log: Logger): MemoryBus {
  const stream = createMemoryStream();
  const durables = new Map<string, MemoryDurable>();
  const subscriptions = new Set<Subscription>();
  const sentCommands: SentCommand[] = [];
  const handlers = new Map<RequestSubject, (payload: never) => Promise<unknown>>();

  function durableOf<P extends SubjectPattern>(options: ConsumeOptions<P>): MemoryDurable {
    const known = durables.get(options.durable);
    if (known) return known;
    const durable = createMemoryDurable(stream, options);
    durables.set(options.durable, durable);
    return durable;
  }

  function keep(run: (signal: AbortSignal) => Promise<void>): Subscription {
    const stop = new AbortController();
    const ended = run(stop.signal);
    const subscription = {
      ready: Promise.resolve(),
      async close() {
        stop.abort();
        await ended;
        subscriptions.delete(subscription);
      },
    };
    subscriptions.add(subscription);
    return subscription;
  }

  async function consume<P extends SubjectPattern>(
    options: ConsumeOptions<P>,
    handler: EventHandler<P>,
    signal: AbortSignal,
  ): Promise<void> {
    const durable = durableOf(options);
    const deliver = createDeliverer(options, handler, log);
    const slots = createSlots(options.concurrency);
    while (!signal.aborted) {
      await slots.free(1);
      const delivery = signal.aborted ? undefined : await durable.next(signal);
      if (delivery) await slots.run(async () => durable.report(delivery, await deliver(delivery)));
    }
    await slots.idle();
  }

  async function follow<P extends SubjectPattern>(
    { subjects, fromSequence, fromTime }: SubscribeOptions<P>,
    handler: EventHandler<P>,
    signal: AbortSignal,
  ): Promise<void> {
    const end = stream.events.length;
    const atTime = stream.events.filter(
      ({ storedAt }) => storedAt < (fromTime ?? Number.POSITIVE_INFINITY),
    ).length;
    let position = fromSequence === undefined ? atTime : Math.max(0, fromSequence - 1);
    if (position > end) position = 0;
    while (!signal.aborted) {
      const event: StoredEvent | undefined = stream.events[position];
      if (!event) {
        await stream.changed(signal);
        continue;
      }
      if (matchesSubject(subjects, event.subject)) await callLive({ ...event, attempt: 1 }, handler, log);
      position += 1;
    }
  }

  return {
    sentCommands,
    async publish(subject, payload, { id, requestId }) {
      assertEvent(subject, payload);
      stream.append({ id, subject, requestId, payload: structuredClone(payload) });
    },
    consume: (options, handler) => keep((signal) => consume(options, handler, signal)),
    subscribe: (options, handler) => keep((signal) => follow(options, handler, signal)),
    extent: async () => ({ first: 1, last: stream.events.length }),
    async sendCommand(subject, payload, requestId) {
      assertCommand(subject, payload);
      sentCommands.push({ subject, payload, ...(requestId && { requestId }) } as SentCommand);
    },
    async request<R extends RequestSubject>(subject: R, payload: CommandMap[R], timeoutMs: number) {
      assertCommand(subject, payload);
      const handler = handlers.get(subject) as ((given: CommandMap[R]) => Promise<ReplyMap[R]>) | undefined;
      if (!handler) throw new BusUnavailableError(`nobody handles ${subject}`);
      return Promise.race([handler(payload), pause(timeoutMs, undefined, { ref: false })]);
    },
    handle(subject, handler) {
      handlers.set(subject, handler);
      return {
        ready: Promise.resolve(),
        close: async () => {
          if (handlers.get(subject) === handler) handlers.delete(subject);
        },
      };
    },
    status: () => 'ok',
    onStatus: () => () => {},
    async close() {
      await Promise.all([...subscriptions].map((subscription) => subscription.close()));
    },
  };
}
