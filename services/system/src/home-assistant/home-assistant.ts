import type { SettingsReader } from '@birdhub/domain/settings';
import { createLoop } from '@birdhub/shared/async';
import type { Bus, BusEvent } from '@birdhub/shared/bus';
import { type Clock, dayWindowAt } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type MqttLink, onlineMessage } from '../mqtt/mqtt-link.js';
import type { MqttMessage } from '../mqtt/mqtt-session.js';
import { findHeartbeat } from '../processor/heartbeat.store.js';
import { isFresh } from '../processor/is-fresh.js';
import { readBirdsToday } from './birds-today.store.js';
import { discoveryMessages } from './discovery-messages.js';
import { type HubState, stateMessages } from './state-messages.js';

/** What Home Assistant is told with. */
export interface HomeAssistantParts {
  readonly mqtt: Pick<MqttLink, 'state' | 'publish' | 'subscribe' | 'onConnect'>;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Home Assistant says here when it has started. */
const birthTopic = 'homeassistant/status';

/** A processor falls silent without an event, and events may be lost. */
const everyMs = 30_000;
/** What changes in a moment is told once. */
const wakeDelayMs = 250;
const retryMs = 5_000;

const nothing: HubState = { visits: 0, species: 0, lastVisit: null, isProcessorOnline: false };

function mayChangeState({ subject, payload }: BusEvent): boolean {
  if (subject === 'hub.v1.processor.reported') return payload.type === 'heartbeat';
  return /^hub\.v1\.(recording|detection\.corrected|visit|job)\b/.test(subject);
}

/** Keeps Home Assistant up to date by MQTT while the settings want it, and takes the entities away when they do not. */
export function tellHomeAssistant(parts: HomeAssistantParts): { close(): Promise<void> } {
  const { mqtt, bus, settings, pool, clock, log } = parts;
  const told = new Map<string, string>();

  async function readState(day: string): Promise<HubState> {
    const [birds, heartbeat] = await Promise.all([readBirdsToday(pool, day), findHeartbeat(pool)]);
    return { ...birds, isProcessorOnline: heartbeat !== undefined && isFresh(heartbeat.at, clock.now()) };
  }

  async function tell(messages: readonly MqttMessage[]): Promise<void> {
    for (const message of messages) {
      if (told.get(message.topic) === message.payload) continue;
      await mqtt.publish(message);
      told.set(message.topic, message.payload);
    }
  }

  async function refresh(): Promise<number> {
    if (mqtt.state() !== 'ok') return everyMs;
    const current = await settings.current();
    const { day, end } = dayWindowAt(current.general.timezone, clock.now());
    const discovery = discoveryMessages(current);
    if (current.mqtt.ha_discovery) {
      await tell([...discovery, onlineMessage, ...stateMessages(await readState(day))]);
    } else {
      const messages = [...discovery, ...stateMessages(nothing)];
      await tell(messages.map((message) => ({ ...message, payload: '' })));
    }
    return Math.min(everyMs, end - clock.now());
  }

  const loop = createLoop({
    work: refresh,
    everyMs,
    wakeDelayMs,
    retryMs,
    onError: (error) => log.warn({ err: error }, 'home assistant not told, trying again'),
  });
  const tellAll = () => {
    told.clear();
    loop.wake();
  };
  mqtt.onConnect(tellAll);
  mqtt.subscribe(birthTopic, (payload) => {
    if (payload === 'online') tellAll();
  });
  const stopWatching = settings.watch(() => loop.wake());
  const news = bus.subscribe({ subjects: 'hub.v1.>' }, (event) => {
    if (mayChangeState(event)) loop.wake();
  });
  return {
    async close() {
      stopWatching();
      await news.close();
      await loop.stop();
    },
  };
}
