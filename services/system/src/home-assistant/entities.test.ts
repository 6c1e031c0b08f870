import { readFileSync } from 'node:fs';
import { defaultSettings } from '@birdhub/domain/settings';
import { describe, expect, it } from 'vitest';
import {
  cameraMessages,
  discoveryMessages,
  eventTopic,
  sourceMessages,
  stateMessages,
  stateTopics,
} from './entities.js';

const version = readFileSync('VERSION', 'utf8').trim();
const plain = defaultSettings('UTC');
const settings = { ...plain, feed: { ...plain.feed, source: 'mqtt' as const } };
const configs = discoveryMessages(settings).map(({ topic, payload, retain }) => ({
  topic,
  retain,
  config: JSON.parse(String(payload)),
}));

describe('discoveryMessages', () => {
  it('every entity, has a retained topic of single-component discovery', () => {
    for (const { topic, retain, config } of configs) {
      expect(topic).toMatch(/^homeassistant\/(sensor|binary_sensor|image|event|button)\/[\w-]+\/config$/);
      expect(topic.split('/')[2]).toBe(config.unique_id);
      expect(retain).toBe(true);
    }
  });

  it('all entities together, are one device of one origin, with unique ids', () => {
    expect(new Set(configs.map(({ config }) => config.unique_id)).size).toBe(configs.length);
    const shared = configs.map(({ config: { device, origin, availability_topic } }) =>
      JSON.stringify({ device, origin, availability_topic }),
    );
    expect([...new Set(shared)].map((text) => JSON.parse(text))).toEqual([
      {
        device: {
          identifiers: ['birdhub'],
          name: 'Birdhub',
          manufacturer: 'Birdhub',
          model: 'Bird visit hub',
          sw_version: version,
        },
        origin: { name: 'Birdhub', sw_version: version },
        availability_topic: 'birdhub/availability',
      },
    ]);
  });

  it('the entities of the card in the documentation, have these ids as default', () => {
    const card = readFileSync('docs/home-assistant/card.yaml', 'utf8');
    const named = [...card.matchAll(/(?:entity: |- )(\w+\.\w+)$/gm)].map(([, id]) => id);
    expect(named.length).toBeGreaterThan(5);
    expect(configs.map(({ config }) => config.default_entity_id)).toEqual(expect.arrayContaining(named));
  });

  it('the topics of the entities, are those of the state messages', () => {
    const messages = stateMessages({ visits: 0, species: 0, lastVisit: null, isProcessorOnline: false });
    const read = configs.flatMap(({ config }) => [
      config.state_topic,
      config.json_attributes_topic,
      config.image_topic,
    ]);
    const topics = new Set(read.filter((topic) => topic && topic !== eventTopic));
    expect([...topics].sort()).toEqual(messages.map(({ topic }) => topic).sort());
  });

  it('counts and processor, have the matching state and device classes', () => {
    const byTopic = new Map(configs.map(({ config }) => [config.state_topic, config]));
    expect(byTopic.get(stateTopics.visitsToday)).toMatchObject({ state_class: 'measurement' });
    expect(byTopic.get(stateTopics.speciesToday)).toMatchObject({ state_class: 'measurement' });
    expect(byTopic.get(stateTopics.processor)).toMatchObject({ device_class: 'connectivity' });
    expect(byTopic.get(stateTopics.lastVisit)).not.toHaveProperty('state_class');
  });

  it('the address of the hub in the settings, is the link of the device', () => {
    const notifications = { ...settings.notifications, base_url: 'https://birds.example' };
    const [message] = discoveryMessages({ ...settings, notifications });
    expect(JSON.parse(String(message?.payload)).device.configuration_url).toBe('https://birds.example');
  });
});

describe('discovery of optional entities', () => {
  const parse = ({ topic, payload }: { topic: string; payload: string | Buffer }) => ({
    topic,
    config: JSON.parse(String(payload)),
  });

  it('without a feeder, has no button', () => {
    const button = discoveryMessages(plain).find(({ topic }) => topic.includes('/button/'));
    expect(button).toMatchObject({ payload: '', retain: true });
  });

  it('with a camera, has a device below the hub with one event', () => {
    const [message] = cameraMessages([{ id: 'garden', name: 'Garden' }]).map(parse);
    expect(message).toMatchObject({
      topic: 'homeassistant/device/birdhub_camera_garden/config',
      config: {
        device: { identifiers: ['birdhub_camera_garden'], name: 'Garden', via_device: 'birdhub' },
        origin: { name: 'Birdhub', sw_version: version },
        components: {
          bird: {
            platform: 'event',
            unique_id: 'birdhub_camera_garden_bird',
            event_types: ['bird_arrived'],
            state_topic: 'birdhub/ha/cameras/garden',
          },
        },
      },
    });
  });

  it.each(['a/b', '#', '+', 'Futterhäuschen', 'x'.repeat(200)])(
    'with the camera %j, has a topic that Home Assistant accepts',
    (id) => {
      const [message] = cameraMessages([{ id, name: id }]).map(parse);
      expect(message?.topic).toMatch(/^homeassistant\/device\/[a-zA-Z0-9_-]+\/config$/);
      expect(message?.config.components.bird.state_topic).toMatch(/^birdhub\/ha\/cameras\/[\w-]+$/);
      expect(message?.config.device.name).toBe(id);
    },
  );

  it('with a source, has a connectivity sensor of the hub', () => {
    const messages = sourceMessages([{ id: '3', name: 'Frigate', isReachable: false }], settings);
    expect(messages[1]).toEqual({ topic: 'birdhub/ha/sources/3', payload: 'OFF', retain: true });
    expect(JSON.parse(String(messages[0]?.payload))).toMatchObject({
      unique_id: 'birdhub_source_3',
      device_class: 'connectivity',
      state_topic: 'birdhub/ha/sources/3',
    });
  });
});

describe('stateMessages', () => {
  const lastVisit = {
    name: 'Great Tit',
    scientific_name: null,
    id: 7,
    species_id: 3,
    start_time: '2026-05-01T08:00:00+00:00',
    end_time: '2026-05-01T08:01:00+00:00',
    count: 2,
  };

  it('a visit, has its species as state and the rest as attributes', () => {
    const messages = stateMessages({ visits: 5, species: 2, lastVisit, isProcessorOnline: true });
    const byTopic = Object.fromEntries(messages.map(({ topic, payload }) => [topic, payload]));
    const { name, ...attributes } = lastVisit;
    expect(byTopic).toEqual({
      [stateTopics.lastVisit]: name,
      [stateTopics.lastSpecies]: name,
      [stateTopics.picture]: '',
      [stateTopics.lastVisitAttributes]: JSON.stringify(attributes),
      [stateTopics.visitsToday]: '5',
      [stateTopics.speciesToday]: '2',
      [stateTopics.processor]: 'ON',
    });
  });

  it('a pending picture, keeps the previous one', () => {
    const messages = stateMessages({
      visits: 1,
      species: 1,
      lastVisit,
      isProcessorOnline: true,
      picture: 'pending',
    });
    expect(messages.map(({ topic }) => topic)).not.toContain(stateTopics.picture);
  });

  it('without a visit, have an empty state and no attributes', () => {
    const messages = stateMessages({ visits: 0, species: 0, lastVisit: null, isProcessorOnline: false });
    expect(messages).toEqual(
      expect.arrayContaining([
        { topic: stateTopics.lastVisit, payload: '', retain: true },
        { topic: stateTopics.lastVisitAttributes, payload: '{}', retain: true },
      ]),
    );
  });
});
