import type { SettingsReader } from '@birdhub/domain/settings';
import type { Bus } from '@birdhub/shared/bus';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import { tellHomeAssistant } from './home-assistant/home-assistant.js';
import { createMqttLink, type MqttLink } from './mqtt/mqtt-link.js';
import { publishVisits } from './mqtt/publish-visits.js';

/** What the hub does by MQTT is done with. */
export interface MqttParts {
  readonly bus: Bus;
  readonly settings: SettingsReader;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The hub's connection to the broker of the settings, the visits that it publishes, and Home Assistant. */
export function openMqtt(parts: MqttParts): { mqtt: MqttLink; close(): Promise<void> } {
  const mqtt = createMqttLink(parts.log);
  const homeAssistant = tellHomeAssistant({ ...parts, mqtt });
  const visits = publishVisits({ ...parts, mqtt });
  const stopFollowing = parts.settings.watch((settings) => mqtt.follow(settings.mqtt));
  const close = async () => {
    stopFollowing();
    await Promise.all([homeAssistant.close(), visits.close()]);
    await mqtt.close();
  };
  return { mqtt, close };
}
