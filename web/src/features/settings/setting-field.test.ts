import { describe, expect, test } from 'vitest';
import { isRelevant } from './setting-field';

describe('isRelevant', () => {
  test.each([
    ['feed.esphome_url', 'esphome', true],
    ['feed.esphome_url', 'mqtt', false],
    ['feed.mqtt_topic', 'mqtt', true],
    ['feed.duration_seconds', 'none', false],
    ['homeassistant.token', 'homeassistant', true],
    ['secrets.openweather_api_key', 'open-meteo', false],
    ['general.app_name', 'none', true],
  ] as const)('for %s with the choice %s, returns %s', (path, choice, expected) => {
    expect(isRelevant(path, () => choice)).toBe(expected);
  });
});
