import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { findMosquitto, type Mosquitto, startMosquitto } from '@birdhub/testing/mosquitto';
import { connectAsync, type MqttClient } from 'mqtt';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aRecordingBody, createTestIngest, type TestIngest, testNow } from '../testing/create-test-ingest.js';
import type { MqttIntake } from './mqtt-intake.js';

const programs = findMosquitto();
const soon = { interval: 50 };
const time = new Date(testNow - 60_000).toISOString();

describe.skipIf(!programs)('posts by MQTT', () => {
  let broker: Mosquitto;
  let hub: TestIngest;
  let intake: MqttIntake;
  let publisher: MqttClient;

  beforeEach(async () => {
    if (!programs) return;
    [broker, hub] = await Promise.all([startMosquitto(programs), createTestIngest()]);
    await setMqtt();
    intake = hub.startIntake();
    publisher = await connectAsync({ host: '127.0.0.1', port: broker.port });
    await whenConnected();
  });
  afterEach(async () => {
    await publisher.endAsync(true);
    await hub.close();
    await broker.stop();
  });

  const setMqtt = (given: object = {}) =>
    hub.setSettings({ mqtt: { broker: '127.0.0.1', port: broker.port, accept_posts: true, ...given } });
  const stateOf = async () =>
    (
      await hub.rows<{ connected: boolean; taken: number; refused: number; subscribed: string | null }>(
        'SELECT connected, taken, refused, subscribed FROM mqtt_intake',
      )
    )[0];
  const whenConnected = () =>
    vi.waitFor(async () => expect(await stateOf()).toMatchObject({ connected: true }), soon);
  const publish = (topic: string, payload: unknown, options: object = {}) =>
    publisher.publishAsync(topic, typeof payload === 'string' ? payload : JSON.stringify(payload), {
      qos: 1,
      ...options,
    });
  const listSightings = () =>
    hub.rows<{ camera: string; species: string; path: string }>(
      `SELECT camera_id AS camera, species.name AS species, video_path AS path FROM detection
       JOIN video ON video.id = video_id JOIN species ON species.id = species_id ORDER BY detection.id`,
    );
  const whenStored = (count: number) =>
    vi.waitFor(async () => expect(await listSightings()).toHaveLength(count), soon);
  const refused = () =>
    hub.rows<{
      topic: string;
      reason: string;
      field: string | null;
      error: string;
      details: { code?: string; values?: object }[];
      payload: string;
      bytes: number;
    }>('SELECT * FROM mqtt_refusal ORDER BY id');
  /** Messages are taken in order, so all earlier ones are done when this one is stored. */
  const settle = async () => {
    const countLast = async () => (await listSightings()).filter(({ camera }) => camera === 'last').length;
    const before = await countLast();
    await publish('birdhub/in/last', { species_name: 'Robin', id: `end-${before}` });
    await vi.waitFor(async () => expect(await countLast()).toBe(before + 1), soon);
  };

  it('a recording and a sighting, are stored with the camera of the topic, and counted', async () => {
    const { camera_id: _, ...recording } = aRecordingBody();
    await publish('birdhub/in/garden', recording);
    await publish('birdhub/in/terrace', { species_name: 'Eurasian Blue Tit', time, camera_id: 'terrace' });
    await whenStored(2);
    expect(await listSightings()).toMatchObject([
      { camera: 'garden', species: 'Great Tit', path: 'data/recordings/2026/05/01/110000/video.mp4' },
      { camera: 'terrace', species: 'Eurasian Blue Tit' },
    ]);
    const text = await hub.metrics();
    expect(text).toMatch(/hub_mqtt_posts_taken_total{[^}]*kind="recording"[^}]*} 1/);
    expect(text).toMatch(/hub_mqtt_posts_connected{[^}]*} 1/);
    await intake.stop();
    expect(await stateOf()).toMatchObject({
      connected: false,
      taken: 2,
      refused: 0,
      subscribed: 'birdhub/in',
    });
  });

  it('wrong messages, are acknowledged and listed with the invalid field', async () => {
    await publish('birdhub/in/garden', 'a bird!');
    await publish('birdhub/in/garden', '[1]');
    await publish('birdhub/in/garden', { species_name: 'Robin', confidence: 93 });
    await publish('birdhub/in/garden', { species_name: 'Robin', camera_id: 'other' });
    await publish('birdhub/in/garden', aRecordingBody({ video_path: '../../etc/passwd' }));
    await publish('birdhub/in/garden', { species_name: 'Robin', note: 'x'.repeat(15 * 1024 * 1024) });
    await publish('birdhub/in/garden/status', 'away');
    await settle();
    expect(await listSightings()).toHaveLength(1);
    expect((await refused()).map(({ reason, field }) => [reason, field])).toEqual([
      ['json', null],
      ['json', null],
      ['fields', '/confidence'],
      ['camera', '/camera_id'],
      ['fields', '/video_path'],
      ['size', null],
      ['json', null],
    ]);
    expect((await refused()).map(({ details }) => details.map(({ code, values }) => [code, values]))).toEqual(
      [
        [['message_json', { reason: expect.stringMatching(/./) }]],
        [['message_object', undefined]],
        [['too_large', { limit: 1 }]],
        [['message_other_camera', { camera: 'garden' }]],
        [['media_path', undefined]],
        [['message_size', { limit: '15 MB', bytes: expect.any(Number) }]],
        [['message_json', { reason: expect.stringMatching(/./) }]],
      ],
    );
    const large = (await refused())[5];
    expect([large?.payload.length, (large?.bytes ?? 0) > 15 * 1024 * 1024]).toEqual([2_048, true]);
    expect(await hub.metrics()).toMatch(/hub_mqtt_posts_refused_total{[^}]*reason="fields"[^}]*} 2/);
  });

  it('invalid camera names, are refused, and other topics are ignored', async () => {
    await publish('birdhub/in/', { species_name: 'Robin' });
    await publish(`birdhub/in/${'c'.repeat(65)}`, { species_name: 'Robin' });
    await publish('birdhub/in/garden/status/more', 'online');
    await publish('birdhub/in/a/b', { species_name: 'Robin' });
    await publish('birdhub/other/garden', { species_name: 'Robin' });
    await publish('birdhub/in/$SYS', { species_name: 'Robin', time });
    await settle();
    expect((await listSightings()).map(({ camera }) => camera)).toEqual(['$SYS', 'last']);
    expect(new Set((await refused()).map(({ reason }) => reason))).toEqual(new Set(['topic']));
  });

  it('more than a hundred wrong messages, keep the last hundred in the list', async () => {
    for (let number = 0; number < 110; number += 1) await publish('birdhub/in/garden', `wrong ${number}`);
    await settle();
    const payloads = (await refused()).map(({ payload }) => payload);
    expect([payloads.length, payloads[0], payloads.at(-1)]).toEqual([100, 'wrong 10', 'wrong 109']);
  });

  it('the same message again, is another sighting without a time, and the same one with a time', async () => {
    await publish('birdhub/in/garden', { species_name: 'Robin' });
    await publish('birdhub/in/garden', { species_name: 'Robin' });
    await publish('birdhub/in/garden', { species_name: 'Robin', time });
    await publish('birdhub/in/garden', { species_name: 'Robin', time });
    await settle();
    expect((await listSightings()).filter(({ camera }) => camera === 'garden')).toHaveLength(3);
  });

  it('a retained message, is stored once, and refused without a time', async () => {
    await intake.stop();
    await publish('birdhub/in/garden', { species_name: 'Robin', time }, { retain: true });
    await publish('birdhub/in/terrace', { species_name: 'Robin' }, { retain: true });
    // Another topic and back: each new subscription receives the retained messages.
    intake = hub.startIntake();
    await whenConnected();
    for (const topic of ['birdhub/elsewhere', 'birdhub/in']) {
      await setMqtt({ post_topic: topic });
      await vi.waitFor(
        async () => expect(await stateOf()).toMatchObject({ connected: true, subscribed: topic }),
        soon,
      );
    }
    await settle();
    const robins = (await listSightings()).filter(({ camera }) => camera === 'garden');
    expect(robins).toHaveLength(1);
    const kept = (await refused()).filter(({ reason }) => reason === 'retained');
    expect(kept.length).toBeGreaterThan(0);
    expect(kept[0]).toMatchObject({ topic: 'birdhub/in/terrace', field: '/time' });
  });

  it('a message published while no process runs, is stored by the next one', async () => {
    await intake.stop();
    await publish('birdhub/in/garden', { species_name: 'Robin', time });
    expect(await listSightings()).toEqual([]);
    intake = hub.startIntake();
    await whenStored(1);
  });

  it('the broker, after a crash, delivers what was published before and after', async () => {
    await publish('birdhub/in/garden', { species_name: 'Robin', id: '1' });
    await whenStored(1);
    await broker.kill();
    await vi.waitFor(async () => expect(await stateOf()).toMatchObject({ connected: false }), soon);
    await broker.start();
    await whenConnected();
    await vi.waitFor(() => expect(publisher.connected).toBe(true), soon);
    await publish('birdhub/in/garden', { species_name: 'Robin', id: '2' });
    await whenStored(2);
  });

  it('the database, after an outage, has everything stored exactly once', async () => {
    const url = new URL(hub.database.url);
    const name = url.pathname.slice(1);
    url.pathname = '/postgres';
    const admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
    const publishAll = (async () => {
      for (let number = 0; number < 60; number += 1)
        await publish('birdhub/in/garden', { species_name: 'Robin', note: `${number}` });
    })();
    await vi.waitFor(async () => expect((await listSightings()).length).toBeGreaterThan(3), soon);
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    await publishAll;
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await admin.end();
    await vi.waitFor(async () => expect(await listSightings()).toHaveLength(60), {
      interval: 100,
    });
    await settle();
    expect(await listSightings()).toHaveLength(61);
    expect(await refused()).toEqual([]);
  });

  it('two processes, take each message once, and one goes on when the other ends', async () => {
    hub.startIntake();
    for (let number = 0; number < 10; number += 1)
      await publish('birdhub/in/garden', { species_name: 'Robin' });
    await whenStored(10);
    await intake.stop();
    await publish('birdhub/in/garden', { species_name: 'Robin' });
    await whenStored(11);
  });

  it('the intake, switched off, takes no messages and leaves none waiting at the broker', async () => {
    await setMqtt({ accept_posts: false });
    await vi.waitFor(async () => expect(await stateOf()).toMatchObject({ connected: false }), soon);
    await publish('birdhub/in/garden', { species_name: 'Robin', id: 'off' });
    await setMqtt();
    await whenConnected();
    await settle();
    expect((await listSightings()).map(({ camera }) => camera)).toEqual(['last']);
  });

  it('another topic in the settings, is used from then on', async () => {
    await setMqtt({ post_topic: 'birds/new' });
    await vi.waitFor(async () => expect(await stateOf()).toMatchObject({ subscribed: 'birds/new' }), soon);
    await publish('birdhub/in/garden', { species_name: 'Robin', time });
    await publish('birds/new/terrace', { species_name: 'Robin', time });
    await whenStored(1);
    expect(await listSightings()).toMatchObject([{ camera: 'terrace' }]);
  });

  it('a picture for which the hub stays too busy, is refused after many attempts and blocks no other message', async () => {
    await intake.stop();
    hub.startIntake({ maxRetryMs: 1 });
    await whenConnected();
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const image_url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/bird.jpg`;
    const ending = new AbortController();
    // Two pictures of a host are fetched at a time, and 64 wait.
    const fetches = Array.from({ length: 70 }, () => hub.pictures.receive({ image_url }, ending.signal));
    const fetched = Promise.allSettled(fetches);
    await publish('birdhub/in/garden', { species_name: 'Robin', image_url });
    await vi.waitFor(
      async () =>
        expect(await refused()).toMatchObject([
          { topic: 'birdhub/in/garden', reason: 'internal', details: [{ values: { times: 60 } }] },
        ]),
      soon,
    );
    ending.abort();
    await fetched;
    silent.close();
    await settle();
  });

  it('a sighting whose picture cannot be fetched, is stored without it', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    const image_url = `http://127.0.0.1:${port}/bird.jpg`;
    await publish('birdhub/in/garden', { species_name: 'Robin', image_url });
    await settle();
    expect((await listSightings()).map(({ camera }) => camera)).toEqual(['garden', 'last']);
    expect(await refused()).toEqual([]);
  });

  it('heartbeats, have one row per camera, which is stale after offline', async () => {
    await publish('birdhub/in/garden/status', 'online');
    await publish('birdhub/in/garden/status', { data: { last_video_ok_at: time } });
    await publish('birdhub/in/terrace/status', 'online');
    await settle();
    const rows = () =>
      hub.rows<{ camera: string; state: string; fresh: boolean }>(
        `SELECT data ->> 'mqtt_camera' AS camera, data ->> 'state' AS state,
           updated_at > now() - interval '4 minutes' AS fresh FROM processor_heartbeat ORDER BY id`,
      );
    expect(await rows()).toEqual([
      { camera: 'garden', state: 'online', fresh: true },
      { camera: 'terrace', state: 'online', fresh: true },
    ]);
    await publish('birdhub/in/garden/status', 'offline');
    await vi.waitFor(
      async () => expect((await rows())[0]).toMatchObject({ state: 'offline', fresh: false }),
      soon,
    );
  });
});
