import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import { countedSql } from '@birdhub/domain/species';
import { createLoop } from '@birdhub/shared/async';
import type { Bus, BusEvent } from '@birdhub/shared/bus';
import { type Clock, dayWindowAt } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type MqttConnection, type MqttMessage, onlineMessage } from '../mqtt/mqtt-connection.js';
import { findHeartbeat, isFresh } from '../processor/heartbeat.store.js';

/** What the integration needs. */
export interface HomeAssistantDeps {
  readonly mqtt: Pick<MqttConnection, 'state' | 'publish' | 'subscribe' | 'onConnect'>;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Home Assistant publishes here when it has started. */
const birthTopic = 'homeassistant/status';

/** A processor falls silent without an event, and events may be lost. */
const refreshIntervalMs = 30_000;
/** Changes within this time are published once. */
const wakeDelayMs = 250;
const retryMs = 5_000;

const emptyState: HubState = { visits: 0, species: 0, lastVisit: null, isProcessorOnline: false };

const birdsSql = `
  SELECT coalesce(sum(visits), 0) AS visits, count(*) FILTER (WHERE visits > 0) AS species, (
    SELECT json_build_object('name', name, 'scientific_name', scientific_name, 'id', visit.id,
      'species_id', species_id, 'start_time', start_time, 'end_time', end_time, 'count', max_simultaneous)
    FROM species_visit visit JOIN species ON species.id = species_id
    WHERE ${countedSql()} ORDER BY start_time DESC, visit.id DESC LIMIT 1) AS "lastVisit"
  FROM visit_day JOIN species ON species.id = species_id WHERE day = $1 AND ${countedSql()}`;

/**
 * Starts to publish the hub's state to Home Assistant by MQTT while the settings enable it, and removes the entities
 * when they do not.
 */
export function startHomeAssistant(deps: HomeAssistantDeps): { close(): Promise<void> } {
  const { mqtt, bus, settings, pool, clock, log } = deps;
  const published = new Map<string, MqttMessage['payload']>();

  async function readState(day: string): Promise<HubState> {
    const [birds, heartbeat] = await Promise.all([readBirds(pool, day), findHeartbeat(pool)]);
    return { ...birds, isProcessorOnline: heartbeat !== undefined && isFresh(heartbeat.at, clock.now()) };
  }

  async function publishChanged(messages: readonly MqttMessage[]): Promise<void> {
    for (const message of messages) {
      if (published.get(message.topic) === message.payload) continue;
      await mqtt.publish(message);
      published.set(message.topic, message.payload);
    }
  }

  async function refresh(): Promise<number> {
    if (mqtt.state() !== 'ok') return refreshIntervalMs;
    const current = await settings.current();
    const { day, end } = dayWindowAt(current.general.timezone, clock.now());
    const discovery = discoveryMessages(current);
    if (current.mqtt.ha_discovery) {
      await publishChanged([...discovery, onlineMessage, ...stateMessages(await readState(day))]);
    } else {
      const messages = [...discovery, ...stateMessages(emptyState)];
      await publishChanged(messages.map((message) => ({ ...message, payload: '' })));
    }
    return Math.min(refreshIntervalMs, end - clock.now());
  }

  const loop = createLoop({
    work: refresh,
    everyMs: refreshIntervalMs,
    wakeDelayMs,
    retryMs,
    onError: (error) => log.warn({ err: error }, 'state not published to home assistant, retrying'),
  });
  const publishAll = () => {
    published.clear();
    loop.wake();
  };
  mqtt.onConnect(publishAll);
  mqtt.subscribe(birthTopic, (payload) => {
    if (payload === 'online') publishAll();
  });
  const stopWatching = settings.watch(() => loop.wake(), ['general', 'mqtt', 'notifications']);
  const events = bus.subscribe({ subjects: 'hub.v1.>' }, (event) => {
    if (mayChangeState(event)) loop.wake();
  });
  return {
    async close() {
      stopWatching();
      await events.close();
      await loop.stop();
    },
  };
}

function mayChangeState({ subject, payload }: BusEvent): boolean {
  if (subject === 'hub.v1.processor.reported') return payload.type === 'heartbeat';
  return /^hub\.v1\.(recording|detection\.corrected|visit|job)\b/.test(subject);
}

type Birds = Omit<HubState, 'isProcessorOnline'>;

/** Reads the rollup of a calendar day of the hub's zone. */
async function readBirds(pool: pg.Pool, day: string): Promise<Birds> {
  const { rows } = await pool.query<Birds>({ name: 'birds-today', text: birdsSql, values: [day] });
  return rows[0] ?? { visits: 0, species: 0, lastVisit: null };
}

/** A visit in the attributes of its entity. */
export interface LastVisit {
  readonly name: string;
  readonly scientific_name: string | null;
  readonly id: number;
  readonly species_id: number;
  readonly start_time: string;
  readonly end_time: string;
  /** Maximum number of birds at once. */
  readonly count: number;
}

/** The state that is published: counts of a day, and the newest visit of all days, without generic species and other animals. */
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
