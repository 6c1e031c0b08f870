import { setTimeout as pause } from 'node:timers/promises';
import { pauseUnlessAborted, withAnySignal } from '@birdhub/shared/async';
import { errorMessage } from '@birdhub/shared/errors';
import { type BrokerAddress, connectBroker, describeBrokerError, originalSizeOf } from '@birdhub/shared/mqtt';
import type { MqttClient } from 'mqtt';
import type { DeliveredMessage } from './message-writer.js';

/** The subscriptions and callbacks of a session. */
export interface IntakeSessionOptions {
  readonly address: BrokerAddress;
  /** The same in all processes of the hub: the broker queues messages for it while none of them is connected. */
  readonly clientId: string;
  readonly topics: readonly string[];
  /** Topics of earlier settings, to be unsubscribed. */
  readonly oldTopics: readonly string[];
  /**
   * Handles one message at a time; it is acknowledged when this resolves, and redelivered after a reconnect when it
   * rejects. The signal fires when the connection is lost or the session ends.
   */
  readonly handle: (message: DeliveredMessage, signal: AbortSignal) => Promise<void>;
  readonly onUp: () => void;
  /** Called when the connection is lost, or the subscription rejected; both are tried again. */
  readonly onDown: (reason: string) => void;
  /** Default 30 s. */
  readonly keepaliveSeconds?: number;
  /** Delay before a rejected subscription is tried again on the same connection. Default 30 s. */
  readonly resubscribeMs?: number;
  /** Maximum size of a packet; larger messages are handled without the rest of their payload. Default 16 MB. */
  readonly maxPacketBytes?: number;
}

/** How long the broker queues messages for a disconnected hub. */
const sessionExpirySeconds = 7 * 24 * 3_600;
/** MQTT 5 brokers discard larger messages; those of MQTT 3.1.1 send them, and they are cut off. */
const defaultMaxPacketBytes = 16 * 1024 * 1024;
/** Maximum unacknowledged messages. */
const receiveMaximum = 8;
const goodbyeTimeoutMs = 2_000;
const defaultResubscribeMs = 30_000;
const minPingMs = 500;
/** Reason codes of MQTT 3.1.1 and 5 for an unsupported protocol version. */
const unknownProtocolCodes: readonly unknown[] = [1, 132];

/** A connection to a broker with a persistent session and manual acknowledgements. */
export class IntakeSession {
  readonly #options: IntakeSessionOptions;
  readonly #client: Promise<MqttClient>;
  readonly #ending = new AbortController();
  #connection = new AbortController();
  #handling: Promise<void> = Promise.resolve();

  constructor(options: IntakeSessionOptions) {
    this.#options = options;
    const { address, clientId, keepaliveSeconds, maxPacketBytes = defaultMaxPacketBytes } = options;
    const session = {
      ...(keepaliveSeconds !== undefined && { keepalive: keepaliveSeconds }),
      clientId,
      clean: false,
      protocolVersion: 5,
      properties: {
        sessionExpiryInterval: sessionExpirySeconds,
        receiveMaximum,
        maximumPacketSize: maxPacketBytes,
      },
    } as const;
    this.#client = connectBroker(address, session, { trimsMessages: true }).then((client) => {
      this.#follow(client);
      return client;
    });
  }

  /** Disconnects after the current message; the session stays at the broker, without subscriptions if `unsubscribe`. */
  async close({ unsubscribe }: { readonly unsubscribe: boolean }): Promise<void> {
    this.#ending.abort(new Error('the session is closing'));
    const client = await this.#client;
    await this.#handling;
    const goodbye = async () => {
      if (unsubscribe && client.connected) await client.unsubscribeAsync([...this.#options.topics]);
      await client.endAsync();
    };
    const timeout = pause(goodbyeTimeoutMs, undefined, { ref: false });
    await Promise.race([goodbye().catch(() => undefined), timeout]);
    client.end(true);
    client.stream?.destroy();
  }

  #follow(client: MqttClient): void {
    const { onDown } = this.#options;
    let failure: string | undefined;
    client.on('connect', () => {
      this.#connection = new AbortController();
      const signals = [this.#connection.signal, this.#ending.signal];
      void withAnySignal(signals, (signal) => this.#subscribe(client, signal));
    });
    client.on('error', (error: Error & { code?: unknown }) => {
      failure = describeBrokerError(error);
      if (unknownProtocolCodes.includes(error.code)) fallBackToMqtt311(client);
    });
    client.on('close', () => {
      this.#connection.abort(new Error('the connection to the broker was lost'));
      if (!this.#ending.signal.aborted) onDown(failure ?? 'connection closed');
      failure = undefined;
    });
    client.handleMessage = (packet, done) => {
      const connection = this.#connection.signal;
      const { topic, payload, retain, dup } = packet;
      const fullBytes = originalSizeOf(packet);
      const message = {
        ...{ topic, payload: Buffer.from(payload), isRetained: retain, isRepeated: dup },
        ...(fullBytes !== undefined && { fullBytes }),
      };
      const stopPings = sendPings(client);
      this.#handling = withAnySignal([connection, this.#ending.signal], (signal) =>
        this.#options.handle(message, signal),
      )
        .finally(stopPings)
        .then(
          // A message must be acknowledged on the connection that delivered it.
          () => done(connection.aborted ? new Error('the connection has changed') : undefined),
          (error: Error) => done(error),
        );
    };
  }

  /** Subscribes; tries again until the signal fires, as the permissions may be corrected at the broker. */
  async #subscribe(client: MqttClient, signal: AbortSignal): Promise<void> {
    const { onUp, onDown, resubscribeMs = defaultResubscribeMs } = this.#options;
    while (!signal.aborted) {
      const problem = await this.#findSubscribeProblem(client);
      if (signal.aborted) return;
      if (problem === undefined) return onUp();
      onDown(problem);
      await pauseUnlessAborted(resubscribeMs, signal);
    }
  }

  /** Subscribes; returns undefined on success. */
  async #findSubscribeProblem(client: MqttClient): Promise<string | undefined> {
    const { topics, oldTopics } = this.#options;
    try {
      if (oldTopics.length) await client.unsubscribeAsync([...oldTopics]);
      // Retained messages are only sent for a new subscription.
      await client.subscribeAsync([...topics], { qos: 1, rh: 1 });
      return undefined;
    } catch (error) {
      return errorMessage(error);
    }
  }
}

/**
 * Pings the broker until the returned function is called. While a message is handled, the mqtt package reads no further
 * packets, so its keepalive would miss the responses and close the connection.
 */
function sendPings(client: MqttClient): () => void {
  client.reschedulePing(true);
  const timer = setInterval(
    () => {
      if (!client.connected) return;
      client.sendPing();
      client.reschedulePing(true);
    },
    Math.max(client.keepalive * 500, minPingMs),
  );
  return () => clearInterval(timer);
}

/** Reconnects with MQTT 3.1.1, in which only the broker decides how long the session lasts. */
function fallBackToMqtt311(client: MqttClient): void {
  client.options.protocolVersion = 4;
  delete client.options.properties;
}
