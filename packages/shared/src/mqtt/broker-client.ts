import { isIP, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import type { IClientOptions, IPublishPacket, MqttClient, Packet } from 'mqtt';
import type { ServiceGuard } from '../outgoing/index.js';
import type { BrokerAddress } from './broker-address.js';
import { PacketTrimmer } from './packet-trimmer.js';

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

/** Options of {@link connectBroker} beside those of the mqtt package. */
export interface PacketOptions {
  /** Whether larger messages are cut off instead of closing the connection; see {@link originalSizeOf}. */
  readonly trimsMessages?: boolean;
}

/**
 * Connects to a broker, and reconnects with growing delays. The connection is closed when a packet exceeds
 * `maximumPacketSize`. The mqtt package is loaded on demand, to save memory without a broker.
 */
export async function connectBroker(
  address: BrokerAddress,
  options: IClientOptions,
  { trimsMessages = false }: PacketOptions = {},
): Promise<MqttClient> {
  const mqtt = await import('mqtt');
  const maxPacketBytes = options.properties?.maximumPacketSize ?? defaultMaxPacketBytes;
  const wsOptions = { ...options.wsOptions, maxPayload: 2 * maxPacketBytes };
  const client = mqtt.connect({ ...defaults, ...address, ...options, wsOptions, manualConnect: true });
  growReconnectDelay(client);
  if (trimsMessages) trimMessages(client, maxPacketBytes);
  client.connect();
  client.options.manualConnect = false;
  if (!trimsMessages) limitPackets(client, 2 * maxPacketBytes);
  return client;
}

/**
 * Connects to a broker that a user entered, as {@link connectBroker} does: its name is resolved once, and the connection
 * goes to the address that the guard has checked.
 * @throws RefusedAddressError, or the error of a name that cannot be resolved
 */
export async function connectAdmittedBroker(
  guard: Pick<ServiceGuard, 'admit'>,
  address: BrokerAddress,
  options: IClientOptions,
): Promise<MqttClient> {
  const { lookup } = await guard.admit(address.host, address.port);
  // Web sockets need the name in their URL; the other protocols take no lookup.
  if (address.protocol === 'ws' || address.protocol === 'wss')
    return connectBroker(address, { ...options, wsOptions: { ...options.wsOptions, lookup } });
  const host = await addressBy(lookup, address.host);
  const servername = isIP(address.host) === 0 && { servername: address.host };
  return connectBroker({ ...address, host }, { ...options, ...servername });
}

function addressBy(lookup: LookupFunction, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: false }, (error, found) => (error ? reject(error) : resolve(String(found))));
  });
}

const originalSizes = new WeakMap<Packet, number>();

/** Returns the size of a received message before it was cut off; undefined if it is complete. */
export function originalSizeOf(packet: IPublishPacket): number | undefined {
  return originalSizes.get(packet);
}

/** What the types of the mqtt package hide: the function that opens a connection. */
interface StreamSource {
  streamBuilder: (client: MqttClient) => Duplex;
}

/** Cuts off messages that exceed the limit, before the mqtt package collects them in memory. */
function trimMessages(client: MqttClient, maxBytes: number): void {
  const source = client as unknown as StreamSource;
  const open = source.streamBuilder;
  let trimmer: PacketTrimmer | undefined;
  let messages = 0;
  source.streamBuilder = (opening) => {
    const stream = open(opening);
    // The fixed header has up to five bytes.
    const own = new PacketTrimmer({ maxBytes: maxBytes - 5, onDropped: () => client.reschedulePing(true) });
    trimmer = own;
    messages = 0;
    const pipe = stream.pipe.bind(stream);
    stream.pipe = (target) => pipe(own).pipe(target);
    return stream;
  };
  client.on('packetreceive', (packet) => {
    if (packet.cmd !== 'publish') return;
    messages += 1;
    const size = trimmer?.takeSize(messages);
    if (size !== undefined) originalSizes.set(packet, size);
  });
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
