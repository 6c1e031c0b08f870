import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'mqtt';
import type { BrokerAddress } from './broker-address.js';

/** The broker is away, or did not acknowledge in time; the message is not sent later. */
export class MqttUnavailableError extends Error {
  override readonly name = 'MqttUnavailableError';
}

/** What the broker keeps for those who come later, when `retain` is set; an empty payload makes it forget. */
export interface MqttMessage {
  readonly topic: string;
  readonly payload: string;
  readonly retain?: boolean;
}

/** What a session tells; nothing after it was ended. */
export interface MqttSessionEvents {
  onUp(): void;
  /** The connection is lost, or another attempt has failed. */
  onDown(reason: string): void;
  onMessage(topic: string, payload: string): void;
}

/** The connection to one broker, made again whenever it is lost. */
export interface MqttSession {
  /**
   * Resolves when the broker has acknowledged the message (QoS 1).
   * @throws MqttUnavailableError
   */
  publish(message: MqttMessage): Promise<void>;
  /** Lasts as long as the connection. */
  subscribe(topics: string[]): Promise<void>;
  /** Says what the last will would say, and leaves. */
  end(): Promise<void>;
}

const shortestPauseMs = 1_000;
const longestPauseMs = 15_000;
const connectTimeoutMs = 10_000;
const ackTimeoutMs = 5_000;
const farewellMs = 1_000;

const settings = {
  keepalive: 30,
  connectTimeout: connectTimeoutMs,
  reconnectPeriod: shortestPauseMs,
  // A password may be put right at the broker.
  reconnectOnConnackError: true,
  resubscribe: false,
  queueQoSZero: false,
};

function reasonOf(error: Error & { code?: unknown }): string {
  // Of a host with several addresses the error has a code and no text.
  return error.message || String(error.code ?? 'unknown');
}

/** Connects, and connects again with growing pauses; the only file that knows the mqtt package. */
export function openMqttSession(
  address: BrokerAddress,
  will: MqttMessage,
  events: MqttSessionEvents,
): MqttSession {
  const clientId = `birdhub-${randomUUID().slice(0, 8)}`;
  const { topic, payload, retain = false } = will;
  const lastWill = { topic, payload: Buffer.from(payload), qos: 1, retain } as const;
  const client = connect({ ...settings, ...address, clientId, will: lastWill });
  let isUp = false;
  let isEnded = false;
  let failure: string | undefined;

  /** What waits for its acknowledgement would be sent again: a feeder must not be switched on by an old message. */
  function dropUnacknowledged(): void {
    for (const id of Object.keys(client.outgoing)) client.removeOutgoingMessage(Number(id));
  }

  client.on('connect', () => {
    isUp = true;
    client.options.reconnectPeriod = shortestPauseMs;
    if (!isEnded) events.onUp();
  });
  client.on('reconnect', () => {
    const { reconnectPeriod = shortestPauseMs } = client.options;
    client.options.reconnectPeriod = Math.min(2 * reconnectPeriod, longestPauseMs);
  });
  client.on('error', (error) => {
    failure = reasonOf(error);
  });
  client.on('close', () => {
    isUp = false;
    dropUnacknowledged();
    if (!isEnded) events.onDown(failure ?? 'connection closed');
    failure = undefined;
  });
  client.on('message', (topic, payload) => {
    if (!isEnded) events.onMessage(topic, payload.toString());
  });

  async function publish({ topic, payload, retain = false }: MqttMessage): Promise<void> {
    if (!isUp) throw new MqttUnavailableError('the MQTT broker is not connected');
    // A broker that does not acknowledge is as good as away.
    const late = setTimeout(() => client.stream.destroy(), ackTimeoutMs);
    try {
      await client.publishAsync(topic, payload, { qos: 1, retain });
    } catch (cause) {
      throw new MqttUnavailableError('the MQTT broker did not take the message', { cause });
    } finally {
      clearTimeout(late);
    }
  }

  async function sayGoodbye(): Promise<void> {
    await publish(will);
    await client.endAsync();
  }

  return {
    publish,
    async subscribe(topics) {
      if (topics.length) await client.subscribeAsync(topics, { qos: 1 });
    },
    async end() {
      isEnded = true;
      // When it cannot be said, the broker says it: that is what a last will is for.
      const goodbye = isUp ? sayGoodbye().catch(() => undefined) : undefined;
      await Promise.race([goodbye, pause(farewellMs, undefined, { ref: false })]);
      client.end(true);
      client.stream.destroy();
    },
  };
}
