import type { Settings } from '@birdhub/domain/settings';
import { type MqttMessage, onlineMessage } from '../mqtt/mqtt-connection.js';

/** A visit in the attributes of its entity. */
export interface LastVisit {
  readonly name: string;
  readonly scientific_name: string | null;
  readonly id: number;
  readonly species_id: number;
  readonly start_time: string;
  readonly end_time: string;
  /** The most birds at once. */
  readonly count: number;
}

/** The state that is published: counts of a day, and the newest visit of all days, without generic species. */
export interface HubState {
  readonly visits: number;
  readonly species: number;
  readonly lastVisit: LastVisit | null;
  readonly isProcessorOnline: boolean;
}

/** Topics of the states. */
export const stateTopics = {
  lastVisit: 'birdhub/last_visit',
  lastVisitAttributes: 'birdhub/last_visit/attributes',
  visitsToday: 'birdhub/visits_today',
  speciesToday: 'birdhub/species_today',
  processor: 'birdhub/processor',
} as const;

// A correction lowers both counts, so they are no totals, which may only grow.
const counted = { state_class: 'measurement' };

/** Components by object id. https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery */
const entities = {
  birdhub_last_visit: {
    component: 'sensor',
    name: 'Last visit',
    icon: 'mdi:bird',
    state_topic: stateTopics.lastVisit,
    json_attributes_topic: stateTopics.lastVisitAttributes,
  },
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
};

/** Returns the discovery messages: one device with an entity for each state. */
export function discoveryMessages({ general, notifications }: Settings): MqttMessage[] {
  const device = {
    identifiers: ['birdhub'],
    name: general.app_name || 'Birdhub',
    manufacturer: 'Birdhub',
    model: 'Bird visit hub',
    ...(notifications.base_url && { configuration_url: notifications.base_url }),
  };
  return Object.entries(entities).map(([id, { component, ...own }]) => ({
    topic: `homeassistant/${component}/${id}/config`,
    payload: JSON.stringify({
      ...own,
      unique_id: id,
      availability_topic: onlineMessage.topic,
      device,
      origin: { name: 'Birdhub' },
    }),
    retain: true,
  }));
}

/** Returns the retained states; the last visit is empty before the first one. */
export function stateMessages({ visits, species, lastVisit, isProcessorOnline }: HubState): MqttMessage[] {
  const { name = '', ...attributes } = lastVisit ?? {};
  const payloads = [
    [stateTopics.lastVisitAttributes, JSON.stringify(attributes)],
    [stateTopics.lastVisit, name],
    [stateTopics.visitsToday, String(visits)],
    [stateTopics.speciesToday, String(species)],
    [stateTopics.processor, isProcessorOnline ? 'ON' : 'OFF'],
  ] as const;
  return payloads.map(([topic, payload]) => ({ topic, payload, retain: true }));
}
