import { connect, type LookupFunction } from 'node:net';
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

interface ConnectionOptions extends PacketOptions {
  readonly lookup?: LookupFunction;
}

/**
 * Connects to a broker, and reconnects with growing delays. The connection is closed when a packet exceeds
 * `maximumPacketSize`. The mqtt package is loaded on demand, to save memory without a broker.
 */
export function connectBroker(
  address: BrokerAddress,
  options: IClientOptions,
  packets: PacketOptions = {},
): Promise<MqttClient> {
  return openClient(address, options, packets);
}

async function openClient(
  address: BrokerAddress,
  options: IClientOptions,
  { trimsMessages = false, lookup }: ConnectionOptions,
): Promise<MqttClient> {
  const mqtt = await import('mqtt');
  const maxPacketBytes = options.properties?.maximumPacketSize ?? defaultMaxPacketBytes;
  const resolving = lookup && { lookup };
  const wsOptions = { ...options.wsOptions, ...resolving, maxPayload: 2 * maxPacketBytes };
  const all = { ...defaults, ...address, ...options, ...resolving, wsOptions, manualConnect: true };
  const client = mqtt.connect(all);
  // The mqtt package passes the lookup function to TLS and web sockets only.
  if (lookup && address.protocol === 'mqtt') {
    const { host, port } = address;
    streamSourceOf(client).streamBuilder = () => connect({ host, port, lookup });
  }
  growReconnectDelay(client);
  if (trimsMessages) trimMessages(client, maxPacketBytes);
  client.connect();
  client.options.manualConnect = false;
  if (!trimsMessages) limitPackets(client, 2 * maxPacketBytes);
  return client;
}

/**
 * Connects to a broker that a user entered, as {@link connectBroker} does: its name is resolved once, and the connection
 * goes to the addresses that the guard has checked, in turn until one accepts it.
 * @throws RefusedAddressError, or the error of a name that cannot be resolved
 */
export async function connectAdmittedBroker(
  guard: Pick<ServiceGuard, 'admit'>,
  address: BrokerAddress,
  options: IClientOptions,
): Promise<MqttClient> {
  const { lookup } = await guard.admit(address.host, address.port);
  return openClient(address, options, { lookup });
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

const streamSourceOf = (client: MqttClient) => client as unknown as StreamSource;

/** Cuts off messages that exceed the limit, before the mqtt package collects them in memory. */
function trimMessages(client: MqttClient, maxBytes: number): void {
  const source = streamSourceOf(client);
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
