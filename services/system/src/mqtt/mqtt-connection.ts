import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '@birdhub/domain/settings';
import { pauseUnlessAborted } from '@birdhub/shared/async';
import {
  type BrokerAddress,
  connectBroker,
  describeBrokerError,
  toBrokerAddress,
} from '@birdhub/shared/mqtt';
import type { MqttClient } from 'mqtt';
import type { Logger } from 'pino';

/** The state of the connection. */
export type MqttState = 'not_configured' | 'ok' | 'error';

/** A listener for messages. */
export type MqttListener = (payload: string, isRetained: boolean) => void;

/** A message; with `retain` the broker stores it for later subscribers, and an empty payload deletes the stored one. */
export interface MqttMessage {
  readonly topic: string;
  readonly payload: string | Buffer;
  readonly retain?: boolean;
}

/** Thrown when the broker is unreachable or did not acknowledge in time; the message is not sent later. */
export class MqttUnavailableError extends Error {
  override readonly name = 'MqttUnavailableError';
  /** Whether the message was sent, so that it may have arrived. */
  readonly mayHaveArrived: boolean;

  constructor(message: string, mayHaveArrived: boolean, options: { cause?: unknown } = {}) {
    super(message, options);
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** The retained availability message of the connected hub; its last will replaces it with `offline`. */
export const onlineMessage = { topic: 'birdhub/availability', payload: 'online', retain: true } as const;

const will = { ...onlineMessage, payload: 'offline' };

const ackTimeoutMs = 5_000;
const disconnectTimeoutMs = 1_000;
const defaultResubscribeMs = 30_000;

/** The hub's connection to the MQTT broker of its settings, which is established by {@link MqttConnection.configure}. */
export class MqttConnection {
  readonly #log: Logger;
  readonly #resubscribeMs: number;
  readonly #connectListeners: (() => void)[] = [];
  readonly #messageListeners = new Map<string, MqttListener[]>();
  /** Sessions that are being ended. */
  readonly #endingSessions = new Set<Promise<void>>();
  #configured: string | undefined;
  #session: MqttSession | undefined;
  #state: MqttState = 'not_configured';
  /** Fires when the current connection is lost or ended. */
  #connection = new AbortController();

  /** `resubscribeMs` is the delay before a rejected subscription is tried again. Default 30 s. */
  constructor(log: Logger, { resubscribeMs = defaultResubscribeMs }: { resubscribeMs?: number } = {}) {
    this.#log = log;
    this.#resubscribeMs = resubscribeMs;
  }

  state(): MqttState {
    return this.#state;
  }

  /**
   * Resolves when the broker has acknowledged the message (QoS 1). Messages are not queued while the broker is
   * unreachable.
   * @throws MqttUnavailableError
   */
  async publish(message: MqttMessage): Promise<void> {
    if (!this.#session) throw new MqttUnavailableError('there is no MQTT broker', false);
    await this.#session.publish(message);
  }

  /**
   * Registers a listener for messages on a topic without wildcards, from the next connection on. `isRetained` marks
   * retained messages.
   */
  subscribe(topic: string, listener: MqttListener): void {
    this.#messageListeners.set(topic, [...(this.#messageListeners.get(topic) ?? []), listener]);
  }

  /** Registers a listener that is called on each connection. */
  onConnect(listener: () => void): void {
    this.#connectListeners.push(listener);
  }

  /** Applies settings: connects, switches to another broker, or disconnects. */
  configure(settings: Settings['mqtt']): void {
    const { broker, port, username, password } = settings;
    const next = JSON.stringify([broker, port, username, password]);
    if (next === this.#configured) return;
    this.#configured = next;
    this.#disconnect();
    this.#state = broker.trim() ? 'error' : 'not_configured';
    if (broker.trim()) this.#session = this.#open(settings);
  }

  async close(): Promise<void> {
    this.#disconnect();
    this.#state = 'not_configured';
    await Promise.all(this.#endingSessions);
  }

  #disconnect(): void {
    this.#connection.abort();
    if (!this.#session) return;
    const ending = this.#session.end().finally(() => this.#endingSessions.delete(ending));
    this.#endingSessions.add(ending);
    this.#session = undefined;
  }

  #open(settings: Settings['mqtt']): MqttSession | undefined {
    const address = toBrokerAddress(settings);
    if (!address) {
      this.#log.warn('mqtt.broker is neither a host nor a URL of mqtt, mqtts, ws or wss');
      return undefined;
    }
    const broker = `${address.host}:${address.port}`;
    let isOutageLogged = false;
    const session = new MqttSession(address, {
      onUp: () => {
        this.#state = 'ok';
        isOutageLogged = false;
        this.#log.info({ broker }, 'mqtt broker connected');
        this.#connection = new AbortController();
        void this.#announce(session, this.#connection.signal);
      },
      onDown: (reason) => {
        this.#connection.abort();
        this.#state = 'error';
        if (!isOutageLogged) this.#log.warn({ broker, reason }, 'mqtt broker not reachable, reconnecting');
        isOutageLogged = true;
      },
      onMessage: (topic, payload, isRetained) => {
        for (const listener of this.#messageListeners.get(topic) ?? []) listener(payload, isRetained);
      },
    });
    return session;
  }

  async #announce(session: MqttSession, lost: AbortSignal): Promise<void> {
    try {
      await session.publish(onlineMessage);
      for (const listener of this.#connectListeners) listener();
    } catch (error) {
      this.#log.warn({ err: error }, 'mqtt broker connected, but rejects messages');
      return;
    }
    await this.#subscribe(session, lost);
  }

  /** Subscribes; tries again until the signal fires, as the permissions may be corrected at the broker. */
  async #subscribe(session: MqttSession, lost: AbortSignal): Promise<void> {
    for (let isLogged = false; !lost.aborted; isLogged = true) {
      try {
        await session.subscribe([...this.#messageListeners.keys()]);
        return;
      } catch (error) {
        if (!isLogged && !lost.aborted) this.#log.warn({ err: error }, 'mqtt broker rejects subscriptions');
      }
      await pauseUnlessAborted(this.#resubscribeMs, lost);
    }
  }
}

/** Callbacks of a session, which are not called after its end. */
interface MqttSessionEvents {
  onUp(): void;
  /** Called when the connection is lost or an attempt fails. */
  onDown(reason: string): void;
  onMessage(topic: string, payload: string, isRetained: boolean): void;
}

/** A connection to one broker, which reconnects with growing delays. */
class MqttSession {
  readonly #client: Promise<MqttClient>;
  #isEnded = false;

  constructor(address: BrokerAddress, events: MqttSessionEvents) {
    this.#client = connect(address);
    void this.#client.then((client) => forwardEvents(client, events, () => this.#isEnded));
  }

  /**
   * Resolves when the broker has acknowledged the message (QoS 1).
   * @throws MqttUnavailableError
   */
  async publish(message: MqttMessage): Promise<void> {
    await publish(await this.#client, message);
  }

  /** Subscribes until the connection is lost. @throws when the broker rejects it */
  async subscribe(topics: string[]): Promise<void> {
    if (!topics.length) return;
    await (await this.#client).subscribeAsync(topics, { qos: 1 });
  }

  /** Publishes the last will and disconnects. */
  async end(): Promise<void> {
    this.#isEnded = true;
    const client = await this.#client;
    await Promise.race([publishWill(client), pause(disconnectTimeoutMs, undefined, { ref: false })]);
    client.end(true);
    client.stream.destroy();
  }
}

async function connect(address: BrokerAddress): Promise<MqttClient> {
  const clientId = `birdhub-${randomUUID().slice(0, 8)}`;
  const lastWill = { ...will, payload: Buffer.from(will.payload), qos: 1 } as const;
  const client = await connectBroker(address, { clientId, will: lastWill });
  client.on('close', () => dropUnacknowledged(client));
  return client;
}

/** Unacknowledged messages would be resent on reconnect, and an outdated message must not open a feeder. */
function dropUnacknowledged(client: MqttClient): void {
  for (const id of Object.keys(client.outgoing)) client.removeOutgoingMessage(Number(id));
}

function forwardEvents(client: MqttClient, events: MqttSessionEvents, isEnded: () => boolean): void {
  let failure: string | undefined;
  client.on('connect', () => {
    if (!isEnded()) events.onUp();
  });
  client.on('error', (error) => {
    failure = describeBrokerError(error);
  });
  client.on('close', () => {
    if (!isEnded()) events.onDown(failure ?? 'connection closed');
    failure = undefined;
  });
  client.on('message', (topic, payload, { retain }) => {
    if (!isEnded()) events.onMessage(topic, payload.toString(), retain);
  });
}

async function publish(client: MqttClient, { topic, payload, retain = false }: MqttMessage): Promise<void> {
  if (!client.connected) throw new MqttUnavailableError('the MQTT broker is not connected', false);
  // A broker that does not acknowledge in time counts as unreachable.
  const timer = setTimeout(() => client.stream.destroy(), ackTimeoutMs);
  try {
    await client.publishAsync(topic, payload, { qos: 1, retain });
  } catch (cause) {
    throw new MqttUnavailableError('the MQTT broker did not acknowledge the message', true, { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** Publishes the last will; if this fails, the broker does. */
async function publishWill(client: MqttClient): Promise<void> {
  try {
    await publish(client, will);
    await client.endAsync();
  } catch (error) {
    if (!(error instanceof MqttUnavailableError)) throw error;
  }
}
