import { createHash } from 'node:crypto';
import { hubName, type Settings } from '@birdhub/domain/settings';
import { hubVersion } from '@birdhub/shared/config';
import { type MqttMessage, onlineMessage } from '../mqtt/mqtt-connection.js';

/** A visit as attributes of its entity. */
export interface LastVisit {
  readonly name: string;
  readonly scientific_name: string | null;
  readonly id: number;
  readonly species_id: number;
  readonly start_time: string;
  readonly end_time: string;
  /** Maximum number of simultaneous birds. */
  readonly count: number;
  readonly video_id?: number | null;
  readonly detection_id?: number | null;
  readonly camera_id?: string | null;
}

/** A camera, or a source. */
export interface NamedOrigin {
  readonly id: string;
  readonly name: string;
}

/** A source and whether it is reachable. */
export interface SourceReach extends NamedOrigin {
  readonly isReachable: boolean;
}

/** The published state: counts of a day, and the newest visit, without generic species and other animals. */
export interface HubState {
  readonly visits: number;
  readonly species: number;
  readonly lastVisit: LastVisit | null;
  readonly isProcessorOnline: boolean;
  /** JPEG of the last visit; while it is `pending`, the previous one stays. */
  readonly picture?: Buffer | 'pending' | undefined;
}

/** The state topics. */
export const stateTopics = {
  lastVisit: 'birdhub/last_visit',
  lastVisitAttributes: 'birdhub/last_visit/attributes',
  visitsToday: 'birdhub/visits_today',
  speciesToday: 'birdhub/species_today',
  processor: 'birdhub/processor',
  lastSpecies: 'birdhub/ha/last_species',
  picture: 'birdhub/ha/picture',
} as const;

/** The topic of visits, and the one by which Home Assistant requests a portion of food. */
export const eventTopic = 'birdhub/ha/bird';
export const feederTopic = 'birdhub/ha/feeder';
/** The payload of a button press. */
export const feederPress = 'PRESS';
/** The type of visit events. */
export const arrived = 'bird_arrived';

// Corrections may lower both counts, so they are not `total`.
const counted = { state_class: 'measurement' };
const arrival = { icon: 'mdi:bird', event_types: [arrived] };

/** The components by object id. https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery */
const entities: Readonly<Record<string, Readonly<Record<string, unknown>> & { readonly component: string }>> =
  {
    birdhub_last_visit: {
      component: 'sensor',
      name: 'Last visit',
      icon: 'mdi:bird',
      state_topic: stateTopics.lastVisit,
      json_attributes_topic: stateTopics.lastVisitAttributes,
    },
    birdhub_last_species: {
      component: 'sensor',
      name: 'Last species',
      icon: 'mdi:feather',
      state_topic: stateTopics.lastSpecies,
    },
    birdhub_picture: {
      component: 'image',
      name: 'Last bird',
      content_type: 'image/jpeg',
      image_topic: stateTopics.picture,
      json_attributes_topic: stateTopics.lastVisitAttributes,
    },
    birdhub_bird: { component: 'event', name: 'Bird arrived', ...arrival, state_topic: eventTopic },
    birdhub_visits_today: {
      component: 'sensor',
      name: 'Visits today',
      icon: 'mdi:counter',
      unit_of_measurement: 'visits',
      state_topic: stateTopics.visitsToday,
      ...counted,
    },
    birdhub_species_today: {
      component: 'sensor',
      name: 'Species today',
      icon: 'mdi:feather',
      unit_of_measurement: 'species',
      state_topic: stateTopics.speciesToday,
      ...counted,
    },
    birdhub_processor: {
      component: 'binary_sensor',
      name: 'Processor',
      device_class: 'connectivity',
      state_topic: stateTopics.processor,
    },
    birdhub_feeder: {
      component: 'button',
      name: 'Feed',
      icon: 'mdi:food-drumstick',
      command_topic: feederTopic,
      payload_press: feederPress,
    },
  };

const origin = { name: 'Birdhub', sw_version: hubVersion };

function hubDevice(settings: Settings) {
  const { notifications } = settings;
  return {
    identifiers: ['birdhub'],
    name: hubName(settings),
    manufacturer: 'Birdhub',
    model: 'Bird visit hub',
    sw_version: hubVersion,
    ...(notifications.base_url && { configuration_url: notifications.base_url }),
  };
}

/** Returns the discovery messages of the hub: a device with its entities, including a button if there is a feeder. */
export function discoveryMessages(settings: Settings): MqttMessage[] {
  const device = hubDevice(settings);
  return Object.entries(entities).map(([id, { component, ...own }]) => {
    const config = {
      ...own,
      unique_id: id,
      default_entity_id: entityId(component, own),
      availability_topic: onlineMessage.topic,
      device,
      origin,
    };
    const isOmitted = id === 'birdhub_feeder' && settings.feed.source === 'none';
    return {
      topic: `homeassistant/${component}/${id}/config`,
      payload: isOmitted ? '' : JSON.stringify(config),
      retain: true,
    };
  });
}

/** Returns the entity id used in documentation and cards, independent of the name of the hub. */
function entityId(component: string, { name }: Readonly<Record<string, unknown>>): string {
  return `${component}.birdhub_${String(name).toLowerCase().replaceAll(' ', '_')}`;
}

/** Returns an id for topics, which may only contain letters, digits, `_` and `-`. */
function topicId(id: string): string {
  if (/^[\w-]{1,64}$/.test(id)) return id;
  return `x${createHash('sha256').update(id).digest('hex').slice(0, 16)}`;
}

/** Returns the topic on which visits at a camera are published. */
export function cameraTopic(cameraId: string): string {
  return `birdhub/ha/cameras/${topicId(cameraId)}`;
}

/** Returns the discovery messages of cameras, each a separate device with an event. */
export function cameraMessages(cameras: readonly NamedOrigin[]): MqttMessage[] {
  return cameras.map(({ id, name }) => {
    const key = `birdhub_camera_${topicId(id)}`;
    const config = {
      device: { identifiers: [key], name, manufacturer: 'Birdhub', model: 'Camera', via_device: 'birdhub' },
      origin,
      components: {
        bird: {
          platform: 'event',
          unique_id: `${key}_bird`,
          name: 'Bird arrived',
          ...arrival,
          state_topic: cameraTopic(id),
          availability_topic: onlineMessage.topic,
        },
      },
    };
    return { topic: `homeassistant/device/${key}/config`, payload: JSON.stringify(config), retain: true };
  });
}

/** Returns the discovery messages and states of sources. */
export function sourceMessages(sources: readonly SourceReach[], settings: Settings): MqttMessage[] {
  const device = hubDevice(settings);
  return sources.flatMap(({ id, name, isReachable }) => {
    const key = `birdhub_source_${topicId(id)}`;
    const topic = `birdhub/ha/sources/${topicId(id)}`;
    const config = {
      name,
      unique_id: key,
      device_class: 'connectivity',
      state_topic: topic,
      availability_topic: onlineMessage.topic,
      device,
      origin,
    };
    return [
      { topic: `homeassistant/binary_sensor/${key}/config`, payload: JSON.stringify(config), retain: true },
      { topic, payload: isReachable ? 'ON' : 'OFF', retain: true },
    ];
  });
}

/** Returns the retained states; the last visit is empty before the first visit. */
export function stateMessages(state: HubState, links: Readonly<Record<string, string>> = {}): MqttMessage[] {
  const { visits, species, lastVisit, isProcessorOnline, picture } = state;
  const { name = '', ...attributes } = lastVisit ?? {};
  const payloads = [
    [stateTopics.lastVisitAttributes, JSON.stringify({ ...attributes, ...links })],
    [stateTopics.lastVisit, name],
    [stateTopics.lastSpecies, name],
    [stateTopics.visitsToday, String(visits)],
    [stateTopics.speciesToday, String(species)],
    [stateTopics.processor, isProcessorOnline ? 'ON' : 'OFF'],
    ...(picture === 'pending' ? [] : [[stateTopics.picture, picture ?? ''] as const]),
  ] as const;
  return payloads.map(([topic, payload]) => ({ topic, payload, retain: true }));
}
