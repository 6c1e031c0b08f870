import type { IClientOptions, MqttClient } from 'mqtt';
import type { BrokerAddress } from './broker-address.js';

const minReconnectMs = 1_000;
const maxReconnectMs = 15_000;

const defaults = {
  keepalive: 30,
  connectTimeout: 10_000,
  reconnectPeriod: minReconnectMs,
  // The password may be corrected at the broker.
  reconnectOnConnackError: true,
  resubscribe: false,
};

/**
 * Connects to a broker, and reconnects with growing delays. The mqtt package is loaded on demand, to save memory in a hub
 * without a broker.
 */
export async function connectBroker(address: BrokerAddress, options: IClientOptions): Promise<MqttClient> {
  const mqtt = await import('mqtt');
  const client = mqtt.connect({ ...defaults, ...address, ...options });
  growReconnectDelay(client);
  return client;
}

/** Doubles the reconnect delay with each attempt, until one succeeds. */
function growReconnectDelay(client: MqttClient): void {
  client.on('connect', () => {
    client.options.reconnectPeriod = minReconnectMs;
  });
  client.on('reconnect', () => {
    const { reconnectPeriod = minReconnectMs } = client.options;
    client.options.reconnectPeriod = Math.min(2 * reconnectPeriod, maxReconnectMs);
  });
}

/** Returns why a connection failed. */
export function describeBrokerError(error: Error & { code?: unknown }): string {
  // The error of a host with several addresses has a code and no message.
  return error.message || String(error.code ?? 'unknown');
}
