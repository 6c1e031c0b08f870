import { once } from 'node:events';
import { type AddressInfo, createServer, type LookupFunction, type Socket } from 'node:net';
import type { BrokerAddress } from '@birdhub/shared/mqtt';
import { createServiceGuard, RefusedAddressError, type ServiceGuard } from '@birdhub/shared/outgoing';
import { describe, expect, it } from 'vitest';
import { listenToBroker } from './mqtt-listener.js';
import { UpstreamError } from './source-kind.js';

const connect = 0x10;
const subscribe = 0x82;
/** CONNACK of MQTT 5 with a reason code. */
const connack = (code: number) => Buffer.from([0x20, 3, 0, code, 0]);
/** SUBACK of MQTT 5 with a reason code, for the packet id of a SUBSCRIBE. */
const suback = (packet: Buffer, code: number) =>
  Buffer.from([0x90, 4, packet[2] ?? 0, packet[3] ?? 0, 0, code]);

/** Listens to a broker that answers each packet by its first byte; returns why that failed. */
async function failureOf(answer: (socket: Socket, packet: Buffer) => void): Promise<unknown> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('data', (packet) => answer(socket, packet));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await failureAt((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

type Guard = Pick<ServiceGuard, 'admit'>;

const openGuard = createServiceGuard({ ownAddresses: [] });

function listen(given: Partial<BrokerAddress> & { readonly port: number }, guard: Guard): Promise<unknown> {
  const topics = { topics: ['frigate/events'], onMessage: () => undefined, onSubscribed: () => undefined };
  const address = { protocol: 'mqtt', host: '127.0.0.1', path: '/', ...given } as const;
  return listenToBroker({ ...topics, address, guard }, new AbortController().signal).catch(
    (reason: unknown) => reason,
  );
}

async function failureAt(port: number, host = '127.0.0.1'): Promise<unknown> {
  const error = await listen({ port, host }, openGuard);
  if (!(error instanceof UpstreamError)) throw new Error('the broker was listened to');
  return error.sentences.map(({ code }) => code);
}

describe('listening to a broker', () => {
  it('that refuses the login, names the login', async () => {
    for (const code of [134, 135])
      expect(await failureOf((socket) => socket.write(connack(code)))).toEqual(['broker_login']);
  });

  it('that refuses the subscription, names the subscription', async () => {
    const failure = await failureOf((socket, packet) => {
      if (packet[0] === connect) socket.write(connack(0));
      if (packet[0] === subscribe) socket.write(suback(packet, 135));
    });
    expect(failure).toEqual(['broker_subscription']);
  });

  it('that closes the connection, says so', async () => {
    expect(await failureOf((socket) => socket.end())).toEqual(['broker_closed']);
  });

  it('that refuses for another reason, passes that on', async () => {
    expect(await failureOf((socket) => socket.write(connack(136)))).toEqual(['broker']);
  });

  it('that is not there, says what is missing', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    expect(await failureAt(port)).toEqual(['broker_no_listener']);
    expect(await failureAt(port, 'nowhere.invalid')).toEqual(['broker_no_host']);
  });

  it.each([
    ['mqtt', 'MQTT'],
    ['mqtts', 'broker.invalid'],
    ['ws', 'broker.invalid'],
  ] as const)(
    'by %s at a name whose first address refuses connections, connects to the next one that was checked',
    async (protocol, greeting) => {
      const received: string[] = [];
      const server = createServer((socket) => {
        socket
          .on('error', () => undefined)
          .once('data', (packet) => {
            received.push(packet.toString('latin1'));
            socket.end();
          });
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const addresses = ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 }));
      const lookup: LookupFunction = (_host, { all }, done) => {
        if (all) done(null, addresses);
        else done(null, '127.0.0.2', 4);
      };
      const asked: string[] = [];
      const guard: Guard = {
        admit: async (host, at) => {
          asked.push(`${host}:${at}`);
          return { lookup, isPrivate: true };
        },
      };
      expect(await listen({ protocol, host: 'broker.invalid', port }, guard)).toBeInstanceOf(UpstreamError);
      server.close();
      expect(asked).toEqual([`broker.invalid:${port}`]);
      expect(received).toEqual([expect.stringContaining(greeting)]);
    },
  );

  it('at an address that is refused, does not connect', async () => {
    let connections = 0;
    const server = createServer(() => {
      connections += 1;
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const guard = createServiceGuard({ ownAddresses: [{ host: undefined, port }] });
    expect(await listen({ port }, guard)).toBeInstanceOf(RefusedAddressError);
    server.close();
    expect(connections).toBe(0);
  });
});
