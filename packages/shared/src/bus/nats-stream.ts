import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  type JetStreamManager,
  NatsError,
  nanos,
  type StreamInfo,
} from 'nats';

export const streamName = 'HUB';
const streamSubjects = ['hub.v1.>'];
const weekMs = 7 * 24 * 3_600_000;
const duplicateWindowMs = 120_000;

/** Time after which the broker gives an event to another process when its handler does not report. */
export const ackWaitMs = 15_000;

const notFoundCode = 404;

async function orMissing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.code === notFoundCode) return undefined;
    throw error;
  }
}

/** Creates the stream or brings its limits up to date; what an operator set besides them stays. */
export async function ensureStream(jsm: JetStreamManager): Promise<StreamInfo> {
  const wanted = {
    subjects: streamSubjects,
    max_age: nanos(weekMs),
    duplicate_window: nanos(duplicateWindowMs),
  };
  const info = await orMissing(jsm.streams.info(streamName));
  if (!info) return jsm.streams.add({ name: streamName, ...wanted });
  const { config } = info;
  const isCurrent =
    config.max_age === wanted.max_age &&
    config.duplicate_window === wanted.duplicate_window &&
    config.subjects.join() === wanted.subjects.join();
  return isCurrent ? info : jsm.streams.update(streamName, wanted);
}

/** What this code decides about a durable consumer. */
export interface DurableConfig {
  readonly durable: string;
  readonly subject: string;
  readonly maxPending: number;
  /** Where it begins when the broker does not know it: a sequence, or only what comes from now on. */
  readonly start: number | 'new';
}

function startOf(start: number | 'new' | Date): Partial<ConsumerConfig> {
  if (start === 'new') return { deliver_policy: DeliverPolicy.New };
  if (start instanceof Date)
    return { deliver_policy: DeliverPolicy.StartTime, opt_start_time: start.toISOString() };
  if (start <= 1) return { deliver_policy: DeliverPolicy.All };
  return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: start };
}

/** Creates the durable consumer or brings it up to date; one that exists goes on where it stands. */
export async function ensureDurable(jsm: JetStreamManager, config: DurableConfig): Promise<void> {
  const { durable, subject, maxPending, start } = config;
  const wanted = {
    filter_subject: subject,
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: maxPending,
    max_deliver: -1,
  };
  const info = await orMissing(jsm.consumers.info(streamName, durable));
  if (!info) {
    const fixed = { durable_name: durable, ack_policy: AckPolicy.Explicit, ...startOf(start) };
    await jsm.consumers.add(streamName, { ...fixed, ...wanted });
    return;
  }
  const isCurrent =
    info.config.filter_subject === wanted.filter_subject &&
    info.config.ack_wait === wanted.ack_wait &&
    info.config.max_ack_pending === wanted.max_ack_pending;
  if (!isCurrent) await jsm.consumers.update(streamName, durable, wanted);
}

/** Has the broker forget a durable consumer; nothing happens when it does not know it. */
export async function removeDurable(jsm: JetStreamManager, durable: string): Promise<void> {
  await orMissing(jsm.consumers.delete(streamName, durable));
}

/** Creates a consumer that the broker forgets soon after nobody reads from it, and answers its name. */
export async function addEphemeral(
  jsm: JetStreamManager,
  subject: string,
  start: number | Date,
): Promise<string> {
  const info = await jsm.consumers.add(streamName, {
    ...startOf(start),
    filter_subject: subject,
    ack_policy: AckPolicy.None,
    inactive_threshold: nanos(60_000),
    mem_storage: true,
    num_replicas: 1,
  });
  return info.name;
}
