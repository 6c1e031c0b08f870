import { NatsError, type Subscription as NatsSubscription } from 'nats';
import type { Logger } from 'pino';
import {
  assertCommand,
  assertReply,
  type CommandMap,
  type ReplyMap,
  type RequestSubject,
} from '../events/index.js';
import { BusUnavailableError, type Subscription } from './bus.js';
import type { NatsLink, NatsSession } from './nats-link.js';
import { keepReading } from './nats-reading.js';

const timeout = 'TIMEOUT';

/** Sends a command and waits for the reply; undefined when none came in time. @throws BusUnavailableError */
export async function requestReply<R extends RequestSubject>(
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
    if (cause instanceof NatsError && cause.code === timeout) return undefined;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BusUnavailableError(`nobody replied to ${subject}: ${why}`, { cause });
  }
}

/** Replies to a command, through every absence of the broker; of several processes one gets each command. */
export function handleRequests<R extends RequestSubject>(
  link: NatsLink,
  subject: R,
  handler: (payload: CommandMap[R]) => Promise<ReplyMap[R]>,
  log: Logger,
): Subscription {
  const inHand = new Set<Promise<void>>();

  async function reply(message: { json(): unknown; respond(data: string): boolean }): Promise<void> {
    try {
      const payload = message.json();
      assertCommand(subject, payload);
      message.respond(JSON.stringify(await handler(payload)));
    } catch (error) {
      log.warn({ subject, err: error }, 'command not handled');
    }
  }

  return keepReading<NatsSubscription>(
    link,
    {
      name: subject,
      async open({ connection }) {
        const subscription = connection.subscribe(subject, { queue: 'birdhub' });
        await connection.flush();
        return subscription;
      },
      async read(subscription, signal) {
        const stop = () => subscription.unsubscribe();
        signal.addEventListener('abort', stop, { once: true });
        if (signal.aborted) stop();
        for await (const message of subscription) {
          const replied = reply(message).finally(() => inHand.delete(replied));
          inHand.add(replied);
        }
      },
      settle: async () => void (await Promise.all(inHand)),
    },
    log,
  );
}
