import { setTimeout as pause } from 'node:timers/promises';
import type { Bus } from '@birdhub/shared/bus';
import { aDetection } from '@birdhub/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestMqtt, type TestMqtt } from '../testing/create-test-mqtt.js';
import type { BrokerListener } from '../testing/test-broker.js';
import { startVisitPublisher } from './visit-publisher.js';

const noon = Date.UTC(2026, 4, 1, 12);
const minute = 60_000;
const topic = 'birdhub/visits';
const subject = 'hub.v1.visit.started';

const started = (visitId: number) => ({
  visit_id: visitId,
  species_id: 1,
  species_name: 'Great Tit',
  video_id: 999,
  start_time: new Date(noon).toISOString(),
  end_time: new Date(noon).toISOString(),
});

describe('visits by MQTT', () => {
  let hub: TestMqtt;
  let listener: BrokerListener;

  beforeEach(async () => {
    hub = await createTestMqtt(noon);
    listener = await hub.broker.listen();
    await online();
  });
  afterEach(async () => {
    await listener.close();
    await hub.close();
  });

  const online = () => vi.waitFor(() => expect(listener.last('birdhub/availability')).toBe('online'));
  const published = (on = topic) => listener.messages.filter((message) => message.topic === on);
  const visits = (on = topic) => published(on).map(({ payload }) => JSON.parse(payload));
  const arrive = (count: number, timeout = 10_000) =>
    vi.waitFor(() => expect(published()).toHaveLength(count), { timeout, interval: 25 });

  it('at their start, are published with all known data, and not retained', async () => {
    const { videoId, visitIds } = await hub.post({
      start: noon - minute,
      detections: [aDetection({ trackId: '1' }), aDetection({ trackId: '2' })],
    });
    await arrive(1);
    const [visit] = visits();
    expect(visit).toEqual({
      visit_id: visitIds[0],
      species: 'Great Tit',
      scientific_name: 'Parus major',
      start_time: expect.any(String),
      end_time: expect.any(String),
      video_id: videoId,
      media_kind: 'video',
      camera_id: 'garden',
      max_simultaneous: 2,
    });
    expect(Date.parse(visit.start_time)).toBe(noon - minute);
    expect(published()[0]?.retain).toBe(false);
    const newcomer = await hub.broker.listen();
    await hub.post({
      start: noon - 30_000,
      cameraId: '',
      detections: [aDetection({ speciesName: 'Owl X' })],
    });
    await vi.waitFor(() => expect(newcomer.last(topic)).toBeDefined());
    expect(newcomer.messages.filter((message) => message.topic === topic)).toHaveLength(1);
    expect(visits()[1]).toMatchObject({ species: 'Owl X', scientific_name: null, camera_id: null });
    await newcomer.close();
  });

  it('that started too long ago, are skipped', async () => {
    await hub.post({ start: noon - 16 * minute });
    await hub.post({ start: noon - 14 * minute, detections: [aDetection({ speciesName: 'Robin' })] });
    await arrive(1);
    expect(visits()[0].start_time).toMatch(/^2026-05-01T11:46/);
  });

  it('of the demo, are skipped', async () => {
    await hub.postDemo({ start: noon - 2 * minute });
    await hub.post({ start: noon - minute, detections: [aDetection({ speciesName: 'Robin' })] });
    await arrive(1);
    expect(visits()[0].species).toBe('Robin');
  });

  it('with another topic in the settings, use it from then on, and without one are not published', async () => {
    await hub.setSettings({ mqtt: { publish_topic: 'garden/birds' } });
    await hub.post({ start: noon - minute });
    await vi.waitFor(() => expect(visits('garden/birds')).toHaveLength(1));
    await hub.setSettings({ mqtt: { publish_topic: '' } });
    await hub.post({ start: noon - 30_000, detections: [aDetection({ speciesName: 'Robin' })] });
    await pause(1_000);
    expect([visits('garden/birds').length, published('').length, visits().length]).toEqual([1, 0, 0]);
  });

  it('while the broker is down, are published in order after its recovery, unless too old', async () => {
    await listener.close();
    await hub.broker.kill();
    await hub.post({ start: noon - 14 * minute });
    await hub.post({ start: noon - minute, detections: [aDetection({ speciesName: 'Robin' })] });
    await hub.post({ start: noon - 30_000, detections: [aDetection({ speciesName: 'Wren' })] });
    await pause(1_500);
    hub.clock.advance(2 * minute);
    await hub.broker.start();
    listener = await hub.broker.listen();
    await arrive(2, 30_000);
    expect(visits().map(({ start_time }) => Date.parse(start_time))).toEqual([noon - minute, noon - 30_000]);
  });

  it('with a repeated event, are published once', async () => {
    const { videoId, visitIds } = await hub.post({ start: noon - minute });
    await arrive(1);
    const repeated: string[] = [];
    const payload = { ...started(visitIds[0] ?? 0), video_id: videoId };
    const event = {
      id: '1',
      subject,
      payload,
      requestId: undefined,
      sequence: 1,
      redelivered: false,
      storedAt: noon,
    } as const;
    let handling: Promise<void> | undefined;
    const consume: Bus['consume'] = (_options, handle) => {
      const deliver = handle as (given: typeof event) => Promise<void>;
      handling = deliver(event).then(() => deliver(event));
      return { ready: Promise.resolve(), close: async () => undefined };
    };
    startVisitPublisher({
      bus: { consume },
      mqtt: { publish: async (message) => void repeated.push(String(message.payload)) },
      settings: hub.settings,
      pool: hub.database.pool,
      clock: hub.clock,
    });
    await vi.waitUntil(() => handling !== undefined);
    await handling;
    expect(repeated).toEqual([published()[0]?.payload]);
  });

  it('that no longer exist, are skipped', async () => {
    await hub.bus.publish(subject, started(999), { id: 'gone' });
    await hub.post({ start: noon - minute });
    await arrive(1);
    expect(visits()[0].visit_id).not.toBe(999);
    const { rows } = await hub.database.pool.query('SELECT * FROM dead_letter');
    expect(rows).toEqual([]);
  });
});
