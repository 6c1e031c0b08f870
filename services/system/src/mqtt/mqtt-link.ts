import type { Settings } from '@birdhub/domain/settings';
import type { Logger } from 'pino';
import { toBrokerAddress } from './broker-address.js';
import { type MqttMessage, type MqttSession, MqttUnavailableError, openMqttSession } from './mqtt-session.js';

/** How the hub stands with the broker of its settings. */
export type MqttState = 'not_configured' | 'ok' | 'error';

/** The hub's own connection to the MQTT broker that its settings name. */
export interface MqttLink {
  state(): MqttState;
  /**
   * Resolves when the broker has acknowledged the message (QoS 1); nothing waits for a broker that is away.
   * @throws MqttUnavailableError
   */
  publish(message: MqttMessage): Promise<void>;
  /** Calls back with each message on a topic without wildcards; from the next connection on. */
  subscribe(topic: string, listener: (payload: string) => void): void;
  /** Calls back each time the broker is connected. */
  onConnect(listener: () => void): void;
  /** Takes over settings: connects, moves to another broker, or leaves. */
  follow(settings: Settings['mqtt']): void;
  close(): Promise<void>;
}

/** Says that the hub is connected; `offline` stands at its topic else. */
export const onlineMessage = { topic: 'birdhub/availability', payload: 'online', retain: true } as const;

const will = { ...onlineMessage, payload: 'offline' };

/** A connection that follows the settings; none until it has heard of them. */
export function createMqttLink(log: Logger): MqttLink {
  const connectListeners: (() => void)[] = [];
  const messageListeners = new Map<string, ((payload: string) => void)[]>();
  const endings = new Set<Promise<void>>();
  let followed: string | undefined;
  let session: MqttSession | undefined;
  let state: MqttState = 'not_configured';

  function leave(): void {
    const ending = session?.end().finally(() => endings.delete(ending as Promise<void>));
    if (ending) endings.add(ending);
    session = undefined;
  }

  async function settleIn(arrived: MqttSession): Promise<void> {
    try {
      await arrived.publish(onlineMessage);
      for (const listener of connectListeners) listener();
      await arrived.subscribe([...messageListeners.keys()]);
    } catch (error) {
      log.warn({ err: error }, 'mqtt broker connected, but does not take what it is told');
    }
  }

  function open(settings: Settings['mqtt']): MqttSession | undefined {
    const address = toBrokerAddress(settings);
    if (!address) {
      log.warn('mqtt broker of the settings is neither a host nor a URL of mqtt, mqtts, ws or wss');
      return undefined;
    }
    const broker = `${address.host}:${address.port}`;
    let isOutageKnown = false;
    const opened = openMqttSession(address, will, {
      onUp() {
        state = 'ok';
        isOutageKnown = false;
        log.info({ broker }, 'mqtt broker connected');
        void settleIn(opened);
      },
      onDown(reason) {
        state = 'error';
        if (!isOutageKnown) log.warn({ broker, reason }, 'mqtt broker not reachable, trying on');
        isOutageKnown = true;
      },
      onMessage(topic, payload) {
        for (const listener of messageListeners.get(topic) ?? []) listener(payload);
      },
    });
    return opened;
  }

  return {
    state: () => state,
    async publish(message) {
      if (!session) throw new MqttUnavailableError('there is no MQTT broker');
      await session.publish(message);
    },
    subscribe(topic, listener) {
      messageListeners.set(topic, [...(messageListeners.get(topic) ?? []), listener]);
    },
    onConnect: (listener) => void connectListeners.push(listener),
    follow(settings) {
      const { broker, port, username, password } = settings;
      const next = JSON.stringify([broker, port, username, password]);
      if (next === followed) return;
      followed = next;
      leave();
      state = broker.trim() ? 'error' : 'not_configured';
      if (broker.trim()) session = open(settings);
    },
    async close() {
      leave();
      state = 'not_configured';
      await Promise.all(endings);
    },
  };
}
