import { ChangeNotifier } from '@birdhub/shared/db';
import { hashPassword, verifyPassword } from '@birdhub/shared/passwords';
import { createSecretBox, givenKeys } from '@birdhub/shared/secrets';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StoredSettings } from './schema.js';
import { replacePasswordHash } from './settings.store.js';
import { SettingsReader } from './settings-reader.js';
import { SettingsWriter } from './settings-writer.js';

const log = pino({ level: 'silent' });
const secrets = createSecretBox(givenKeys('a key'));
const admin = { role: 'admin', requestId: 'r-1' };

describe('settings writer', () => {
  let database: TestDatabase;
  let writer: SettingsWriter;
  beforeAll(async () => {
    database = await createTestDatabase();
    const notifier = new ChangeNotifier(database.pool, log);
    writer = new SettingsWriter({ database, notifier, secrets, timezone: 'Europe/Prague' });
  });
  beforeEach(async () => {
    await store({});
    await database.pool.query('TRUNCATE outbox, activity_log, session');
  });
  afterAll(() => database.drop());

  const rows = async <T extends object>(sql: string) => (await database.pool.query<T>(sql)).rows;
  const store = (value: object) =>
    database.pool.query(`UPDATE setting SET value = $1, version = 10 WHERE key = 'hub'`, [value]);
  const stored = async () =>
    (
      await rows<{ value: StoredSettings; version: number }>(
        `SELECT value, version FROM setting WHERE key = 'hub'`,
      )
    )[0];
  const events = () =>
    rows<{ payload: object }>('SELECT subject, ordering_key, request_id, payload FROM outbox');
  const change = (settings: object) => writer.change(settings as StoredSettings, admin);
  const read = (box = secrets) =>
    new SettingsReader({ pool: database.pool, timezone: 'UTC', log, secrets: box }).current();

  it('an empty store, shows the defaults with the zone of the host', async () => {
    expect(await writer.read()).toMatchObject({
      version: 10,
      settings: {
        general: { timezone: 'Europe/Prague', settings_password: '' },
        visits: { gap_seconds: 60 },
      },
    });
  });

  it('a change, is stored, returned, logged with its author, and published with its keys', async () => {
    const changed = await change({ visits: { gap_seconds: 90 }, processor: { fps: 3 } });
    const keys = ['processor.fps', 'visits.gap_seconds'];
    expect(changed).toMatchObject({
      version: 11,
      keys,
    });
    expect(changed.settings).toMatchObject({ visits: { gap_seconds: 90 }, processor: { fps: 3 } });
    expect(await stored()).toEqual({
      value: { visits: { gap_seconds: 90 }, processor: { fps: 3 } },
      version: 11,
    });
    expect(await rows('SELECT type, data FROM activity_log')).toEqual([
      { type: 'settings_change', data: { role: 'admin', keys, version: 11 } },
    ]);
    expect(await events()).toEqual([
      {
        subject: 'hub.v1.settings.updated',
        ordering_key: 'settings',
        request_id: 'r-1',
        payload: { version: 11, keys },
      },
    ]);
  });

  it.each([
    [{}],
    [{ visits: {} }],
    [{ visits: { gap_seconds: 60 } }],
    [{ visits: { gap_seconds: null } }],
    [{ general: { timezone: 'Europe/Prague', settings_password: '', contributor_password: null } }],
    [{ general: { timezone: '' }, mqtt: { password: '***' } }],
  ])('%j over the defaults, changes nothing', async (nothing) => {
    expect(await change(nothing)).toMatchObject({ version: 10, keys: [] });
    expect([await stored(), await events()]).toEqual([{ value: {}, version: 10 }, []]);
  });

  const addresses = [
    ['homeassistant.token', { homeassistant: { url: 'https://ha.example', token: 'hunter2' } }],
    ['mqtt.password', { mqtt: { broker: 'mqtt.example', password: 'hunter2' } }],
    ['webhook.secret', { webhook: { url: 'https://hook.example/a', secret: 'hunter2' } }],
    ['feed.esphome_password', { feed: { esphome_url: 'http://10.0.0.9', esphome_password: 'hunter2' } }],
    [
      'video.cameras.0.password',
      { video: { cameras: [{ id: 'a', stream_url: 'rtsp://cam/1', password: 'hunter2' }] } },
    ],
  ] as const;
  const isIn = (name: string, settings: unknown) => {
    const value = name.split('.').reduce<unknown>((inner, key) => Object(inner)[key], settings);
    return value !== '' && value !== undefined;
  };

  it.each([
    ['homeassistant.token', { homeassistant: { url: 'https://other.example' } }],
    ['homeassistant.token', { homeassistant: { url: 'http://ha.example' } }],
    ['homeassistant.token', { homeassistant: { url: 'https://ha.example:444', token: '***' } }],
    ['homeassistant.token', { homeassistant: { url: '' } }],
    ['homeassistant.token', { homeassistant: { url: null, token: '***' } }],
    ['mqtt.password', { mqtt: { broker: 'other.example' } }],
    ['mqtt.password', { mqtt: { broker: 'mqtts://mqtt.example' } }],
    ['mqtt.password', { mqtt: { port: 1884, password: '***' } }],
    ['webhook.secret', { webhook: { url: 'https://other.example/a' } }],
    ['webhook.secret', { webhook: { url: 'https://hook.example/b', secret: '***' } }],
    ['feed.esphome_password', { feed: { esphome_url: 'http://10.0.0.10', esphome_password: '***' } }],
    [
      'video.cameras.0.password',
      { video: { cameras: [{ id: 'a', stream_url: 'rtsp://other/1', password: '***' }] } },
    ],
  ])('%s after the change %j, is cleared and reported', async (name, given) => {
    for (const [, group] of addresses) await change(group);
    const changed = await change(given);
    expect(changed.clearedSecrets).toEqual([name]);
    expect(isIn(name, changed.settings)).toBe(false);
    expect(isIn(name, await read())).toBe(false);
    const others = addresses.map(([other]) => other).filter((other) => other !== name);
    expect(others.filter((other) => !isIn(other, changed.settings))).toEqual([]);
  });

  it('a password in a stream URL, is stored, always masked, and kept for the same host only', async () => {
    const camera = (stream_url: string) => ({ video: { cameras: [{ id: 'a', stream_url }] } });
    await change(camera('http://me:hunter2@cam/1'));
    const changed = await change(camera('http://me:***@cam/2'));
    expect(changed).toMatchObject({ settings: camera('http://me:***@cam/2'), clearedSecrets: [] });
    expect(await read()).toMatchObject(camera('http://me:hunter2@cam/2'));
    const moved = await change(camera('http://me:***@evil/2'));
    expect(moved.clearedSecrets).toEqual(['video.cameras.0.stream_url']);
    expect(await read()).toMatchObject(camera('http://me@evil/2'));
  });

  const withUrls = (password: string) => ({
    mqtt: { broker: `mqtt://me:${password}@broker` },
    feed: { esphome_url: `http://me:${password}@feeder` },
    video: { cameras: [{ id: 'a', stream_url: `http://me:${password}@cam/1` }] },
  });

  it('the passwords in URLs, are sealed, masked, and unchanged by being sent again', async () => {
    const { settings, version } = await change(withUrls('hunter2'));
    expect(settings).toMatchObject(withUrls('***'));
    expect(JSON.stringify((await stored())?.value)).not.toContain('hunter2');
    expect(await read()).toMatchObject(withUrls('hunter2'));
    for (const same of [settings, withUrls('hunter2'), withUrls('***')])
      expect(await change(same)).toMatchObject({ version, keys: [], clearedSecrets: [] });
    expect(await read()).toMatchObject(withUrls('hunter2'));
  });

  it('the passwords in URLs of an earlier version, are read and sealed with the next change', async () => {
    await store(withUrls('hunter2'));
    expect((await writer.read()).settings).toMatchObject(withUrls('***'));
    expect(await read()).toMatchObject(withUrls('hunter2'));
    expect(await change({ visits: { gap_seconds: 90 } })).toMatchObject({ keys: ['visits.gap_seconds'] });
    expect(JSON.stringify((await stored())?.value)).not.toContain('hunter2');
    expect(await read()).toMatchObject(withUrls('hunter2'));
  });

  it.each([
    ['mqtt.broker', { mqtt: { broker: 'mqtt://me:***@evil' } }],
    ['mqtt.broker', { mqtt: { port: 1884 } }],
    ['feed.esphome_url', { feed: { esphome_url: 'http://me:***@evil' } }],
    ['feed.esphome_url', { feed: { esphome_url: 'http://you:***@feeder' } }],
  ])('the password in %s after the change %j, is cleared and reported', async (name, given) => {
    await change(withUrls('hunter2'));
    const { clearedSecrets, settings } = await change(given);
    expect(clearedSecrets).toEqual([name]);
    const url = name.split('.').reduce<unknown>((inner, key) => Object(inner)[key], settings);
    expect(url).not.toContain('***');
    const group = (await read())[name.split('.')[0] as 'mqtt' | 'feed'];
    expect(JSON.stringify(group)).not.toContain('hunter2');
  });

  it.each([
    [{ homeassistant: { url: 'https://other.example', token: 'new' } }],
    [{ homeassistant: { url: 'https://HA.example:443/' } }],
    [{ homeassistant: { url: 'https://ha.example', token: '***' } }],
    [{ mqtt: { broker: 'other.example', password: 'hunter2' } }],
    [{ mqtt: { broker: ' mqtt://MQTT.example:1883 ', username: 'b' } }],
    [{ mqtt: { publish_topic: 'other' } }],
    [{ webhook: { url: 'https://hook.example/b', secret: 'hunter2' } }],
    [{ feed: { source: 'esphome' }, weather: { source: 'homeassistant' } }],
    [
      {
        video: {
          cameras: [
            { id: 'b', stream_url: 'rtsp://cam/2' },
            { id: 'a', stream_url: 'rtsp://cam/1', password: '***' },
          ],
        },
      },
    ],
  ])('secrets after the change %j, are kept', async (given) => {
    for (const [, group] of addresses) await change(group);
    const changed = await change(given);
    expect(changed.clearedSecrets).toEqual([]);
    const names = [
      ...addresses.slice(0, 4).map(([name]) => name),
      `video.cameras.${'video' in given ? 1 : 0}.password`,
    ];
    expect(names.filter((name) => !isIn(name, changed.settings))).toEqual([]);
  });

  it('an address changed in two steps, loses its secret in the first', async () => {
    for (const [, group] of addresses) await change(group);
    const cleared = [
      await change({ homeassistant: { url: null } }),
      await change({ homeassistant: { url: 'https://other.example' } }),
    ].map(({ clearedSecrets }) => clearedSecrets);
    expect(cleared).toEqual([['homeassistant.token'], []]);
    expect((await read()).homeassistant.token).toBe('');
  });

  it('an explicit zone, is kept even if it equals that of the host', async () => {
    await store({ general: { timezone: 'Europe/Prague' } });
    await change({ general: { timezone: 'Europe/Prague' }, mqtt: { port: 5 } });
    expect((await stored())?.value).toEqual({ general: { timezone: 'Europe/Prague' }, mqtt: { port: 5 } });
    expect(await change({ general: { timezone: null } })).toMatchObject({ keys: [] });
    expect((await stored())?.value).toEqual({ mqtt: { port: 5 } });
  });

  it('a setting changed back to its default, is reported as changed', async () => {
    await change({ visits: { gap_seconds: 90 } });
    expect(await change({ visits: { gap_seconds: 60 } })).toMatchObject({ keys: ['visits.gap_seconds'] });
    expect((await writer.read()).settings.visits.gap_seconds).toBe(60);
  });

  it('all settings sent back unchanged, create no version', async () => {
    await change({
      general: { settings_password: 'p', app_name: 'x' },
      ai: [{ id: 1, token: 't', n: 2 }],
      mqtt: { port: 1 },
    });
    const before = await stored();
    const { settings } = await writer.read();
    expect(await change(settings)).toMatchObject({ version: 11, keys: [], settings });
    expect(await stored()).toEqual(before);
  });

  it('secrets, are never stored or returned in clear, and can be read with the key', async () => {
    const secretsGiven = {
      mqtt: { password: 'hunter2' },
      secrets: { ebird_api_key: 'hunter2-key', other: 4_711_001, latitude: '50.1' },
      camera: { streams: [{ id: 'a', token: 'hunter2-token' }] },
      general: { settings_password: 'hunter2-admin', contributor_password: 'hunter2-contributor' },
    };
    const changed = await change(secretsGiven);
    const everywhere = JSON.stringify([
      changed,
      await writer.read(),
      await stored(),
      await rows('SELECT * FROM activity_log'),
      await rows('SELECT * FROM outbox'),
    ]);
    expect(everywhere).not.toMatch(/hunter2|4711001/);
    expect(changed.settings).toMatchObject({
      mqtt: { password: '***' },
      secrets: { ebird_api_key: '***', other: '***', latitude: '50.1', xeno_canto_api_key: '' },
      camera: { streams: [{ id: 'a', token: '***' }] },
      general: { settings_password: '***', contributor_password: '***' },
    });
    const opened = await read();
    expect(opened).toMatchObject({
      mqtt: { password: 'hunter2' },
      secrets: secretsGiven.secrets,
      camera: secretsGiven.camera,
    });
    expect(await verifyPassword(opened.general.settings_password, 'hunter2-admin')).toBe(true);
    expect(await verifyPassword(opened.general.contributor_password, 'hunter2-contributor')).toBe(true);
  });

  it('an unchanged secret sent again, keeps its sealed form and is not reported as changed', async () => {
    await change({ mqtt: { password: 'x' } });
    const before = await stored();
    expect(await change({ mqtt: { password: 'x' } })).toMatchObject({ keys: [] });
    expect(await stored()).toEqual(before);
    expect(await change({ mqtt: { password: 'y' } })).toMatchObject({ keys: ['mqtt.password'] });
  });

  it('a secret, is kept when sent masked and cleared by null or an empty text', async () => {
    await change({ mqtt: { password: 'x' }, own: { token: 'y' } });
    await change({ mqtt: { password: '***', port: 1 }, own: { token: '***' } });
    expect(await read()).toMatchObject({ mqtt: { password: 'x', port: 1 }, own: { token: 'y' } });
    const { settings } = await change({ mqtt: { password: null }, own: { token: '' } });
    expect(settings).toMatchObject({ mqtt: { password: '' }, own: { token: '' } });
  });

  it('sent texts that look sealed or hashed, are sealed and hashed themselves', async () => {
    const looksSealed = secrets.seal('other');
    const looksHashed = await hashPassword('other');
    await change({ mqtt: { password: looksSealed }, general: { settings_password: looksHashed } });
    const { mqtt, general } = await read();
    expect(mqtt.password).toBe(looksSealed);
    expect(await verifyPassword(general.settings_password, looksHashed)).toBe(true);
    expect(await verifyPassword(general.settings_password, 'other')).toBe(false);
  });

  it('secrets stored in clear by hand, can be read and are sealed by the next change', async () => {
    await store({ mqtt: { password: 'hand' }, general: { settings_password: 'hand' }, own: { token: 5 } });
    expect(await read()).toMatchObject({
      mqtt: { password: 'hand' },
      general: { settings_password: 'hand' },
      own: { token: 5 },
    });
    expect(await change({})).toMatchObject({ version: 10, keys: [] });
    expect(JSON.stringify(await stored())).not.toContain('hand');
    const { mqtt, general, ...others } = await read();
    expect([mqtt.password, others]).toMatchObject(['hand', { own: { token: 5 } }]);
    expect(await verifyPassword(general.settings_password, 'hand')).toBe(true);
  });

  it('a lost key, reads its secret as empty, shows it as set and affects no other setting', async () => {
    await change({ mqtt: { password: 'x', username: 'me' } });
    const lines: string[] = [];
    const spy = pino({}, { write: (line) => void lines.push(line) });
    const another = createSecretBox(givenKeys('another key'));
    const reader = new SettingsReader({ pool: database.pool, timezone: 'UTC', log: spy, secrets: another });
    expect((await reader.current()).mqtt).toMatchObject({ password: '', username: 'me' });
    reader.forget();
    await reader.current();
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 50, setting: 'mqtt.password' }),
    ]);
    expect((await writer.read()).settings.mqtt.password).toBe('***');
    const notifier = new ChangeNotifier(database.pool, log);
    const late = new SettingsWriter({ database, notifier, secrets: another, timezone: 'UTC' });
    const before = (await stored())?.value['mqtt'];
    await late.change({ visits: { gap_seconds: 1 } }, admin);
    expect((await stored())?.value['mqtt']).toEqual(before);
    expect(await late.change({ mqtt: { password: 'x' } }, admin)).toMatchObject({ keys: ['mqtt.password'] });
    expect((await read(another)).mqtt.password).toBe('x');
  });

  it('without a secret box, sealed settings read as empty', async () => {
    await change({ mqtt: { password: 'x', port: 5 } });
    const reader = new SettingsReader({ pool: database.pool, timezone: 'UTC', log });
    expect((await reader.current()).mqtt).toMatchObject({ password: '', port: 5 });
  });

  it.each<[object, string[]]>([
    [
      { visits: { gap_seconds: -1 }, ui: { unknown_confidence_threshold: 'much' } },
      ['/visits/gap_seconds', '/ui/unknown_confidence_threshold'],
    ],
    [{ visits: [] }, ['/visits']],
    [
      { general: { app_name: 5, contributor_password: 'x' } },
      ['/general/app_name', '/general/contributor_password'],
    ],
    [{ secrets: '***' }, ['/secrets']],
    [{ general: { timezone: 'Mars/Base' } }, ['/general/timezone']],
    [{ secrets: { latitude: '90.1', longitude: '-181' } }, ['/secrets/latitude', '/secrets/longitude']],
    [{ general: { contributor_password: 'x' } }, ['/general/contributor_password']],
    [{ notifications: { quiet_hours_start: '22:00' } }, ['/notifications/quiet_hours_start']],
    [{ video: { cameras: [{ id: 'a' }, { id: 'b' }, { id: 'a' }] } }, ['/video/cameras/2/id']],
    [{ video: { cameras: [{ name: 'a' }] } }, ['/video/cameras/0/id']],
    [{ detection: { species_mapping: { 'a/b': 1 } } }, ['/detection/species_mapping/a~1b']],
    [{ mqtt: { password: { a: 1 } } }, ['/mqtt/password']],
    [{ mqtt: { password: 'x'.repeat(4_097) } }, ['/mqtt/password']],
    [{ general: { settings_password: 5 } }, ['/general/settings_password']],
    [{ general: { enable_notifications: 'yes' } }, ['/general/enable_notifications']],
    [{ own: { name: 'a\0' } }, ['/own/name']],
    [{ web_push: { vapid_public_key: 'x' } }, ['/web_push/vapid_public_key']],
    [
      { notifications: { base_url: 'https://my hub' }, homeassistant: { url: 'http://ha:99999' } },
      ['/notifications/base_url', '/homeassistant/url'],
    ],
    [
      { feed: { esphome_url: 'http://[x' }, webhook: { url: 'https://a%b.example' } },
      ['/feed/esphome_url', '/webhook/url'],
    ],
  ])('%j, is rejected with the paths of the mistakes, and nothing is stored', async (wrong, paths) => {
    await expect(change({ ...wrong, own_before: 1 })).rejects.toMatchObject({
      code: 'invalid_request',
      details: paths.map((path) => ({ path })),
    });
    expect([await stored(), await events()]).toEqual([{ value: {}, version: 10 }, []]);
  });

  it('clearing the settings password, is rejected while a contributor password is set', async () => {
    await change({ general: { settings_password: 'a', contributor_password: 'b' } });
    await expect(change({ general: { settings_password: null } })).rejects.toMatchObject({
      details: [{ path: '/general/settings_password' }],
    });
    const { keys } = await change({ general: { settings_password: '', contributor_password: null } });
    expect(keys).toEqual(['general.contributor_password', 'general.settings_password']);
  });

  it('an invalid stored value, does not block changes of other settings', async () => {
    await store({ visits: { gap_seconds: 'x' }, general: { timezone: 'Mars/Base' } });
    expect(await change({ mqtt: { port: 5 } })).toMatchObject({ keys: ['mqtt.port'] });
    await expect(change({ general: { contributor_password: 'x' } })).rejects.toMatchObject({
      details: [{ path: '/general/contributor_password' }],
    });
    expect(await change({ visits: { gap_seconds: 5 } })).toMatchObject({ keys: ['visits.gap_seconds'] });
  });

  it('settings above 256 KiB, are rejected', async () => {
    await change({ own: { text: 'x'.repeat(260_000) } });
    await expect(change({ other: { text: 'x'.repeat(10_000) } })).rejects.toMatchObject({
      code: 'payload_too_large',
    });
  });

  it('hundreds of changed keys, are published as groups', async () => {
    await change({
      own: Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index])),
      visits: { gap_seconds: 1 },
    });
    await change({
      own: Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, -1])),
      visits: { gap_seconds: 2 },
    });
    expect((await events())[1]?.payload).toMatchObject({ keys: ['own', 'visits'] });
  });

  it('a version that is not among the expected ones, is a conflict', async () => {
    const from = (ifVersions: number[]) =>
      writer.change({ visits: { gap_seconds: 7 } }, { ...admin, ifVersions });
    await expect(from([9])).rejects.toMatchObject({ code: 'conflict' });
    expect(await from([9, 10])).toMatchObject({ version: 11 });
    await expect(from([10])).rejects.toMatchObject({ code: 'conflict' });
  });

  it('twenty concurrent changes of different keys, are all stored, each with a version and an event', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    const changed = await Promise.all(numbers.map((n) => change({ own: { [`k${n}`]: n } })));
    const own = Object.fromEntries(numbers.map((n) => [`k${n}`, n]));
    expect(await stored()).toEqual({ value: { own }, version: 30 });
    expect(changed.map(({ version }) => version).sort((a, b) => a - b)).toEqual(numbers.map((n) => 11 + n));
    expect(await events()).toHaveLength(20);
  });

  it('concurrent changes of the same keys, have the result of the same changes in version order', async () => {
    const changes = Array.from({ length: 12 }, (_, n) => ({
      own: { [`k${n % 3}`]: n, list: [n], token: `t${n % 2}`, [`k${(n + 1) % 3}`]: { deep: n } },
    }));
    const changed = await Promise.all(changes.map((settings) => change(settings)));
    const inOrder = changes
      .map((settings, index) => ({ settings, version: changed[index]?.version ?? 0 }))
      .sort((a, b) => a.version - b.version);
    const together = (await read()) as StoredSettings;
    await store({});
    for (const { settings } of inOrder) await change(settings);
    expect(((await read()) as StoredSettings)['own']).toEqual(together['own']);
  });

  it('a new hash of a password, replaces the stored one unless the password has changed since', async () => {
    await store({ general: { settings_password: 'hand', app_name: 'x' } });
    const renew = (before: string, hash: string) =>
      replacePasswordHash(database.pool, { role: 'admin', stored: before, hash });
    await renew('old', 'not stored');
    await renew('hand', 'new hash');
    expect(await stored()).toEqual({
      value: { general: { settings_password: 'new hash', app_name: 'x' } },
      version: 10,
    });
  });

  describe('sessions', () => {
    const begin = () =>
      database.pool.query(
        `INSERT INTO session (token_hash, role) VALUES ('\\x01', 'admin'), ('\\x02', 'contributor')`,
      );
    const roles = async () =>
      (await rows<{ role: string }>('SELECT role FROM session ORDER BY role')).map(({ role }) => role);

    it.each<[object, string[]]>([
      [{ settings_password: 'new' }, ['contributor']],
      [{ contributor_password: 'new' }, ['admin']],
      [{ contributor_password: null }, ['admin']],
      [{ settings_password: null, contributor_password: '' }, []],
      [{ settings_password: '***', app_name: 'x' }, ['admin', 'contributor']],
    ])('%j, ends the sessions of the changed passwords', async (general, left) => {
      await change({ general: { settings_password: 'a', contributor_password: 'b' } });
      await begin();
      await change({ general });
      expect(await roles()).toEqual(left);
    });

    it('a rejected change, ends no session', async () => {
      await change({ general: { settings_password: 'a', contributor_password: 'b' } });
      await begin();
      await expect(change({ general: { settings_password: null } })).rejects.toThrow();
      await expect(change({ general: { settings_password: 'c' }, visits: 1 })).rejects.toThrow();
      expect(await roles()).toEqual(['admin', 'contributor']);
    });
  });

  describe('access tokens', () => {
    const create = (name: string, unprotected: boolean, scopes: readonly string[] = ['admin']) =>
      database.pool.query(
        'INSERT INTO access_token (name, token_hash, scopes, unprotected) VALUES ($1, $4, $2, $3)',
        [name, scopes, unprotected, Buffer.alloc(32, name)],
      );
    const names = async () =>
      (await rows<{ name: string }>('SELECT name FROM access_token ORDER BY name')).map(({ name }) => name);
    const password = { general: { settings_password: 'a' } };
    beforeEach(() => database.pool.query('TRUNCATE access_token'));

    it('created without a password, are revoked and logged by the first one, except those of detectors', async () => {
      await create('stranger', true);
      await create('reader', true, ['read', 'processor']);
      await create('detector', true, ['processor']);
      await create('earlier', false);
      expect((await change({ general: { app_name: 'x' } })).revokedTokens).toEqual([]);
      expect((await change(password)).revokedTokens).toEqual(['reader', 'stranger']);
      expect(await names()).toEqual(['detector', 'earlier']);
      expect(
        await rows(`SELECT data - 'id' AS data FROM activity_log WHERE type = 'token_revoked' ORDER BY id`),
      ).toEqual(
        ['stranger', 'reader'].map((name) => ({
          data: { by: 'admin', name, reason: 'created_without_password' },
        })),
      );
    });

    it('and the first password set with one of them, keep that one', async () => {
      await create('script', true);
      await create('stranger', true);
      const { revokedTokens } = await writer.change(password, { ...admin, accessToken: 'script' });
      expect([revokedTokens, await names()]).toEqual([['stranger'], ['script']]);
    });

    it('and another password, or none, are kept', async () => {
      await change(password);
      await create('mine', true);
      await change({ general: { settings_password: 'b' } });
      await change({ general: { settings_password: null } });
      expect(await names()).toEqual(['mine']);
    });
  });
});
