import { createSettingsReader, type SettingsReader } from '@birdhub/domain/settings';
import { createApp, type HubApp } from '@birdhub/shared/app';
import { createMetrics } from '@birdhub/shared/metrics';
import type { Clock } from '@birdhub/shared/time';
import type { TestDatabase } from '@birdhub/testing';
import type pg from 'pg';
import { pino } from 'pino';
import { type Feeder, openFeeder } from '../feeder/feeder.js';
import { feederRoutes } from '../feeder/feeder.routes.js';
import { createMqttLink, type MqttLink } from '../mqtt/mqtt-link.js';

/** A system service that can do no more than give portions. */
export interface TestFeeder {
  readonly feeder: Feeder;
  readonly mqtt: MqttLink;
  readonly settings: SettingsReader;
  post(
    caller?: string,
  ): Promise<{ status: number; body: Record<string, unknown>; retryAfter: string | undefined }>;
  /** Listens for real clients and answers the address. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** Replaces the settings in the database. */
export async function storeSettings(pool: pg.Pool, groups: object): Promise<void> {
  await pool.query(`UPDATE setting SET value = $1, version = version + 1 WHERE key = 'hub'`, [groups]);
}

/** Builds it as `start.ts` does; several on one database are replicas. */
export function createTestFeeder({ pool, prisma }: TestDatabase, clock: Clock): TestFeeder {
  const log = pino({ level: 'silent' });
  const settings = createSettingsReader({ pool, timezone: 'UTC', log });
  const mqtt = createMqttLink(log);
  settings.watch((current) => mqtt.follow(current.mqtt));
  const feeder = openFeeder({ pool, prisma, settings, mqtt, clock, log });
  const app: HubApp = createApp({ log, metrics: createMetrics('system') });
  feederRoutes(app, { feeder });
  return {
    feeder,
    mqtt,
    settings,
    async post(caller = 'admin') {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/ui/feed/dispense',
        headers: { 'x-hub-caller': caller },
      });
      return {
        status: answer.statusCode,
        body: answer.json(),
        retryAfter: answer.headers['retry-after']?.toString(),
      };
    },
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    async close() {
      await app.close();
      await feeder.close();
      settings.close();
      await mqtt.close();
    },
  };
}
