import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
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

async function failureAt(port: number, host = '127.0.0.1'): Promise<unknown> {
  const topics = { topics: ['frigate/events'], onMessage: () => undefined, onSubscribed: () => undefined };
  const address = { protocol: 'mqtt', host, port, path: '' } as const;
  const error = await listenToBroker({ ...topics, address }, new AbortController().signal).catch(
    (reason: unknown) => reason,
  );
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
});
