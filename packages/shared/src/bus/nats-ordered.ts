import type { Consumer } from 'nats';
import type { Logger } from 'pino';
import type { SubjectPattern } from '../events/index.js';
import type { EventHandler, SubscribeOptions, Subscription } from './bus.js';
import { callLive } from './call-live.js';
import type { NatsLink, NatsSession } from './nats-link.js';
import { keepReading, pull, toDelivery } from './nats-reading.js';
import { addEphemeral, ensureStream, streamName } from './nats-stream.js';

const pullCount = 256;

/** An ordered view of the stream: after every break it goes on behind the last event that was handled. */
export function subscribeOrdered<P extends SubjectPattern>(
  link: NatsLink,
  options: SubscribeOptions<P>,
  handler: EventHandler<P>,
  log: Logger,
): Subscription {
  const { subjects, fromTime } = options;
  const name = `live ${subjects}`;
  let next = options.fromSequence;
  let stream: string | undefined;
  let delivered = 0;

  async function open({ jsm, js }: NatsSession): Promise<Consumer> {
    const { created, state } = await ensureStream(jsm);
    const isReplaced = stream !== undefined && stream !== created;
    stream = created;
    if (fromTime === undefined) next ??= state.last_seq + 1;
    // A position behind the end comes from a store that was lost: all of this one is news.
    if (isReplaced || (next ?? 0) > state.last_seq + 1) next = 1;
    delivered = 0;
    const start = next ?? new Date(fromTime ?? 0);
    return js.consumers.get(streamName, await addEphemeral(jsm, subjects, start));
  }

  async function read(consumer: Consumer, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pull(consumer, pullCount, signal, async (message) => {
        if (signal.aborted) return;
        const { deliverySequence } = message.info;
        if (deliverySequence !== delivered + 1) throw new Error('the broker left out an event');
        delivered = deliverySequence;
        await callLive(toDelivery(message), handler, log);
        next = message.seq + 1;
      });
    }
  }

  return keepReading(link, { name, open, read, settle: async () => {} }, log);
}
