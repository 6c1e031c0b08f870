import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  NatsError,
  nanos,
  type StreamConfig,
  type StreamInfo,
} from 'nats';
import { dayMs } from '../time/index.js';

export const streamName = 'HUB';
const streamSubjects = ['hub.v1.>'];
const weekMs = 7 * dayMs;
const duplicateWindowMs = 120_000;
/** Limit of a stream without one; beyond it, the oldest events are discarded. */
const maxStreamBytes = 512 * 1024 * 1024;
/** The least limit that is tried on a broker with little space. */
const minStreamBytes = 16 * 1024 * 1024;

/** Time after which the broker delivers an event again when its handler has not reported progress. */
export const ackWaitMs = 15_000;

const notFoundCode = 404;

/** Resolves to undefined for a stream or consumer that does not exist. */
async function orUndefined<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.code === notFoundCode) return undefined;
    throw error;
  }
}

/** Sets the limit of the size, and a lower one where the broker has less space: it reserves the space of the limit. */
async function withMaxBytes(
  apply: (limit: Partial<StreamConfig>) => Promise<StreamInfo>,
): Promise<StreamInfo> {
  for (let bytes = maxStreamBytes; ; bytes /= 2) {
    try {
      return await apply({ max_bytes: bytes, discard: DiscardPolicy.Old });
    } catch (error) {
      const isRefused = error instanceof NatsError && error.api_error !== undefined;
      if (!isRefused || bytes <= minStreamBytes) throw error;
    }
  }
}

/** Creates the stream or updates its limits; a size and other settings made by an operator are kept. */
export async function ensureStream(jsm: JetStreamManager): Promise<StreamInfo> {
  const wanted = {
    subjects: streamSubjects,
    max_age: nanos(weekMs),
    duplicate_window: nanos(duplicateWindowMs),
  };
  const info = await orUndefined(jsm.streams.info(streamName));
  if (!info) return withMaxBytes((limit) => jsm.streams.add({ name: streamName, ...wanted, ...limit }));
  const { config } = info;
  if (config.max_bytes <= 0)
    return withMaxBytes((limit) => jsm.streams.update(streamName, { ...wanted, ...limit }));
  const isCurrent =
    config.max_age === wanted.max_age &&
    config.duplicate_window === wanted.duplicate_window &&
    config.subjects.join() === wanted.subjects.join();
  return isCurrent ? info : jsm.streams.update(streamName, wanted);
}

/** The settings of a durable consumer. */
export interface DurableConfig {
  readonly durable: string;
  readonly subject: string;
  readonly maxPending: number;
  /** Start of a new consumer: a sequence, or only events from now on. */
  readonly start: number | 'new';
}

function startOf(start: number | 'new' | Date): Partial<ConsumerConfig> {
  if (start === 'new') return { deliver_policy: DeliverPolicy.New };
  if (start instanceof Date)
    return { deliver_policy: DeliverPolicy.StartTime, opt_start_time: start.toISOString() };
  if (start <= 1) return { deliver_policy: DeliverPolicy.All };
  return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: start };
}

/** Creates or updates the durable consumer; an existing one keeps its position. */
export async function ensureDurable(jsm: JetStreamManager, config: DurableConfig): Promise<void> {
  const { durable, subject, maxPending, start } = config;
  const wanted = {
    filter_subject: subject,
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: maxPending,
    max_deliver: -1,
  };
  const info = await orUndefined(jsm.consumers.info(streamName, durable));
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

/** Deletes a durable consumer if it exists. */
export async function removeDurable(jsm: JetStreamManager, durable: string): Promise<void> {
  await orUndefined(jsm.consumers.delete(streamName, durable));
}

/** Creates a consumer that the broker deletes a minute after its last use; returns its name. */
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
