import { setTimeout as pause } from 'node:timers/promises';
import { storeCrop } from '@birdhub/domain/media';
import { aDetection } from '@birdhub/testing';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MqttConnection } from '../mqtt/mqtt-connection.js';
import { createTestMqtt, type TestMqtt } from '../testing/create-test-mqtt.js';
import type { BrokerListener } from '../testing/test-broker.js';
import { eventTopic, feederTopic, stateTopics } from './entities.js';

const noon = Date.UTC(2026, 4, 1, 12);
const soon = { interval: 25 };
const person = { role: 'admin', requestId: 'test' } as const;

describe('Home Assistant', () => {
  let hub: TestMqtt;
  let home: BrokerListener;

  beforeEach(async () => {
    hub = await createTestMqtt(noon);
    home = await hub.broker.listen();
  });
  afterEach(async () => {
    await home.close();
    await hub.close();
  });

  const shows = (topic: string, payload: string) =>
    vi.waitFor(() => expect(home.last(topic)).toBe(payload), soon);
  const toldSince = (index: number) => new Set(home.messages.slice(index).map(({ topic }) => topic));
  const entities = (topics: Iterable<string>) =>
    [...topics].filter((topic) => /^homeassistant\/.*\/config$/.test(topic));

  /** The retained messages that a new subscriber receives. */
  async function retainedTopics(): Promise<string[]> {
    const newcomer = await hub.broker.listen();
    await newcomer.publish('test/end', '');
    await vi.waitFor(() => expect(newcomer.last('test/end')).toBe(''), soon);
    await newcomer.close();
    return newcomer.messages.filter(({ retain }) => retain).map(({ topic }) => topic);
  }

  it('after the hub connects, discovers it with all its states retained', async () => {
    await shows(stateTopics.processor, 'OFF');
    const retained = await retainedTopics();
    expect(entities(retained)).toHaveLength(7);
    expect(retained).toEqual(
      expect.arrayContaining([stateTopics.visitsToday, stateTopics.speciesToday, 'birdhub/availability']),
    );
    expect(home.last(stateTopics.visitsToday)).toBe('0');
  });

  it('after visits start, has their counts and the newest, without generic species', async () => {
    await shows(stateTopics.visitsToday, '0');
    await hub.post({ start: noon - 7_200_000 });
    const { visitIds } = await hub.post({
      start: noon - 3_600_000,
      detections: [aDetection({ trackId: '1' }), aDetection({ trackId: '2' })],
    });
    await hub.post({ start: noon - 60_000, detections: [aDetection({ speciesName: 'Bird' })] });
    await shows(stateTopics.visitsToday, '2');
    await shows(stateTopics.speciesToday, '1');
    await shows(stateTopics.lastVisit, 'Great Tit');
    const attributes = JSON.parse(home.last(stateTopics.lastVisitAttributes) ?? '');
    expect(attributes).toMatchObject({ id: visitIds[0], scientific_name: 'Parus major', count: 2 });
    expect(Date.parse(attributes.start_time)).toBe(noon - 3_600_000);
  });

  it('after a correction and a removal, has updated counts', async () => {
    const { videoId } = await hub.post({ start: noon - 60_000 });
    await shows(stateTopics.lastVisit, 'Great Tit');
    const { rows } = await hub.database.pool.query(
      `SELECT detection.id, (SELECT id FROM species WHERE name = 'House Sparrow') AS sparrow
       FROM detection WHERE video_id = $1`,
      [videoId],
    );
    const { id: detectionId, sparrow: speciesId } = rows[0];
    await hub.writer.correct({ detectionId, speciesId, scope: 'visit' }, person);
    await shows(stateTopics.lastVisit, 'House Sparrow');
    await hub.writer.remove(videoId, person);
    await shows(stateTopics.visitsToday, '0');
    await shows(stateTopics.lastVisit, '');
  });

  it('after a heartbeat, shows the processor as online for five minutes', async () => {
    await shows(stateTopics.processor, 'OFF');
    const beat = (at: number) =>
      hub.database.pool.query(`INSERT INTO processor_heartbeat (data, updated_at) VALUES ('{}', $1)`, [
        new Date(at),
      ]);
    const report = (id: number) =>
      hub.bus.publish(
        'hub.v1.processor.reported',
        { activity_id: id, type: 'heartbeat', reported_at: new Date(noon).toISOString() },
        { id: `beat-${id}` },
      );
    await beat(noon);
    await report(1);
    await shows(stateTopics.processor, 'ON');
    hub.clock.advance(300_000);
    await report(2);
    await shows(stateTopics.processor, 'OFF');
  });

  it('at midnight in the zone of the hub, has counts of zero without a visit', async () => {
    const midnight = Date.UTC(2026, 4, 1, 14);
    await hub.setSettings({ general: { timezone: 'Australia/Brisbane' } });
    await hub.database.pool.query(`UPDATE visit_rule SET timezone = 'Australia/Brisbane'`);
    hub.clock.set(midnight - 1_500);
    await hub.post({ start: midnight - 60_000 });
    await shows(stateTopics.visitsToday, '1');
    await shows(stateTopics.speciesToday, '1');
    // Until all events of the visit were handled.
    await pause(700);
    hub.clock.set(midnight);
    await shows(stateTopics.visitsToday, '0');
    await shows(stateTopics.speciesToday, '0');
    expect(home.last(stateTopics.lastVisit)).toBe('Great Tit');
  });

  it('after its own start, gets everything again', async () => {
    await shows(stateTopics.processor, 'OFF');
    const before = home.messages.length;
    await home.publish('homeassistant/status', 'offline');
    await home.publish('homeassistant/status', 'online');
    const everything = ['birdhub/availability', ...Object.values(stateTopics)];
    await vi.waitFor(() => expect([...toldSince(before)]).toEqual(expect.arrayContaining(everything)), soon);
    // One of them removes the button, as there is no feeder.
    expect(entities(toldSince(before))).toHaveLength(8);
  });

  it('with another system service stopped, is told that the hub is still online', async () => {
    await shows(stateTopics.processor, 'OFF');
    const other = new MqttConnection(pino({ level: 'silent' }));
    other.configure((await hub.settings.current()).mqtt);
    await vi.waitFor(() => expect(other.state()).toBe('ok'), soon);
    const before = home.messages.length;
    await other.close();
    await vi.waitFor(() => {
      const messages = home.messages.slice(before).filter(({ topic }) => topic === 'birdhub/availability');
      expect(messages.map(({ payload }) => payload).slice(-2)).toEqual(['offline', 'online']);
    }, soon);
  });

  it('after the broker restarted empty, gets everything again', async () => {
    await shows(stateTopics.processor, 'OFF');
    await home.close();
    await hub.broker.kill();
    await hub.post({ start: noon - 60_000 });
    await hub.broker.start();
    home = await hub.broker.listen();
    await shows(stateTopics.visitsToday, '1');
    await shows(stateTopics.processor, 'OFF');
    // One of them is the camera of the recording.
    await vi.waitFor(async () => expect(entities(await retainedTopics())).toHaveLength(8), soon);
  });

  it('with discovery turned off, loses the entities, and turned on gets them back', async () => {
    await shows(stateTopics.processor, 'OFF');
    await hub.setSettings({ mqtt: { ha_discovery: false } });
    await shows(stateTopics.processor, '');
    expect(await retainedTopics()).toEqual(['birdhub/availability']);
    await hub.setSettings();
    await shows(stateTopics.processor, 'OFF');
    expect(entities(await retainedTopics())).toHaveLength(7);
  });

  it('for each visit, gets an event of the hub and one of its camera', async () => {
    await shows(stateTopics.processor, 'OFF');
    const { videoId, visitIds } = await hub.post({ start: noon - 60_000, cameraId: 'garden' });
    await vi.waitFor(() => expect(home.last('birdhub/ha/cameras/garden')).toBeDefined(), soon);
    const event = JSON.parse(home.last(eventTopic) ?? '');
    expect(event).toMatchObject({
      event_type: 'bird_arrived',
      visit_id: visitIds[0],
      video_id: videoId,
      species: 'Great Tit',
      camera_id: 'garden',
      clip_url: `/api/ui/videos/${videoId}/stream`,
      crop_url: `/api/ui/detections/${event.detection_id}/crop`,
    });
    expect(home.last('birdhub/ha/cameras/garden')).toBe(home.last(eventTopic));
    await hub.post({ start: noon - 3_600_000, cameraId: 'garden' });
    await shows(stateTopics.visitsToday, '2');
    await hub.post({
      start: noon - 1_000,
      cameraId: 'garden',
      detections: [aDetection({ speciesName: 'Robin' })],
    });
    await vi.waitFor(() => expect(home.last(eventTopic)).toContain('Robin'), soon);
    const events = home.messages.filter(({ topic }) => topic === eventTopic);
    expect(events.map(({ payload, retain }) => [JSON.parse(payload).species, retain])).toEqual([
      ['Great Tit', false],
      ['Robin', false],
    ]);
  });

  it('for a long visit that ended a minute ago, gets an event', async () => {
    await shows(stateTopics.processor, 'OFF');
    const long = aDetection({ startOffset: 0, endOffset: 540 });
    await hub.post({ start: noon - 600_000, end: noon - 60_000, detections: [long] });
    await vi.waitFor(() => expect(home.last(eventTopic)).toContain('Great Tit'), soon);
  });

  it('for a visit of the demo, gets no event', async () => {
    await shows(stateTopics.processor, 'OFF');
    await hub.postDemo({ start: noon - 60_000, cameraId: 'garden' });
    await hub.post({
      start: noon - 1_000,
      cameraId: 'garden',
      detections: [aDetection({ speciesName: 'Robin' })],
    });
    await vi.waitFor(() => expect(home.last(eventTopic)).toContain('Robin'), soon);
    expect(home.messages.filter(({ topic }) => topic === eventTopic)).toHaveLength(1);
  });

  it('after visits of the demo, has only counts of others and the newest of these', async () => {
    const start = noon - 3_600_000;
    const detections = [aDetection({ speciesName: 'Robin' })];
    await hub.postDemo({ start });
    await hub.postDemo({ start: noon - 60_000, cameraId: 'demo', detections });
    await hub.postDemo({ start, cameraId: 'demo', detections });
    const { visitIds } = await hub.post({ start: start + 1_000, cameraId: 'garden', detections });
    await shows(stateTopics.lastVisit, 'Robin');
    await shows(stateTopics.visitsToday, '1');
    await shows(stateTopics.speciesToday, '1');
    const attributes = JSON.parse(home.last(stateTopics.lastVisitAttributes) ?? '');
    expect(attributes).toMatchObject({ id: visitIds[0], camera_id: 'garden' });
    expect(home.messages.some(({ payload }) => payload === 'Great Tit')).toBe(false);
  });

  it('for the last visit, gets its picture when it is made', async () => {
    const { videoId } = await hub.post({ start: noon - 60_000 });
    await shows(stateTopics.lastVisit, 'Great Tit');
    expect(home.last(stateTopics.picture) ?? '').toBe('');
    const { rows } = await hub.database.pool.query<{ id: number }>('SELECT id FROM detection');
    const detectionId = rows[0]?.id ?? 0;
    const picture = Buffer.from('a picture');
    const crop = { videoId, detectionId, seconds: 1, box: [0, 0, 1, 1] as const };
    await storeCrop(hub.dataDir, crop, `${detectionId}-crop-abc.jpg`, picture);
    await hub.setSettings({ general: { app_name: 'Wake' } });
    await shows(stateTopics.picture, 'a picture');
    const attributes = JSON.parse(home.last(stateTopics.lastVisitAttributes) ?? '');
    expect(attributes).toMatchObject({
      crop_url: `/api/ui/detections/${detectionId}/crop`,
      clip_url: `/api/ui/videos/${videoId}/stream`,
    });
  });

  it('after a camera and a source are deleted, loses their entities, also after a broker restart', async () => {
    const { pool } = hub.database;
    const cameras = [{ id: 'garden', name: 'Garden' }];
    await pool.query(
      `INSERT INTO source (kind, name, last_contact_at, read_until) VALUES ('frigate', 'Frigate', $1, $1)`,
      [new Date(noon)],
    );
    await hub.setSettings({ video: { cameras } });
    const camera = 'homeassistant/device/birdhub_camera_garden/config';
    const source = 'homeassistant/binary_sensor/birdhub_source_1/config';
    await vi.waitFor(() => expect(home.last(source)).toContain('Frigate'), soon);
    await shows('birdhub/ha/sources/1', 'ON');
    await vi.waitFor(() => expect(home.last(camera)).toContain('Garden'), soon);
    await pool.query('DELETE FROM source');
    await hub.setSettings();
    await shows(source, '');
    await shows(camera, '');
    await shows('birdhub/ha/sources/1', '');
    await vi.waitFor(async () => {
      expect((await pool.query('SELECT FROM home_assistant_topic')).rowCount).toBe(0);
    }, soon);
  });

  it('by its button, gives a portion, but not for a retained press', async () => {
    await hub.setSettings({ feed: { source: 'mqtt' } });
    await vi.waitFor(
      () => expect(home.last('homeassistant/button/birdhub_feeder/config')).toContain(feederTopic),
      soon,
    );
    await home.publish(feederTopic, 'PRESS');
    await vi.waitFor(() => expect(hub.portions()).toBe(1), soon);
    await home.publish(feederTopic, 'anything');
    await home.publish(feederTopic, 'PRESS', true);
    await vi.waitFor(() => expect(hub.portions()).toBe(2), soon);
    const before = home.messages.length;
    hub.broker.cutHubs();
    await vi.waitFor(() => expect(toldSince(before)).toContain(stateTopics.processor), soon);
    await home.publish(feederTopic, 'PRESS');
    await vi.waitFor(() => expect(hub.portions()).toBe(3), soon);
  });

  it('after the hub is renamed, shows the new name of the device', async () => {
    await shows(stateTopics.processor, 'OFF');
    await hub.setSettings({ general: { app_name: 'Cottage' } });
    await vi.waitFor(() => {
      const [topic = ''] = entities(home.messages.map((message) => message.topic));
      expect(JSON.parse(home.last(topic) ?? '').device.name).toBe('Cottage');
    }, soon);
  });
});
