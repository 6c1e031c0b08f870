import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { MqttClient } from 'mqtt';
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
const ackTimeoutMs = 5_000;
const farewellMs = 1_000;

const options = {
  keepalive: 30,
  connectTimeout: 10_000,
  reconnectPeriod: shortestPauseMs,
  // A password may be put right at the broker.
  reconnectOnConnackError: true,
  resubscribe: false,
};

function reasonOf(error: Error & { code?: unknown }): string {
  // Of a host with several addresses the error has a code and no text.
  return error.message || String(error.code ?? 'unknown');
}

/** What waits for its acknowledgement would be sent again: a feeder must not be switched on by an old message. */
function dropUnacknowledged(client: MqttClient): void {
  for (const id of Object.keys(client.outgoing)) client.removeOutgoingMessage(Number(id));
}

async function publish(client: MqttClient, { topic, payload, retain = false }: MqttMessage): Promise<void> {
  if (!client.connected) throw new MqttUnavailableError('the MQTT broker is not connected');
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

/** When it cannot be said, the broker says it: that is what a last will is for. */
async function sayGoodbye(client: MqttClient, will: MqttMessage): Promise<void> {
  try {
    await publish(client, will);
    await client.endAsync();
  } catch (error) {
    if (!(error instanceof MqttUnavailableError)) throw error;
  }
}

/** Doubles the pause with each attempt, until one succeeds. */
function growPauses(client: MqttClient): void {
  client.on('connect', () => {
    client.options.reconnectPeriod = shortestPauseMs;
  });
  client.on('reconnect', () => {
    const { reconnectPeriod = shortestPauseMs } = client.options;
    client.options.reconnectPeriod = Math.min(2 * reconnectPeriod, longestPauseMs);
  });
}

/** The package takes its share of memory, so a hub without a broker does not load it. */
async function connect(address: BrokerAddress, will: MqttMessage): Promise<MqttClient> {
  const mqtt = await import('mqtt');
  const clientId = `birdhub-${randomUUID().slice(0, 8)}`;
  const { topic, payload, retain = false } = will;
  const lastWill = { topic, payload: Buffer.from(payload), qos: 1, retain } as const;
  const client = mqtt.connect({ ...options, ...address, clientId, will: lastWill });
  growPauses(client);
  client.on('close', () => dropUnacknowledged(client));
  return client;
}

function tell(client: MqttClient, events: MqttSessionEvents, isEnded: () => boolean): void {
  let failure: string | undefined;
  client.on('connect', () => {
    if (!isEnded()) events.onUp();
  });
  client.on('error', (error) => {
    failure = reasonOf(error);
  });
  client.on('close', () => {
    if (!isEnded()) events.onDown(failure ?? 'connection closed');
    failure = undefined;
  });
  client.on('message', (topic, payload) => {
    if (!isEnded()) events.onMessage(topic, payload.toString());
  });
}

/** Connects, and connects again with growing pauses; the only file that knows the mqtt package. */
export function openMqttSession(
  address: BrokerAddress,
  will: MqttMessage,
  events: MqttSessionEvents,
): MqttSession {
  let isEnded = false;
  const connecting = connect(address, will);
  void connecting.then((client) => tell(client, events, () => isEnded));
  return {
    publish: async (message) => publish(await connecting, message),
    async subscribe(topics) {
      if (topics.length) await (await connecting).subscribeAsync(topics, { qos: 1 });
    },
    async end() {
      isEnded = true;
      const client = await connecting;
      await Promise.race([sayGoodbye(client, will), pause(farewellMs, undefined, { ref: false })]);
      client.end(true);
      client.stream.destroy();
    },
  };
}
