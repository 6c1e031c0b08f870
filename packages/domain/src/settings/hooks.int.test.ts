import { ChangeNotifier } from '@birdhub/shared/db';
import { createSecretBox, givenKeys } from '@birdhub/shared/secrets';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StoredSettings } from './schema.js';
import { SettingsWriter } from './settings-writer.js';

const hook = { name: 'pi', species_name: '/message/name', min_confidence: 0.5 };

let database: TestDatabase;
let writer: SettingsWriter;
beforeAll(async () => {
  database = await createTestDatabase();
  const notifier = new ChangeNotifier(database.pool, pino({ level: 'silent' }));
  const secrets = createSecretBox(givenKeys('a key'));
  writer = new SettingsWriter({ database, notifier, secrets, timezone: 'UTC' });
});
beforeEach(() => database.pool.query(`UPDATE setting SET value = '{}', version = 10 WHERE key = 'hub'`));
afterAll(() => database.drop());

const change = (settings: object) => writer.change(settings as StoredSettings, { role: 'admin' });
const stored = async () =>
  (await database.pool.query<{ value: object }>(`SELECT value FROM setting WHERE key = 'hub'`)).rows[0]
    ?.value;

describe('hooks of the settings', () => {
  it('are empty by default, are replaced as a whole, and are cleared by null', async () => {
    expect((await writer.read()).settings.hooks).toEqual([]);
    expect(await change({ hooks: [hook, { ...hook, name: 'go' }] })).toMatchObject({ keys: ['hooks'] });
    expect((await change({ hooks: [{ ...hook, name: 'other' }] })).settings.hooks).toEqual([
      { ...hook, name: 'other' },
    ]);
    expect((await change({ visits: { gap_seconds: 90 } })).settings.hooks).toHaveLength(1);
    expect((await change({ hooks: null })).settings.hooks).toEqual([]);
    expect(await stored()).toEqual({ visits: { gap_seconds: 90 } });
  });

  it('all settings sent back unchanged, create no version', async () => {
    await change({ hooks: [hook] });
    const { settings } = await writer.read();
    expect(await change(settings)).toMatchObject({ version: 11, keys: [] });
    await change({ hooks: null });
    const before = await stored();
    await change((await writer.read()).settings);
    expect(await stored()).toEqual(before);
  });

  it.each([
    [{}, '/hooks'],
    [[{ species_name: '/a' }], '/hooks/0/name'],
    [[{ ...hook, name: 'A B' }], '/hooks/0/name'],
    [[{ ...hook, name: '../x' }], '/hooks/0/name'],
    [[hook, hook], '/hooks/1/name'],
    [[{ name: 'pi' }], '/hooks/0/species_name'],
    [[{ name: 'pi', species_name: 'name' }], '/hooks/0/species_name'],
    [[{ name: 'pi', species_name: '/a~2' }], '/hooks/0/species_name'],
    [[{ ...hook, min_confidence: 2 }], '/hooks/0/min_confidence'],
    [[{ ...hook, colour: '/a' }], '/hooks/0/colour'],
    [[{ ...hook, pattern: '(?<note>.+)' }], '/hooks/0/text'],
    [[{ ...hook, text: '/a', pattern: '(?<bird>.+)' }], '/hooks/0/pattern'],
    [[{ ...hook, text: '/a', pattern: '.+' }], '/hooks/0/pattern'],
    [[hook, { ...hook, name: 'go', text: '/a', pattern: '(?<note>(' }], '/hooks/1/pattern'],
    // RE2 has no lookahead.
    [[{ ...hook, text: '/a', pattern: '(?=x)(?<note>.+)' }], '/hooks/0/pattern'],
  ])('%j, is rejected with the path %s', async (hooks, path) => {
    await expect(change({ hooks })).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] });
    expect(await stored()).toEqual({});
  });

  it('a pattern with a group for the name, needs no name pointer', async () => {
    const hooks = [{ name: 'pi', text: '/message', pattern: '(?<species_name>.+)' }];
    expect((await change({ hooks })).settings.hooks).toEqual(hooks);
  });
});

describe('the MQTT topic for posts', () => {
  it.each(['birds', 'birdhub/in', 'garden/birdhub/in', 'birdhub/inbox/2', 'Vögel/ein gang'])(
    '%s, is accepted',
    async (post_topic) => {
      expect((await change({ mqtt: { post_topic } })).settings.mqtt.post_topic).toBe(post_topic);
    },
  );

  it.each([
    '',
    '/',
    '/birds',
    'birds/',
    'birds//in',
    'birds/#',
    'birds/+',
    '+',
    '$SYS',
    '$share/x/birds',
    'birds\n',
    'birdhub',
    'birdhub/visits',
    'birdhub/visits/in',
    'birdhub/last_visit/attributes',
    'homeassistant',
    'homeassistant/in',
    'cmnd',
    'cmnd/bird_feeder/Power/in',
  ])('%j, is rejected', async (post_topic) => {
    await expect(change({ mqtt: { post_topic } })).rejects.toMatchObject({
      details: [{ path: '/mqtt/post_topic' }],
    });
  });

  it('another topic of the hub below it, is rejected', async () => {
    await expect(change({ mqtt: { publish_topic: 'birdhub/in/visits' } })).rejects.toMatchObject({
      details: [{ path: '/mqtt/publish_topic' }],
    });
    await expect(change({ feed: { mqtt_topic: 'birdhub/in' } })).rejects.toMatchObject({
      details: [{ path: '/feed/mqtt_topic' }],
    });
  });
});
