import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { drawPort, listenOnAny } from '@birdhub/shared/ports';
import { Aedes } from 'aedes';
import { connectAsync } from 'mqtt';

/** A received message. */
export interface ReceivedMessage {
  readonly topic: string;
  readonly payload: string;
  /** Whether it was retained. */
  readonly retain: boolean;
}

/** A client of the broker other than the hub. */
export interface BrokerListener {
  /** The messages received so far. */
  readonly messages: readonly ReceivedMessage[];
  /** Returns the last payload on a topic. */
  last(topic: string): string | undefined;
  publish(topic: string, payload: string, retain?: boolean): Promise<void>;
  close(): Promise<void>;
}

/** A real MQTT broker on the loopback. Retained messages are lost when it is killed. */
export interface TestBroker {
  readonly port: number;
  /** Returns the client ids of connected hubs. */
  hubs(): string[];
  /** Whether hubs may subscribe. */
  allowsSubscriptions: boolean;
  /** Drops the connections of hubs without an MQTT disconnect. */
  cutHubs(): void;
  /** Subscribes to all topics. */
  listen(): Promise<BrokerListener>;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a broker; with a password, only the user `hub` may connect. */
export async function startTestBroker({ password }: { password?: string } = {}): Promise<TestBroker> {
  let port = 0;
  let server: Server;
  let broker: Aedes;
  let allowsSubscriptions = true;
  const sockets = new Map<string, Socket>();
  const open = new Set<Socket>();
  const listenerLogin = { username: 'hub', ...(password && { password }) };

  async function start(): Promise<void> {
    broker = await Aedes.createBroker({
      authenticate: (_client, username, given, done) =>
        done(null, password === undefined || (username === 'hub' && given?.toString() === password)),
      authorizeSubscribe: (client, subscription, done) =>
        done(null, allowsSubscriptions || !client.id.startsWith('birdhub-') ? subscription : null),
    });
    broker.on('client', ({ id, conn }) => void sockets.set(id, conn as Socket));
    broker.on('clientDisconnect', ({ id }) => void sockets.delete(id));
    server = createServer((socket) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      broker.handle(socket);
    });
    const listenOn = async (requested: number) => {
      await once(server.listen(requested, '127.0.0.1'), 'listening');
      return requested;
    };
    // The hub under test is configured with the port, so a restart keeps it; it is outside the ephemeral range.
    port = port === 0 ? await listenOnAny(listenOn, drawPort()) : await listenOn(port);
  }

  async function kill(): Promise<void> {
    if (!server.listening) return;
    server.close();
    for (const socket of open) socket.destroy();
    await once(server, 'close');
    await new Promise<void>((resolve) => broker.close(resolve));
  }

  const hubs = () => [...sockets.keys()].filter((id) => id.startsWith('birdhub-'));

  async function listen(): Promise<BrokerListener> {
    const client = await connectAsync({ host: '127.0.0.1', port, ...listenerLogin });
    const messages: ReceivedMessage[] = [];
    client.on('message', (topic, payload, { retain }) => {
      messages.push({ topic, payload: payload.toString(), retain });
    });
    await client.subscribeAsync('#', { qos: 1 });
    return {
      messages,
      last: (topic) => messages.findLast((message) => message.topic === topic)?.payload,
      publish: async (topic, payload, retain = false) =>
        void (await client.publishAsync(topic, payload, { qos: 1, retain })),
      close: () => client.endAsync(true),
    };
  }

  await start();
  return {
    get port() {
      return port;
    },
    hubs,
    get allowsSubscriptions() {
      return allowsSubscriptions;
    },
    set allowsSubscriptions(allowed) {
      allowsSubscriptions = allowed;
    },
    cutHubs() {
      for (const id of hubs()) sockets.get(id)?.destroy();
    },
    listen,
    kill,
    start,
  };
}
