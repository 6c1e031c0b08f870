import { countStatements, createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSettingsReader, type SettingsReaderOptions } from './settings-reader.js';
import type { Settings } from './settings-schema.js';

describe('settings reader', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const log = pino({ level: 'silent' });
  const store = (value: object) =>
    database.pool.query(`UPDATE setting SET value = $1, version = version + 1 WHERE key = 'hub'`, [value]);
  const storeGap = (seconds: number) => store({ visits: { gap_seconds: seconds } });
  const open = (options: Partial<SettingsReaderOptions> = {}) =>
    createSettingsReader({ pool: database.pool, timezone: 'UTC', log, ...options });

  it('nothing in store, is the defaults', async () => {
    await store({});
    const settings = await open({ timezone: 'Asia/Tehran' }).current();
    expect(settings).toMatchObject({ general: { timezone: 'Asia/Tehran' }, visits: { gap_seconds: 60 } });
  });

  it('many questions at once and after, are one statement until told', async () => {
    const reader = open();
    const ask = () => Promise.all(Array.from({ length: 10 }, () => reader.current()));
    expect(await countStatements(database.pool, async () => [await ask(), await ask()])).toBe(1);
    await storeGap(5);
    expect((await reader.current()).visits.gap_seconds).toBe(60);
    reader.forget();
    expect((await reader.current()).visits.gap_seconds).toBe(5);
  });

  it('a caller that was told of a newer version, is answered by it; versions that were named are asked for once', async () => {
    const reader = open();
    await storeGap(5);
    await reader.current();
    await storeGap(7);
    reader.heed(9_007);
    expect((await reader.current()).visits.gap_seconds).toBe(7);
    const heedOld = async () => {
      for (const version of [9_007, 3, Number.NaN]) reader.heed(version);
      await reader.current();
    };
    expect(await countStatements(database.pool, heedOld)).toBe(0);
  });

  it('news that was lost, is half a minute late at most', async () => {
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

  it('a version that still holds after half a minute, leaves the settings as they were read', async () => {
    let now = 0;
    const reader = open({ now: () => now });
    const before = await reader.current();
    now = 30_000;
    expect(await reader.current()).toBe(before);
  });

  it('a question that failed, is asked again', async () => {
    const reader = open();
    await database.pool.query('ALTER TABLE setting RENAME TO away');
    await expect(reader.current()).rejects.toThrow('setting');
    await database.pool.query('ALTER TABLE away RENAME TO setting');
    expect((await reader.current()).general.timezone).toBe('UTC');
  });

  describe('whoever watches', () => {
    function watch(options: Partial<SettingsReaderOptions> = {}) {
      const reader = open(options);
      const heard: number[] = [];
      const stop = reader.watch(({ visits }: Settings) => void heard.push(visits.gap_seconds));
      const hears = (gaps: number[]) => vi.waitFor(() => expect(heard).toEqual(gaps));
      return { reader, stop, heard, hears };
    }

    it('at first and after each change, is told once', async () => {
      await storeGap(1);
      const { reader, hears } = watch();
      await hears([1]);
      await storeGap(2);
      reader.forget();
      await hears([1, 2]);
      reader.forget();
      await reader.current();
      await storeGap(3);
      reader.forget();
      await hears([1, 2, 3]);
      reader.close();
    });

    it('when the news was lost, is told by the version check', async () => {
      await storeGap(1);
      const { reader, hears } = watch({ trustMs: 20 });
      await hears([1]);
      await storeGap(2);
      await hears([1, 2]);
      reader.close();
    });

    it('when the settings could not be read, is told as soon as they can', async () => {
      await storeGap(1);
      await database.pool.query('ALTER TABLE setting RENAME TO away');
      const { reader, heard, hears } = watch({ trustMs: 20 });
      await expect(reader.current()).rejects.toThrow('setting');
      expect(heard).toEqual([]);
      await database.pool.query('ALTER TABLE away RENAME TO setting');
      await hears([1]);
      reader.close();
    });

    it('when another listener throws, is told all the same', async () => {
      await storeGap(1);
      const reader = open();
      reader.watch(() => {
        throw new Error('no');
      });
      const heard = await new Promise((resolve) => reader.watch(resolve));
      expect(heard).toMatchObject({ visits: { gap_seconds: 1 } });
      reader.close();
    });

    it('when it has stopped, is told nothing more', async () => {
      await storeGap(1);
      const { reader, stop, heard, hears } = watch();
      await hears([1]);
      stop();
      await storeGap(2);
      reader.forget();
      expect((await reader.current()).visits.gap_seconds).toBe(2);
      expect(heard).toEqual([1]);
      reader.close();
    });
  });
});
