import { setTimeout as pause } from 'node:timers/promises';
import { withAnySignal } from '@birdhub/shared/async';
import { type BrokerAddress, connectBroker, describeBrokerError } from '@birdhub/shared/mqtt';
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
  readonly onDown: (reason: string) => void;
}

/** How long the broker queues messages for a disconnected hub. */
const sessionExpirySeconds = 7 * 24 * 3_600;
/** MQTT 5 brokers discard larger messages, which limits memory usage. */
const maxPacketBytes = 16 * 1024 * 1024;
/** Maximum unacknowledged messages. */
const receiveMaximum = 8;
const goodbyeTimeoutMs = 2_000;
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
    const { address, clientId } = options;
    this.#client = connectBroker(address, {
      clientId,
      clean: false,
      protocolVersion: 5,
      properties: {
        sessionExpiryInterval: sessionExpirySeconds,
        receiveMaximum,
        maximumPacketSize: maxPacketBytes,
      },
    }).then((client) => {
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
      void this.#subscribe(client);
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
      const message = { topic, payload: Buffer.from(payload), isRetained: retain, isRepeated: dup };
      this.#handling = withAnySignal([connection, this.#ending.signal], (signal) =>
        this.#options.handle(message, signal),
      ).then(
        // A message must be acknowledged on the connection that delivered it.
        () => done(connection.aborted ? new Error('the connection has changed') : undefined),
        (error: Error) => done(error),
      );
    };
  }

  async #subscribe(client: MqttClient): Promise<void> {
    const { topics, oldTopics, onUp, onDown } = this.#options;
    try {
      if (oldTopics.length) await client.unsubscribeAsync([...oldTopics]);
      // Retained messages are only sent for a new subscription.
      const granted = await client.subscribeAsync([...topics], { qos: 1, rh: 1 });
      const isRefused = granted.some(({ qos }) => qos >= 128);
      if (this.#ending.signal.aborted) return;
      if (isRefused) onDown('the broker rejected the subscription');
      else onUp();
    } catch (error) {
      if (!this.#ending.signal.aborted) onDown(error instanceof Error ? error.message : String(error));
    }
  }
}

/** Reconnects with MQTT 3.1.1, in which only the broker decides how long the session lasts. */
function fallBackToMqtt311(client: MqttClient): void {
  client.options.protocolVersion = 4;
  delete client.options.properties;
}
