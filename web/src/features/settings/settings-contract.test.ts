import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkValue, fieldOf, type SettingsSchema } from './setting-field';
import { type SettingPath, settingGroups } from './setting-groups';
import de from './texts/de.json';
import en from './texts/en.json';
import ru from './texts/ru.json';

const contract = parse(readFileSync('openapi.yaml', 'utf8')) as {
  components: { schemas: { Settings: SettingsSchema } };
};
const schema = contract.components.schemas.Settings;
// Settings that are lists have pages of their own.
const known = Object.entries(schema.properties).flatMap(([section, { properties = {} }]) =>
  Object.keys(properties).map((key) => `${section}.${key}`),
);
/** Settings on the page of channels, and keys that the hub creates itself. */
const ofChannels = [
  'notifications.telegram_bot_token',
  'notifications.telegram_chat_id',
  'web_push.enabled',
  'web_push.vapid_private_key',
  'web_push.vapid_public_key',
  'webhook.secret',
  'webhook.url',
];
const shown: SettingPath[] = Object.values(settingGroups).flat();

const problemWith = (path: SettingPath, value: unknown) => checkValue(fieldOf(schema, path), value)?.key;

describe('the groups of settings', () => {
  test('compared with the contract, have the same keys, each once', () => {
    expect([...shown, ...ofChannels].sort()).toEqual(known.sort());
  });

  test.each(Object.entries({ en, de, ru }))(
    'in %s, have a label and a help text for each key',
    (_, texts) => {
      const wanted = shown.flatMap((path) => [`${path}.label`, `${path}.help`]);
      expect(wanted.filter((key) => !(key in texts))).toEqual([]);
    },
  );
});

describe('checkValue', () => {
  test.each([
    ['feed.duration_seconds', 0, 'too_small'],
    ['mqtt.port', 70_000, 'too_large'],
    ['mqtt.port', 1883.5, 'not_whole'],
    ['mqtt.port', '', 'not_number'],
    ['feed.esphome_url', 'feeder.local', 'bad_address'],
    ['notifications.quiet_hours_start', '25:00', 'bad_format'],
    ['ebird.state', 'US-CA-SOMEWHERE', 'too_long'],
    ['secrets.latitude', 'north', 'bad_format'],
  ] as const)('for %s with %j, reports %s', (path, value, key) => {
    expect(problemWith(path, value)).toBe(key);
  });

  test.each([
    ['feed.esphome_url', ''],
    ['feed.esphome_url', 'http://feeder.local'],
    ['notifications.quiet_hours_start', '22:30'],
    ['mqtt.port', 8883],
    ['general.enable_notifications', true],
  ] as const)('for %s with %j, reports nothing', (path, value) => {
    expect(problemWith(path, value)).toBeUndefined();
  });
});

describe('fieldOf', () => {
  test.each([
    ['general.settings_password', 'secret'],
    ['feed.source', 'choice'],
    ['mqtt.port', 'number'],
    ['mcp.enabled', 'switch'],
    ['ebird.species_mapping', 'mapping'],
  ] as const)('%s, has the kind %s', (path, kind) => expect(fieldOf(schema, path).kind).toBe(kind));

  test('a setting in seconds, has that unit', () =>
    expect(fieldOf(schema, 'visits.gap_seconds').unit).toBe('seconds'));
});
