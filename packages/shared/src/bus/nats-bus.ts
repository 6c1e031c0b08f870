import { setTimeout as pause } from 'node:timers/promises';
import { headers, type MsgHdrs, NatsError, type Subscription as NatsSubscription } from 'nats';
import type { Logger } from 'pino';
import {
  assertCommand,
  assertEvent,
  assertReply,
  type CommandMap,
  InvalidEventError,
  type ReplyMap,
  type RequestSubject,
} from '../events/index.js';
import { type Bus, BusUnavailableError, type PublishOptions, type Subscription } from './bus.js';
import { consumeDurable, readSessions, subscribeOrdered } from './nats-consumers.js';
import { NatsLink, type NatsSession } from './nats-link.js';
import { ensureStream, streamName } from './nats-stream.js';

/** Options of the connection to the broker. */
export interface NatsBusOptions {
  /** Comma-separated servers; the first may contain `user:password@` or `token@`. */
  readonly url: string;
  /** Name of the service, shown in the list of connections. */
  readonly name: string;
  readonly log: Logger;
  /** Maximum wait for the broker, including the connection. */
  readonly publishTimeoutMs?: number;
}

const natsErrors = { tooLarge: 'MAX_PAYLOAD_EXCEEDED', noResponders: '503', timeout: 'TIMEOUT' } as const;

/** Creates a bus on NATS JetStream. Only the files `nats-*.ts` of this folder use the library. */
export function createNatsBus(options: NatsBusOptions): Bus {
  const { log, publishTimeoutMs = 3_000 } = options;
  const link = new NatsLink({ ...options, requestTimeoutMs: publishTimeoutMs });
  const subscriptions = new Set<Subscription>();

  async function connected(): Promise<NatsSession> {
    const session = link.current ?? (await link.session(AbortSignal.timeout(publishTimeoutMs)));
    if (!session) throw new BusUnavailableError('the broker is not reachable');
    return session;
  }

  function keep(subscription: Subscription): Subscription {
    subscriptions.add(subscription);
    const close = async () => {
      await subscription.close();
      subscriptions.delete(subscription);
    };
    return { ready: subscription.ready, close };
  }

  return {
    async publish(subject, payload, to) {
      assertEvent(subject, payload);
      try {
        await storeOnStream(await connected(), subject, payload, to);
      } catch (cause) {
        if (cause instanceof BusUnavailableError) throw cause;
        if (isNatsError(cause, 'tooLarge'))
          throw new InvalidEventError(subject, 'payload is too large', { cause });
        throw new BusUnavailableError(`the broker did not take the event: ${messageOf(cause)}`, { cause });
      }
    },
    consume: (to, handler) => keep(consumeDurable(link, to, handler, log)),
    subscribe: (to, handler) => keep(subscribeOrdered(link, to, handler, log)),
    async extent() {
      const { jsm } = await connected();
      try {
        const { state } = await ensureStream(jsm);
        return { first: Math.max(1, state.first_seq), last: state.last_seq };
      } catch (cause) {
        throw new BusUnavailableError('the broker did not say what the stream holds', { cause });
      }
    },
    async sendCommand(subject, payload, requestId) {
      assertCommand(subject, payload);
      const { connection } = await connected();
      connection.publish(subject, JSON.stringify(payload), { headers: requestHeaders(requestId) });
      const late = pause(publishTimeoutMs, 'late', { ref: false });
      const outcome = await Promise.race([connection.flush(), connection.closed().then(() => 'late'), late]);
      if (outcome === 'late') throw new BusUnavailableError('the broker did not take the command');
    },
    async request(subject, payload, timeoutMs) {
      if (!link.current) throw new BusUnavailableError('the broker is not reachable');
      return requestReply(link.current, subject, payload, timeoutMs);
    },
    handle: (subject, handler) => keep(handleRequests(link, subject, handler, log)),
    status: () => link.status,
    onStatus: (listener) => link.onStatus(listener),
    async close() {
      await Promise.all([...subscriptions].map((subscription) => subscription.close()));
      await link.close();
    },
  };
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
    // The stream was deleted since the session began.
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
    throw new BusUnavailableError(`nobody replied to ${subject}: ${messageOf(cause)}`, { cause });
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
