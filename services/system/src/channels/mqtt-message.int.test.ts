import { once } from 'node:events';
import { createServer } from 'node:net';
import { createOutgoingGuard, createServiceGuard } from '@birdhub/shared/outgoing';
import { findMosquitto, type Mosquitto, startMosquitto } from '@birdhub/testing/mosquitto';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MqttUnavailableError } from '../mqtt/mqtt-connection.js';
import { inEnglish } from '../testing/in-english.js';
import type { Message, Shipment } from './channel.js';
import { createMqttChannel } from './mqtt-message.js';

const programs = findMosquitto();
const message: Message = {
  key: 'visit:7',
  title: 'Tit "\n<b>',
  body: 'Here since 11:59',
  tag: 'birdhub-visit-7',
  url: 'https://birds.example/videos/7',
  visitId: 7,
  icon: null,
  image: null,
  noticeId: null,
};
const picture = { name: 'bird.jpg', type: 'image/jpeg', content: Buffer.from([0xff, 0xd8, 0xff, 0]) };

describe('messages by MQTT', () => {
  const guard = createServiceGuard({ ownAddresses: [], guard: createOutgoingGuard('all') });

  function send(broker: string, publish: (message: object) => Promise<void> = async () => undefined) {
    const options = { topic: 'garden/birds', retain: false, broker, username: '', picture: true };
    const shipment = { message, target: '', ttlSeconds: 60, options, secrets: {}, clip: undefined };
    const channel = createMqttChannel({ mqtt: { publish }, guard });
    return inEnglish(channel.send({ ...shipment, picture, attachments: [] } as Shipment<typeof options>));
  }

  describe.skipIf(programs === undefined)('another broker', () => {
    let broker: Mosquitto;
    beforeAll(async () => {
      if (programs) broker = await startMosquitto(programs);
    });
    afterAll(() => broker.stop());

    it('that accepts, receives the picture and then the message', async () => {
      const client = await connectAsync(`mqtt://127.0.0.1:${broker.port}`);
      const seen: [string, Buffer][] = [];
      client.on('message', (topic, payload) => seen.push([topic, payload]));
      await client.subscribeAsync('garden/#', { qos: 1 });
      expect(await send(`127.0.0.1:${broker.port}`)).toEqual({ state: 'sent', error: null });
      await vi.waitFor(() => expect(seen).toHaveLength(2));
      await client.endAsync();
      expect(seen[0]).toEqual(['garden/birds/picture', picture.content]);
      expect(seen[1]?.[0]).toBe('garden/birds');
      expect(JSON.parse(String(seen[1]?.[1]))).toMatchObject({
        id: 'visit:7',
        title: message.title,
        visit_id: 7,
        has_picture: true,
      });
    });

    it('that is down, leads to a retry', async () => {
      await broker.kill();
      expect((await send(`mqtt://127.0.0.1:${broker.port}`)).state).toBe('retry');
      await broker.start();
    });
  });

  it('a broker that never responds, leads to a retry, but one that disconnects after the message does not', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    const cutting = createServer((socket) => {
      socket.on('error', () => undefined);
      // Sends CONNACK, then disconnects at the first PUBLISH.
      socket.on('data', (chunk) =>
        chunk[0] === 0x10 ? socket.write(Buffer.from([0x20, 2, 0, 0])) : socket.destroy(),
      );
    }).listen(0, '127.0.0.1');
    await Promise.all([once(silent, 'listening'), once(cutting, 'listening')]);
    const portOf = (server: typeof silent) => (server.address() as { port: number }).port;
    const [late, cut] = await Promise.all([
      send(`127.0.0.1:${portOf(silent)}`),
      send(`127.0.0.1:${portOf(cutting)}`),
    ]);
    expect([late.state, cut.state]).toEqual(['retry', 'failed']);
    silent.close();
    cutting.close();
  });

  it('the broker of the settings, receives the message, which may have arrived without its acknowledgement', async () => {
    const published: object[] = [];
    expect((await send('', async (given) => void published.push(given))).state).toBe('sent');
    expect(published).toMatchObject([
      { topic: 'garden/birds/picture' },
      { topic: 'garden/birds', retain: false },
    ]);
    const failing = (mayHaveArrived: boolean) => async () => {
      throw new MqttUnavailableError('the broker is away', mayHaveArrived);
    };
    expect((await send('', failing(false))).state).toBe('retry');
    expect((await send('', failing(true))).state).toBe('failed');
  });
});
