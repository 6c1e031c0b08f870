import type { HubApp } from '@birdhub/shared/app';
import { createMetrics } from '@birdhub/shared/metrics';
import type { RecordingWriter } from '@birdhub/shared/recordings';
import type { SettingsReader } from '@birdhub/shared/settings';
import { createTestDatabase, createTestWriter, type TestDatabase } from '@birdhub/shared/testing';
import { pino } from 'pino';
import { createReportsApp } from '../app.js';

/** The reports application on a database of its own. */
export interface TestReports {
  readonly app: HubApp;
  readonly database: TestDatabase;
  readonly writer: RecordingWriter;
  readonly settings: SettingsReader;
  setSettings(value: object): Promise<void>;
  close(): Promise<void>;
}

/** Builds the application as `start.ts` does, without ports. */
export async function createTestReports(): Promise<TestReports> {
  const database = await createTestDatabase();
  const { pool } = database;
  const { writer, settings } = createTestWriter(pool);
  const app = createReportsApp({
    log: pino({ level: 'silent' }),
    metrics: createMetrics('reports'),
    internalSecret: undefined,
    readPool: pool,
    settings,
  });
  return {
    app,
    database,
    writer,
    settings,
    async setSettings(value) {
      await pool.query(`UPDATE setting SET value = $1 WHERE key = 'hub'`, [value]);
      settings.forget();
    },
    async close() {
      await app.close();
      await database.drop();
    },
  };
}
