import { type ChangeNotice, ChangeNotifier } from '@birdhub/shared/db';
import { createSecretBox, givenKeys } from '@birdhub/shared/secrets';
import { countStatements, createTestDatabase, storeSettings, type TestDatabase } from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type OpenSettings, openSettings } from './open-settings.js';
import type { Settings } from './schema.js';
import { SettingsReader, type SettingsReaderDeps } from './settings-reader.js';
import { SettingsWriter } from './settings-writer.js';

const log = pino({ level: 'silent' });
const secrets = createSecretBox(givenKeys('a key'));

describe('settings reader', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const store = (value: object) => storeSettings(database.pool, value);
  const storeGap = (seconds: number) => store({ visits: { gap_seconds: seconds } });
  const open = (deps: Partial<SettingsReaderDeps> = {}) =>
    new SettingsReader({ pool: database.pool, timezone: 'UTC', log, ...deps });

  it('an empty store, returns the defaults', async () => {
    await store({});
    const settings = await open({ timezone: 'Asia/Tehran' }).current();
    expect(settings).toMatchObject({ general: { timezone: 'Asia/Tehran' }, visits: { gap_seconds: 60 } });
  });

  it('concurrent and later reads, run one statement until the copy is dropped', async () => {
    const reader = open();
    const readTen = () => Promise.all(Array.from({ length: 10 }, () => reader.current()));
    expect(await countStatements(database.pool, async () => [await readTen(), await readTen()])).toBe(1);
    await storeGap(5);
    expect((await reader.current()).visits.gap_seconds).toBe(60);
    reader.forget();
    expect((await reader.current()).visits.gap_seconds).toBe(5);
  });

  it('a newer required version, causes a read; older versions and NaN do not', async () => {
    const reader = open();
    await storeGap(5);
    await reader.current();
    await storeGap(7);
    reader.requireVersion(9_007);
    expect((await reader.current()).visits.gap_seconds).toBe(7);
    const requireOld = async () => {
      for (const version of [9_007, 3, Number.NaN]) reader.requireVersion(version);
      await reader.current();
    };
    expect(await countStatements(database.pool, requireOld)).toBe(0);
  });

  it('a change without a notice, is seen after 30 s', async () => {
    let now = 0;
    await storeGap(5);
    const reader = open({ now: () => now });
    await reader.current();
    await storeGap(6);
    now = 29_999;
    expect((await reader.current()).visits.gap_seconds).toBe(5);
    now = 30_000;
    expect((await reader.current()).visits.gap_seconds).toBe(6);
  });

  it('an unchanged version after 30 s, keeps the settings object', async () => {
    let now = 0;
    const reader = open({ now: () => now });
    const before = await reader.current();
    now = 30_000;
    expect(await reader.current()).toBe(before);
  });

  it('a failed read, is repeated by the next', async () => {
    const reader = open();
    await database.pool.query('ALTER TABLE setting RENAME TO away');
    await expect(reader.current()).rejects.toThrow('setting');
    await database.pool.query('ALTER TABLE away RENAME TO setting');
    expect((await reader.current()).general.timezone).toBe('UTC');
  });

  describe('a watcher', () => {
    function watch(deps: Partial<SettingsReaderDeps> = {}) {
      const reader = open(deps);
      const received: number[] = [];
      const stop = reader.watch(({ visits }: Settings) => void received.push(visits.gap_seconds));
      const expectReceived = (gaps: number[]) => vi.waitFor(() => expect(received).toEqual(gaps));
      return { reader, stop, received, expectReceived };
    }

    it('at first and after each change, is called once', async () => {
      await storeGap(1);
      const { reader, expectReceived } = watch();
      await expectReceived([1]);
      await storeGap(2);
      reader.forget();
      await expectReceived([1, 2]);
      reader.forget();
      await reader.current();
      await storeGap(3);
      reader.forget();
      await expectReceived([1, 2, 3]);
      reader.close();
    });

    it('when the notice was lost, is called by the version check', async () => {
      await storeGap(1);
      const { reader, expectReceived } = watch({ maxAgeMs: 20 });
      await expectReceived([1]);
      await storeGap(2);
      await expectReceived([1, 2]);
      reader.close();
    });

    it('with named groups, is called for their changes only', async () => {
      await store({ visits: { gap_seconds: 1 } });
      const reader = open();
      const received: unknown[] = [];
      reader.watch(({ visits, ui }) => void received.push([visits, ui].map(Object.values)), ['visits', 'ui']);
      await vi.waitFor(() => expect(received).toHaveLength(1));
      await store({ visits: { gap_seconds: 1 }, general: { app_name: 'x' } });
      reader.forget();
      expect((await reader.current()).general.app_name).toBe('x');
      await store({ visits: { gap_seconds: 1 }, ui: { unknown_confidence_threshold: 0.9 } });
      reader.forget();
      await vi.waitFor(() => expect(received).toHaveLength(2));
      expect(received).toEqual([
        [[1], [0.5]],
        [[1], [0.9]],
      ]);
      reader.close();
    });

    it('when the settings could not be read, is called as soon as they can be', async () => {
      await storeGap(1);
      await database.pool.query('ALTER TABLE setting RENAME TO away');
      const { reader, received, expectReceived } = watch({ maxAgeMs: 20 });
      await expect(reader.current()).rejects.toThrow('setting');
      expect(received).toEqual([]);
      await database.pool.query('ALTER TABLE away RENAME TO setting');
      await expectReceived([1]);
      reader.close();
    });

    it('when another one throws, is still called', async () => {
      await storeGap(1);
      const reader = open();
      reader.watch(() => {
        throw new Error('no');
      });
      const received = await new Promise((resolve) => reader.watch(resolve));
      expect(received).toMatchObject({ visits: { gap_seconds: 1 } });
      reader.close();
    });

    it('when stopped, is not called again', async () => {
      await storeGap(1);
      const { reader, stop, received, expectReceived } = watch();
      await expectReceived([1]);
      stop();
      await storeGap(2);
      reader.forget();
      expect((await reader.current()).visits.gap_seconds).toBe(2);
      expect(received).toEqual([1]);
      reader.close();
    });
  });
});

describe('openSettings', () => {
  let database: TestDatabase;
  let opened: OpenSettings;
  const notices: ChangeNotice[] = [];
  let gaps = 0;
  beforeAll(async () => {
    database = await createTestDatabase();
    const { pool, url } = database;
    const onGap = () => {
      gaps += 1;
    };
    const handlers = { onNotice: (notice: ChangeNotice) => void notices.push(notice), onGap };
    opened = openSettings({ pool, url, hostZone: 'Asia/Tehran', log, secrets, handlers });
    await vi.waitUntil(() => opened.listener.isListening());
  });
  afterAll(async () => {
    await opened.listener.close();
    await database.drop();
  });

  const notifier = () => new ChangeNotifier(database.pool, log);
  const change = (settings: Record<string, unknown>) =>
    new SettingsWriter({ database, notifier: notifier(), secrets, timezone: 'UTC' }).change(settings, {
      role: 'admin',
    });

  it('a change in another process, reaches the watcher within a second, with secrets in clear', async () => {
    const received: unknown[] = [];
    const stop = opened.settings.watch(
      ({ mqtt, general }) => void received.push([mqtt.password, general.timezone]),
    );
    await vi.waitFor(() => expect(received).toEqual([['', 'Asia/Tehran']]));
    await change({ mqtt: { password: 'x' } });
    await vi.waitFor(() => expect(received.at(-1)).toEqual(['x', 'Asia/Tehran']), 1_000);
    stop();
  });

  it('other handlers of the process, receive every notice and gap', async () => {
    expect(gaps).toBe(1);
    const sender = notifier();
    sender.notify({ kind: 'species' });
    const { token } = sender.last();
    await vi.waitFor(() => {
      expect(notices.map(({ origin, sequence }) => `${origin}:${sequence}`)).toContain(token);
    });
  });

  it('a notice of another kind, does not reload the settings', async () => {
    const before = await opened.settings.current();
    await storeSettings(database.pool, { mqtt: { port: 9 } });
    const count = notices.length;
    notifier().notify({ kind: 'species' });
    await vi.waitUntil(() => notices.length > count);
    expect(await opened.settings.current()).toBe(before);
    notifier().notify({ kind: 'everything' });
    await vi.waitFor(async () => expect((await opened.settings.current()).mqtt.port).toBe(9));
  });
});
