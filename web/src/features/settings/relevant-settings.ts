import type { SettingPath } from './setting-groups';

interface Need {
  readonly of: SettingPath;
  readonly among: readonly string[];
}

const driven: Need = { of: 'feed.source', among: ['mqtt', 'esphome'] };
const byEsphome: Need = { of: 'feed.source', among: ['esphome'] };
const byHomeAssistant: Need = { of: 'weather.source', among: ['homeassistant'] };

const needs: Partial<Record<SettingPath, Need>> = {
  'feed.duration_seconds': driven,
  'feed.cooldown_seconds': driven,
  'feed.mqtt_topic': { of: 'feed.source', among: ['mqtt'] },
  'feed.esphome_url': byEsphome,
  'feed.esphome_switch_id': byEsphome,
  'feed.esphome_type': byEsphome,
  'secrets.openweather_api_key': { of: 'weather.source', among: ['openweather'] },
  'homeassistant.url': byHomeAssistant,
  'homeassistant.token': byHomeAssistant,
  'weather.ha_entity_id': byHomeAssistant,
};

/** Whether a setting means anything beside the choice it hangs on. */
export function isRelevant(path: SettingPath, valueAt: (path: SettingPath) => unknown): boolean {
  const need = needs[path];
  return need === undefined || need.among.includes(String(valueAt(need.of)));
}
