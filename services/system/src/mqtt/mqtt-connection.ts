import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '@birdhub/domain/settings';
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

/** The hub's connection to the MQTT broker of its settings. */
export interface MqttConnection {
  state(): MqttState;
  /**
   * Resolves when the broker has acknowledged the message (QoS 1). Messages are not queued while the broker is
   * unreachable.
   * @throws MqttUnavailableError
   */
  publish(message: MqttMessage): Promise<void>;
  /**
   * Calls back with each message on a topic without wildcards, from the next connection on. `isRetained` marks retained
   * messages.
   */
  subscribe(topic: string, listener: MqttListener): void;
  /** Calls back on each connection. */
  onConnect(listener: () => void): void;
  /** Applies settings: connects, switches to another broker, or disconnects. */
  configure(settings: Settings['mqtt']): void;
  close(): Promise<void>;
}

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

/** The availability message of the hub; otherwise `offline` is retained. */
export const onlineMessage = { topic: 'birdhub/availability', payload: 'online', retain: true } as const;

const will = { ...onlineMessage, payload: 'offline' };

const ackTimeoutMs = 5_000;
const goodbyeTimeoutMs = 1_000;

/** Creates a connection, which is established by `configure`. */
export function createMqttConnection(log: Logger): MqttConnection {
  const connectListeners: (() => void)[] = [];
  const messageListeners = new Map<string, MqttListener[]>();
  const endings = new Set<Promise<void>>();
  let configured: string | undefined;
  let session: MqttSession | undefined;
  let state: MqttState = 'not_configured';

  function disconnect(): void {
    const ending = session?.end().finally(() => endings.delete(ending as Promise<void>));
    if (ending) endings.add(ending);
    session = undefined;
  }

  async function announce(connected: MqttSession): Promise<void> {
    try {
      await connected.publish(onlineMessage);
      for (const listener of connectListeners) listener();
      await connected.subscribe([...messageListeners.keys()]);
    } catch (error) {
      log.warn({ err: error }, 'mqtt broker connected, but rejects messages');
    }
  }

  function open(settings: Settings['mqtt']): MqttSession | undefined {
    const address = toBrokerAddress(settings);
    if (!address) {
      log.warn('mqtt.broker is neither a host nor a URL of mqtt, mqtts, ws or wss');
      return undefined;
    }
    const broker = `${address.host}:${address.port}`;
    let isOutageKnown = false;
    const opened = openMqttSession(address, will, {
      onUp() {
        state = 'ok';
        isOutageKnown = false;
        log.info({ broker }, 'mqtt broker connected');
        void announce(opened);
      },
      onDown(reason) {
        state = 'error';
        if (!isOutageKnown) log.warn({ broker, reason }, 'mqtt broker not reachable, reconnecting');
        isOutageKnown = true;
      },
      onMessage(topic, payload, isRetained) {
        for (const listener of messageListeners.get(topic) ?? []) listener(payload, isRetained);
      },
    });
    return opened;
  }

  return {
    state: () => state,
    async publish(message) {
      if (!session) throw new MqttUnavailableError('there is no MQTT broker', false);
      await session.publish(message);
    },
    subscribe(topic, listener) {
      messageListeners.set(topic, [...(messageListeners.get(topic) ?? []), listener]);
    },
    onConnect: (listener) => void connectListeners.push(listener),
    configure(settings) {
      const { broker, port, username, password } = settings;
      const next = JSON.stringify([broker, port, username, password]);
      if (next === configured) return;
      configured = next;
      disconnect();
      state = broker.trim() ? 'error' : 'not_configured';
      if (broker.trim()) session = open(settings);
    },
    async close() {
      disconnect();
      state = 'not_configured';
      await Promise.all(endings);
    },
  };
}

/** Callbacks of a session, which are not called after its end. */
interface MqttSessionEvents {
  onUp(): void;
  /** Called when the connection is lost or an attempt fails. */
  onDown(reason: string): void;
  onMessage(topic: string, payload: string, isRetained: boolean): void;
}

/** A connection to one broker that reconnects. */
interface MqttSession {
  /**
   * Resolves when the broker has acknowledged the message (QoS 1).
   * @throws MqttUnavailableError
   */
  publish(message: MqttMessage): Promise<void>;
  /** Subscribes until the connection is lost. */
  subscribe(topics: string[]): Promise<void>;
  /** Publishes the last will and disconnects. */
  end(): Promise<void>;
}

/** Connects, and reconnects with growing delays. */
function openMqttSession(address: BrokerAddress, will: MqttMessage, events: MqttSessionEvents): MqttSession {
  let isEnded = false;
  const connecting = connect(address, will);
  void connecting.then((client) => forwardEvents(client, events, () => isEnded));
  return {
    publish: async (message) => publish(await connecting, message),
    async subscribe(topics) {
      if (topics.length) await (await connecting).subscribeAsync(topics, { qos: 1 });
    },
    async end() {
      isEnded = true;
      const client = await connecting;
      await Promise.race([publishWill(client, will), pause(goodbyeTimeoutMs, undefined, { ref: false })]);
      client.end(true);
      client.stream.destroy();
    },
  };
}

async function connect(address: BrokerAddress, will: MqttMessage): Promise<MqttClient> {
  const clientId = `birdhub-${randomUUID().slice(0, 8)}`;
  const { topic, payload, retain = false } = will;
  const lastWill = { topic, payload: Buffer.from(payload), qos: 1, retain } as const;
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
  const late = setTimeout(() => client.stream.destroy(), ackTimeoutMs);
  try {
    await client.publishAsync(topic, payload, { qos: 1, retain });
  } catch (cause) {
    throw new MqttUnavailableError('the MQTT broker did not acknowledge the message', true, { cause });
  } finally {
    clearTimeout(late);
  }
}

/** Publishes the last will; if this fails, the broker does. */
async function publishWill(client: MqttClient, will: MqttMessage): Promise<void> {
  try {
    await publish(client, will);
    await client.endAsync();
  } catch (error) {
    if (!(error instanceof MqttUnavailableError)) throw error;
  }
}
