import { setTimeout as pause } from 'node:timers/promises';
import { headers, type MsgHdrs, NatsError } from 'nats';
import type { Logger } from 'pino';
import { assertCommand, assertEvent, InvalidEventError } from '../events/index.js';
import { type Bus, BusUnavailableError, type PublishOptions, type Subscription } from './bus.js';
import { consumeDurable } from './nats-durable.js';
import { createNatsLink, type NatsSession } from './nats-link.js';
import { subscribeOrdered } from './nats-ordered.js';
import { handleRequests, requestReply } from './nats-requests.js';
import { ensureStream, streamName } from './nats-stream.js';

/** Where the broker is and who asks. */
export interface NatsBusOptions {
  /** Servers, comma separated; the first may carry `user:password@` or `token@`. */
  readonly url: string;
  /** Name of the service. */
  readonly name: string;
  readonly log: Logger;
  /** Longest wait for the broker, connecting included. */
  readonly publishTimeoutMs?: number;
}

const tooLarge = 'MAX_PAYLOAD_EXCEEDED';
const noResponders = '503';

function isNatsError(error: unknown, code: string): boolean {
  return error instanceof NatsError && error.code === code;
}

function requestHeaders(requestId: string | undefined): MsgHdrs {
  const values = headers();
  if (requestId) values.set('x-request-id', requestId);
  return values;
}

/** The bus on NATS JetStream. The files `nats-*.ts` of this folder are the only ones that know the library. */
export function createNatsBus(options: NatsBusOptions): Bus {
  const { log, publishTimeoutMs = 3_000 } = options;
  const link = createNatsLink({ ...options, requestTimeoutMs: publishTimeoutMs });
  const subscriptions = new Set<Subscription>();

  async function connected(): Promise<NatsSession> {
    const session = link.current() ?? (await link.session(AbortSignal.timeout(publishTimeoutMs)));
    if (!session) throw new BusUnavailableError('the broker is not reachable');
    return session;
  }

  async function store(session: NatsSession, subject: string, payload: unknown, to: PublishOptions) {
    const expect = { streamName };
    await session.js.publish(subject, JSON.stringify(payload), {
      msgID: to.id,
      headers: requestHeaders(to.requestId),
      expect,
    });
  }

  async function storeOnStream(subject: string, payload: unknown, to: PublishOptions): Promise<void> {
    const session = await connected();
    try {
      await store(session, subject, payload, to);
    } catch (error) {
      if (!isNatsError(error, noResponders)) throw error;
      // Somebody removed the stream under us.
      await ensureStream(session.jsm);
      await store(session, subject, payload, to);
    }
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
        await storeOnStream(subject, payload, to);
      } catch (cause) {
        if (cause instanceof BusUnavailableError) throw cause;
        if (isNatsError(cause, tooLarge))
          throw new InvalidEventError(subject, 'payload is too large', { cause });
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new BusUnavailableError(`the broker did not take the event: ${why}`, { cause });
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
      const session = link.current();
      if (!session) throw new BusUnavailableError('the broker is not reachable');
      return requestReply(session, subject, payload, timeoutMs);
    },
    handle: (subject, handler) => keep(handleRequests(link, subject, handler, log)),
    status: link.status,
    onStatus: link.onStatus,
    async close() {
      await Promise.all([...subscriptions].map((subscription) => subscription.close()));
      await link.close();
    },
  };
}
