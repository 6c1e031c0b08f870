import { SettingsWriter } from '@birdhub/domain/settings';
import { createApp } from '@birdhub/shared/app';
import { ChangeNotifier } from '@birdhub/shared/db';
import { createMetrics } from '@birdhub/shared/metrics';
import { createSecretBox } from '@birdhub/shared/secrets';
import { createTestDatabase } from '@birdhub/testing';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { settingsRoutes } from './settings.routes.js';

it('PATCH /settings, done, refused or failed, has no secret in its log or its responses', async () => {
  const database = await createTestDatabase();
  const { pool } = database;
  const texts: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => void texts.push(line) });
  const app = createApp({ log, metrics: createMetrics('system') });
  const secrets = createSecretBox({ read: () => ['key'], readOrCreate: () => ['key'] });
  const notifier = new ChangeNotifier(pool, log);
  settingsRoutes(app, {
    settingsWriter: new SettingsWriter({ database, notifier, secrets, timezone: 'UTC' }),
  });

  async function patch(payload: object): Promise<number> {
    const { statusCode, body } = await app.inject({ method: 'PATCH', url: '/api/ui/settings', payload });
    texts.push(body);
    return statusCode;
  }
  const settings = { mqtt: { password: 'hunter2' }, general: { settings_password: 'hunter2' } };
  const wrong = {
    mqtt: { port: 'hunter2', password: 'hunter2'.repeat(1_000) },
    secrets: { zip: ['hunter2'] },
  };
  const statuses = [await patch(settings), await patch(wrong)];
  await pool.query('ALTER TABLE activity_log RENAME TO away');
  statuses.push(await patch({ webhook: { secret: 'hunter2' } }));
  expect(statuses).toEqual([200, 400, 500]);
  expect(texts.filter((line) => line.includes('request failed'))).toHaveLength(1);
  expect(texts.join()).not.toContain('hunter2');
  await app.close();
  await notifier.settled();
  await database.drop();
});
