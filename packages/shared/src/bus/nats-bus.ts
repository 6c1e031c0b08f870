import { setTimeout as pause } from 'node:timers/promises';
import { headers, type MsgHdrs, NatsError, type Subscription as NatsSubscription } from 'nats';
import type { Logger } from 'pino';
import { errorMessage } from '../errors/index.js';
import {
  assertCommand,
  assertEvent,
  assertReply,
  type CommandMap,
  type CommandSubject,
  type EventMap,
  InvalidEventError,
  type ReplyMap,
  type RequestSubject,
  type Subject,
  type SubjectPattern,
} from '../events/index.js';
import type { ServiceMetrics } from '../metrics/index.js';
import {
  type BusStatus,
  BusUnavailableError,
  type ConsumeOptions,
  type EventHandler,
  type PublishOptions,
  type StreamExtent,
  type SubscribeOptions,
  type Subscription,
} from './bus.js';
import { addBusMetrics, countEvents } from './bus-metrics.js';
import { consumeDurable, readSessions, subscribeOrdered } from './nats-consumers.js';
import { NatsLink, type NatsSession } from './nats-link.js';
import { ensureStream, streamName } from './nats-stream.js';

/** Options of a {@link Bus}. */
export interface BusOptions {
  /** Comma-separated servers; the first may contain `user:password@` or `token@`. */
  readonly url: string;
  /** Name of the service, shown in the list of connections. */
  readonly name: string;
  readonly log: Logger;
  /** Counts events and shows whether the broker is connected. */
  readonly metrics?: ServiceMetrics;
  /** Maximum wait for the broker, including the connection. */
  readonly publishTimeoutMs?: number;
}

const natsErrors = { tooLarge: 'MAX_PAYLOAD_EXCEEDED', noResponders: '503', timeout: 'TIMEOUT' } as const;

/**
 * The event stream, on NATS JetStream. Creating a bus does not wait for the broker. Only the files `nats-*.ts` of this
 * folder use the library.
 */
export class Bus {
  readonly #log: Logger;
  readonly #metrics: ServiceMetrics | undefined;
  readonly #publishTimeoutMs: number;
  readonly #link: NatsLink;
  readonly #subscriptions = new Set<Subscription>();

  constructor(options: BusOptions) {
    const { log, metrics, publishTimeoutMs = 3_000 } = options;
    this.#log = log;
    this.#metrics = metrics;
    this.#publishTimeoutMs = publishTimeoutMs;
    this.#link = new NatsLink({ ...options, requestTimeoutMs: publishTimeoutMs });
    if (metrics) addBusMetrics(metrics, this);
  }

  /**
   * Resolves when the broker has stored the event.
   * @throws InvalidEventError when it can never be published, BusUnavailableError when it cannot be published now
   */
  async publish<S extends Subject>(subject: S, payload: EventMap[S], options: PublishOptions): Promise<void> {
    assertEvent(subject, payload);
    try {
      await storeOnStream(await this.#connected(), subject, payload, options);
    } catch (cause) {
      if (cause instanceof BusUnavailableError) throw cause;
      if (isNatsError(cause, 'tooLarge'))
        throw new InvalidEventError(subject, 'payload is too large', { cause });
      throw new BusUnavailableError(`the broker did not accept the event: ${errorMessage(cause)}`, { cause });
    }
  }

  consume<P extends SubjectPattern>(options: ConsumeOptions<P>, handler: EventHandler<P>): Subscription {
    const counted = this.#metrics ? countEvents(this.#metrics, { options, handler }) : { options, handler };
    return this.#keep(consumeDurable(this.#link, counted.options, counted.handler, this.#log));
  }

  /** Calls the handler sequentially, in the order of the stream and without gaps. */
  subscribe<P extends SubjectPattern>(options: SubscribeOptions<P>, handler: EventHandler<P>): Subscription {
    return this.#keep(subscribeOrdered(this.#link, options, handler, this.#log));
  }

  /** @throws BusUnavailableError */
  async extent(): Promise<StreamExtent> {
    const { jsm } = await this.#connected();
    try {
      const { state } = await ensureStream(jsm);
      return { first: Math.max(1, state.first_seq), last: state.last_seq };
    } catch (cause) {
      throw new BusUnavailableError('the broker did not return the state of the stream', { cause });
    }
  }

  /** Sends a command to the current subscribers; resolves when the broker has received it. */
  async sendCommand<C extends CommandSubject>(
    subject: C,
    payload: CommandMap[C],
    requestId?: string,
  ): Promise<void> {
    assertCommand(subject, payload);
    const { connection } = await this.#connected();
    connection.publish(subject, JSON.stringify(payload), { headers: requestHeaders(requestId) });
    const late = pause(this.#publishTimeoutMs, 'late', { ref: false });
    const outcome = await Promise.race([connection.flush(), connection.closed().then(() => 'late'), late]);
    if (outcome === 'late') throw new BusUnavailableError('the broker did not accept the command');
  }

  /**
   * Sends a command and returns the reply; undefined on timeout.
   * @throws BusUnavailableError when the broker is not reachable or no process handles the command
   */
  async request<R extends RequestSubject>(
    subject: R,
    payload: CommandMap[R],
    timeoutMs: number,
  ): Promise<ReplyMap[R] | undefined> {
    const session = this.#link.current;
    if (!session) throw new BusUnavailableError('the broker is not reachable');
    return requestReply(session, subject, payload, timeoutMs);
  }

  /** Handles a command with a reply; each is handled by one process. A rejection sends no reply. */
  handle<R extends RequestSubject>(
    subject: R,
    handler: (payload: CommandMap[R]) => Promise<ReplyMap[R]>,
  ): Subscription {
    return this.#keep(handleRequests(this.#link, subject, handler, this.#log));
  }

  status(): BusStatus {
    return this.#link.status;
  }

  /** Calls back on every change of the status; returns a function that removes the listener. */
  onStatus(listener: (status: BusStatus) => void): () => void {
    return this.#link.onStatus(listener);
  }

  /** Closes all subscriptions, waits for running handlers, and disconnects. */
  async close(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.close()));
    await this.#link.close();
  }

  async #connected(): Promise<NatsSession> {
    const link = this.#link;
    const session = link.current ?? (await link.session(AbortSignal.timeout(this.#publishTimeoutMs)));
    if (!session) throw new BusUnavailableError('the broker is not reachable');
    return session;
  }

  #keep(subscription: Subscription): Subscription {
    this.#subscriptions.add(subscription);
    const close = async () => {
      await subscription.close();
      this.#subscriptions.delete(subscription);
    };
    return { ready: subscription.ready, close };
  }
}

async function storeOnStream(
  { js, jsm }: NatsSession,
  subject: string,
  payload: unknown,
  { id, requestId }: PublishOptions,
): Promise<void> {
  const store = () =>
    js.publish(subject, JSON.stringify(payload), {
      msgID: id,
      headers: requestHeaders(requestId),
      expect: { streamName },
    });
  try {
    await store();
  } catch (error) {
    if (!isNatsError(error, 'noResponders')) throw error;
    // The stream was deleted after the start of the session.
    await ensureStream(jsm);
    await store();
  }
}

async function requestReply<R extends RequestSubject>(
  { connection }: NatsSession,
  subject: R,
  payload: CommandMap[R],
  timeoutMs: number,
): Promise<ReplyMap[R] | undefined> {
  assertCommand(subject, payload);
  try {
    const message = await connection.request(subject, JSON.stringify(payload), { timeout: timeoutMs });
    const reply: unknown = message.json();
    assertReply(subject, reply);
    return reply;
  } catch (cause) {
    if (isNatsError(cause, 'timeout')) return undefined;
    throw new BusUnavailableError(`no reply to ${subject}: ${errorMessage(cause)}`, { cause });
  }
}

function handleRequests<R extends RequestSubject>(
  link: NatsLink,
  subject: R,
  handler: (payload: CommandMap[R]) => Promise<ReplyMap[R]>,
  log: Logger,
): Subscription {
  const pending = new Set<Promise<void>>();

  async function reply(message: { json(): unknown; respond(data: string): boolean }): Promise<void> {
    try {
      const payload = message.json();
      assertCommand(subject, payload);
      message.respond(JSON.stringify(await handler(payload)));
    } catch (error) {
      log.warn({ subject, err: error }, 'command not handled');
    }
  }

  return readSessions<NatsSubscription>(link, log, {
    name: subject,
    async open({ connection }) {
      // The queue group delivers each command to one process.
      const subscription = connection.subscribe(subject, { queue: 'birdhub' });
      await connection.flush();
      return subscription;
    },
    async read(subscription, signal) {
      const stop = () => subscription.unsubscribe();
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      for await (const message of subscription) {
        const replied = reply(message).finally(() => pending.delete(replied));
        pending.add(replied);
      }
    },
    settle: async () => void (await Promise.all(pending)),
  });
}

function requestHeaders(requestId: string | undefined): MsgHdrs {
  const values = headers();
  if (requestId) values.set('x-request-id', requestId);
  return values;
}

function isNatsError(error: unknown, kind: keyof typeof natsErrors): boolean {
  return error instanceof NatsError && error.code === natsErrors[kind];
}
