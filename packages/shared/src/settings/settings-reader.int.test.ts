import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.js';
import { countStatements } from '../testing/statements.js';
import { createSettingsReader } from './settings-reader.js';

describe('settings reader', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const store = (value: object) =>
    database.pool.query(`UPDATE setting SET value = $1 WHERE key = 'hub'`, [value]);

  it('nothing in store, is the defaults', async () => {
    await store({});
    const settings = await createSettingsReader(database.pool, 'Asia/Tehran').current();
    expect(settings).toMatchObject({ general: { timezone: 'Asia/Tehran' }, visits: { gap_seconds: 60 } });
  });

  it('many questions at once and after, are one statement until told', async () => {
    const reader = createSettingsReader(database.pool, 'UTC');
    const ask = () => Promise.all(Array.from({ length: 10 }, () => reader.current()));
    expect(await countStatements(database.pool, async () => [await ask(), await ask()])).toBe(1);
    await store({ visits: { gap_seconds: 5 } });
    expect((await reader.current()).visits.gap_seconds).toBe(60);
    reader.forget();
    expect((await reader.current()).visits.gap_seconds).toBe(5);
  });

  it('news that was lost, is half a minute late at most', async () => {
    let now = 0;
    await store({ visits: { gap_seconds: 5 } });
    const reader = createSettingsReader(database.pool, 'UTC', () => now);
    await reader.current();
    await store({ visits: { gap_seconds: 6 } });
    now = 30_000;
    expect((await reader.current()).visits.gap_seconds).toBe(5);
    now = 30_001;
    expect((await reader.current()).visits.gap_seconds).toBe(6);
  });

  it('a question that failed, is asked again', async () => {
    const reader = createSettingsReader(database.pool, 'UTC');
    await database.pool.query('ALTER TABLE setting RENAME TO away');
    await expect(reader.current()).rejects.toThrow('setting');
    await database.pool.query('ALTER TABLE away RENAME TO setting');
    expect((await reader.current()).general.timezone).toBe('UTC');
  });
});
