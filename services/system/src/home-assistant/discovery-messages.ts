import type { Settings } from '@birdhub/domain/settings';
import { onlineMessage } from '../mqtt/mqtt-link.js';
import type { MqttMessage } from '../mqtt/mqtt-session.js';
import { stateTopics } from './state-messages.js';

// Both counts go down when a person corrects a visit, so they are no totals, which may only grow.
const counted = { state_class: 'measurement' };

/** By object id: the kind of entity, and what is its own. https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery */
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

/** What tells Home Assistant of the hub: one device with an entity for each state. */
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
