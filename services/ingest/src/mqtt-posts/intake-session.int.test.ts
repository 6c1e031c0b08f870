import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IntakeSession, type IntakeSessionOptions } from './intake-session.js';

const packets = { connect: 1, puback: 4, subscribe: 8, pingRequest: 12 };
const soon = { interval: 20 };

/** A minimal MQTT 5 broker; packets are shorter than 128 bytes. */
class StubBroker {
  readonly #server: Server = createServer((socket) => this.#serve(socket));
  readonly #sockets: Socket[] = [];
  readonly received: number[] = [];
  /** The reason codes of subscriptions, in order; the last one is repeated. */
  reasonCodes = [1];

  async listen(): Promise<number> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  count(packet: number): number {
    return this.received.filter((one) => one === packet).length;
  }

  /** Sends a message with QoS 1. */
  publish(): void {
    const body = Buffer.from('\0\x01t\0\x07\0bird', 'latin1');
    this.#sockets.at(-1)?.write(Buffer.concat([Buffer.from([0x32, body.length]), body]));
  }

  /** Sends a message of at least 128 bytes with QoS 1, as brokers without a limit do. */
  publishLarge(length: number): void {
    const body = Buffer.alloc(length, 'x');
    body.write('\0\x01t\0\x08\0', 'latin1');
    const digits = [(length % 128) | 0x80, Math.floor(length / 128)];
    this.#sockets.at(-1)?.write(Buffer.concat([Buffer.from([0x32, ...digits]), body]));
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #serve(socket: Socket): void {
    this.#sockets.push(socket);
    let pending = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= 2 && pending.length >= 2 + (pending[1] ?? 0)) {
        const length = 2 + (pending[1] ?? 0);
        this.#respond(socket, pending.subarray(0, length));
        pending = pending.subarray(length);
      }
    });
  }

  #respond(socket: Socket, packet: Buffer): void {
    const type = (packet[0] ?? 0) >> 4;
    this.received.push(type);
    if (type === packets.connect) socket.write(Buffer.from([0x20, 3, 0, 0, 0]));
    if (type === packets.pingRequest) socket.write(Buffer.from([0xd0, 0]));
    if (type !== packets.subscribe) return;
    const [code = 1] = this.reasonCodes.length > 1 ? this.reasonCodes.splice(0, 1) : this.reasonCodes;
    socket.write(Buffer.from([0x90, 4, packet[2] ?? 0, packet[3] ?? 0, 0, code]));
  }
}

describe('IntakeSession', () => {
  let broker: StubBroker;
  let session: IntakeSession | undefined;
  let port: number;

  beforeEach(async () => {
    broker = new StubBroker();
    port = await broker.listen();
  });
  afterEach(async () => {
    await session?.close({ unsubscribe: false });
    broker.close();
  });

  const open = (given: Partial<IntakeSessionOptions>) => {
    session = new IntakeSession({
      address: { protocol: 'mqtt', host: '127.0.0.1', port, path: '/' },
      clientId: 'test',
      topics: ['t'],
      oldTopics: [],
      handle: async () => undefined,
      onUp: () => undefined,
      onDown: () => undefined,
      ...given,
    });
  };

  it('a message, handled for several keepalive intervals, keeps its connection and is handled once', async () => {
    const outages: string[] = [];
    let handled = 0;
    open({
      keepaliveSeconds: 1,
      onUp: () => broker.publish(),
      onDown: (reason) => outages.push(reason),
      handle: async (_message, signal) => {
        handled += 1;
        await pause(3_500, undefined, { signal });
      },
    });
    await vi.waitFor(() => expect(broker.count(packets.puback)).toBe(1), soon);
    expect([handled, broker.count(packets.connect), outages]).toEqual([1, 1, []]);
    expect(broker.count(packets.pingRequest)).toBeGreaterThan(1);
  });

  it('a message that is too large, is handled without its rest and acknowledged, and so are later ones', async () => {
    const outages: string[] = [];
    const handled: [bytes: number, fullBytes: number | undefined, start: string][] = [];
    open({
      maxPacketBytes: 200,
      onUp: () => {
        broker.publishLarge(10_000);
        broker.publish();
      },
      onDown: (reason) => outages.push(reason),
      handle: async ({ payload, fullBytes }) => {
        handled.push([payload.length, fullBytes, payload.subarray(0, 4).toString()]);
      },
    });
    await vi.waitFor(() => expect(broker.count(packets.puback)).toBe(2), soon);
    expect(handled).toEqual([
      [189, 10_000, 'xxxx'],
      [4, undefined, 'bird'],
    ]);
    expect([broker.count(packets.connect), outages]).toEqual([1, []]);
  });

  it('a rejected subscription, is tried again on the same connection until it is granted', async () => {
    broker.reasonCodes = [135, 135, 1];
    const states: string[] = [];
    open({
      resubscribeMs: 10,
      onUp: () => states.push('up'),
      onDown: () => states.push('down'),
    });
    await vi.waitFor(() => expect(states).toEqual(['down', 'down', 'up']), soon);
    expect(broker.count(packets.connect)).toBe(1);
  });
});
