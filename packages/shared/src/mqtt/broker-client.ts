import type { IClientOptions, MqttClient } from 'mqtt';
import type { BrokerAddress } from './broker-address.js';

const minReconnectMs = 1_000;
const maxReconnectMs = 15_000;

const defaults = {
  keepalive: 30,
  connectTimeout: 10_000,
  reconnectPeriod: minReconnectMs,
  // Reconnects even after a refused login, as it may be corrected at the broker.
  reconnectOnConnackError: true,
  resubscribe: false,
};

/** Default limit of a packet. */
const defaultMaxPacketBytes = 16 * 1024 * 1024;

/**
 * Connects to a broker, and reconnects with growing delays. The connection is closed when a packet exceeds
 * `maximumPacketSize`. The mqtt package is loaded on demand, to save memory without a broker.
 */
export async function connectBroker(address: BrokerAddress, options: IClientOptions): Promise<MqttClient> {
  const mqtt = await import('mqtt');
  const maxPacketBytes = options.properties?.maximumPacketSize ?? defaultMaxPacketBytes;
  const wsOptions = { ...options.wsOptions, maxPayload: 2 * maxPacketBytes };
  const client = mqtt.connect({ ...defaults, ...address, ...options, wsOptions });
  growReconnectDelay(client);
  limitPackets(client, 2 * maxPacketBytes);
  return client;
}

/** Closes a connection when an incomplete packet exceeds the limit: the mqtt package itself allows 256 MB. */
function limitPackets(client: MqttClient, maxBytes: number): void {
  let received = 0;
  const watch = () => {
    received = 0;
    const { stream } = client;
    stream.on('data', ({ length }: Buffer) => {
      received += length;
      if (received <= maxBytes) return;
      // The mqtt package does not emit errors of its stream.
      if (client.listenerCount('error'))
        client.emit('error', new Error('it sends a message that is too large'));
      stream.destroy();
    });
  };
  client.on('packetreceive', () => {
    received = 0;
  });
  // The new connection is opened after this event.
  client.on('reconnect', () => queueMicrotask(watch));
  watch();
}

/** Doubles the reconnect delay with each failed attempt. */
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
  // The AggregateError of a host with several addresses has a code and no message.
  return error.message || String(error.code ?? 'unknown');
}
