import { type ChangeNotice, createChangeNotifier } from '@birdhub/shared/db';
import { createSecretBox, givenKeys } from '@birdhub/shared/secrets';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type OpenSettings, openSettings } from './open-settings.js';
import { createSettingsWriter } from './settings-writer.js';

const log = pino({ level: 'silent' });
const secrets = createSecretBox(givenKeys('a key'));

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

  const notifier = () => createChangeNotifier(database.pool, log);
  const change = (settings: Record<string, unknown>) =>
    createSettingsWriter({ database, notifier: notifier(), secrets, timezone: 'UTC' }).change(settings, {
      role: 'admin',
    });

  it('a change in another process, is told within a second, with its secrets in clear', async () => {
    const heard: unknown[] = [];
    const stop = opened.settings.watch(
      ({ mqtt, general }) => void heard.push([mqtt.password, general.timezone]),
    );
    await vi.waitFor(() => expect(heard).toEqual([['', 'Asia/Tehran']]));
    await change({ mqtt: { password: 'x' } });
    await vi.waitFor(() => expect(heard.at(-1)).toEqual(['x', 'Asia/Tehran']), 1_000);
    stop();
  });

  it('other handlers of the process, hear every notice and gap', async () => {
    expect(gaps).toBe(1);
    const token = notifier().notify({ kind: 'species' });
    await vi.waitFor(() => {
      expect(notices.map(({ origin, sequence }) => `${origin}:${sequence}`)).toContain(token);
    });
  });

  it('a notice that is of something else, leaves the settings as they were read', async () => {
    const before = await opened.settings.current();
    await database.pool.query(
      `UPDATE setting SET value = '{"mqtt": {"port": 9}}', version = version + 1 WHERE key = 'hub'`,
    );
    const count = notices.length;
    notifier().notify({ kind: 'species' });
    await vi.waitUntil(() => notices.length > count);
    expect(await opened.settings.current()).toBe(before);
    notifier().notify({ kind: 'everything' });
    await vi.waitFor(async () => expect((await opened.settings.current()).mqtt.port).toBe(9));
  });
});
