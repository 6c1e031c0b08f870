import type { MqttMessage } from '../mqtt/mqtt-session.js';
import type { BirdsToday } from './birds-today.store.js';

/** Where the states of the hub stand at the broker. */
export const stateTopics = {
  lastVisit: 'birdhub/last_visit',
  lastVisitAttributes: 'birdhub/last_visit/attributes',
  visitsToday: 'birdhub/visits_today',
  speciesToday: 'birdhub/species_today',
  processor: 'birdhub/processor',
} as const;

/** What the hub has to tell. */
export interface HubState extends BirdsToday {
  readonly isProcessorOnline: boolean;
}

/** The retained states; that of a last visit is empty as long as there was none. */
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
