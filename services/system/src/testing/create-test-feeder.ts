import { SettingsReader } from '@birdhub/domain/settings';
import { createApp, type HubApp } from '@birdhub/shared/app';
import { createMetrics } from '@birdhub/shared/metrics';
import type { Clock } from '@birdhub/shared/time';
import { storeSettings, type TestDatabase } from '@birdhub/testing';
import { type ManualClock, manualClock } from '@birdhub/testing/clocks';
import { pino } from 'pino';
import { expect, vi } from 'vitest';
import { Feeder } from '../feeder/feeder.js';
import { feederRoutes } from '../feeder/feeder.routes.js';
import { MqttConnection } from '../mqtt/mqtt-connection.js';
import { startTestBroker, type TestBroker } from './test-broker.js';

/** A system service with only the feeder. */
export interface TestFeeder {
  readonly feeder: Feeder;
  readonly mqtt: MqttConnection;
  readonly settings: SettingsReader;
  post(
    caller?: string,
  ): Promise<{ status: number; body: Record<string, unknown>; retryAfter: string | undefined }>;
  /** Listens for real clients. Returns the address. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** Builds the service like `start.ts`; several on one database are replicas. */
export function createTestFeeder({ pool, prisma }: TestDatabase, clock: Clock): TestFeeder {
  const log = pino({ level: 'silent' });
  const settings = new SettingsReader({ pool, timezone: 'UTC', log });
  const mqtt = new MqttConnection(log);
  settings.watch((current) => mqtt.configure(current.mqtt));
  const feeder = new Feeder({ pool, prisma, settings, mqtt, clock, log });
  const app: HubApp = createApp({ log, metrics: createMetrics('system') });
  feederRoutes(app, { feeder });
  return {
    feeder,
    mqtt,
    settings,
    async post(caller = 'admin') {
      const response = await app.inject({
        method: 'POST',
        url: '/api/ui/feed/dispense',
        headers: { 'x-hub-caller': caller },
      });
      return {
        status: response.statusCode,
        body: response.json(),
        retryAfter: response.headers['retry-after']?.toString(),
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

/** A feeder with its own broker, and the services that control it. */
export interface FeederFixture {
  readonly broker: TestBroker;
  readonly clock: ManualClock;
  readonly hub: TestFeeder;
  /** Changes the settings of feeder and broker. */
  configure(feed?: object, mqtt?: object): Promise<void>;
  /** Starts another service of the same hub, which is closed with the fixture. */
  connect(): Promise<TestFeeder>;
  /** Returns the messages that the feeder has received. */
  messages(topic?: string): string[];
  /** Waits until the feeder has received exactly these messages. */
  waitForMessages(expected: readonly string[]): Promise<void>;
  /** Restarts a killed broker; earlier messages are lost. */
  restartBroker(): Promise<void>;
  /** Reads the devices that may be open from the database. */
  openRows(): Promise<unknown[]>;
  activities(): Promise<{ type: string; data: Record<string, unknown> }[]>;
  close(): Promise<void>;
}

/** The topic of the feeder. */
export const feederTopic = 'cmnd/drum/Power';

/** Options of `vi.waitFor`, long enough for a reconnect. */
export const reconnectWait = { interval: 20 };

/** Sets up an MQTT feeder that opens for 0.2 s, and a connected service. */
export async function setUpFeeder(database: TestDatabase, present: number): Promise<FeederFixture> {
  const { pool } = database;
  const clock = manualClock(present);
  const broker = await startTestBroker();
  let listener = await broker.listen();
  const services: TestFeeder[] = [];

  async function configure(feed: object = {}, mqtt: object = {}): Promise<void> {
    await storeSettings(pool, {
      mqtt: { broker: '127.0.0.1', port: broker.port, ...mqtt },
      feed: { source: 'mqtt', mqtt_topic: feederTopic, duration_seconds: 0.2, ...feed },
    });
    for (const { settings } of services) settings.forget();
  }

  async function connect(): Promise<TestFeeder> {
    const service = createTestFeeder(database, clock);
    services.push(service);
    await vi.waitFor(() => expect(service.mqtt.state()).toBe('ok'), reconnectWait);
    return service;
  }

  const messages = (topic = feederTopic) =>
    listener.messages.filter((message) => message.topic === topic).map(({ payload }) => payload);
  await pool.query('TRUNCATE activity_log, open_feeder');
  await configure();
  return {
    broker,
    clock,
    hub: await connect(),
    configure,
    connect,
    messages,
    waitForMessages: (expected) => vi.waitFor(() => expect(messages()).toEqual(expected), reconnectWait),
    async restartBroker() {
      await broker.start();
      listener = await broker.listen();
    },
    openRows: async () =>
      (await pool.query('SELECT device FROM open_feeder')).rows.map(({ device }) => device),
    activities: async () => (await pool.query('SELECT type, data FROM activity_log ORDER BY id')).rows,
    async close() {
      await Promise.all(services.map((service) => service.close()));
      await listener.close();
      await broker.kill();
    },
  };
}
