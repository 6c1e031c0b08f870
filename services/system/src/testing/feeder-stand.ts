import { type ManualClock, manualClock } from '@birdhub/shared/time';
import type { TestDatabase } from '@birdhub/testing';
import { expect, vi } from 'vitest';
import { createTestFeeder, storeSettings, type TestFeeder } from './create-test-feeder.js';
import { startTestBroker, type TestBroker } from './test-broker.js';

/** A feeder at a broker of its own, and the services that drive it. */
export interface FeederStand {
  readonly broker: TestBroker;
  readonly clock: ManualClock;
  readonly hub: TestFeeder;
  /** Has the services read other settings of the feeder and the broker. */
  configure(feed?: object, mqtt?: object): Promise<void>;
  /** Another service of the same hub, closed with the stand. */
  connect(): Promise<TestFeeder>;
  /** What the feeder was told so far. */
  words(topic?: string): string[];
  /** Waits until it was told just this. */
  heard(expected: readonly string[]): Promise<void>;
  /** Listens again at a broker that was killed; what was heard before is forgotten. */
  restartBroker(): Promise<void>;
  /** Devices that may be open, as the database knows. */
  openRows(): Promise<unknown[]>;
  noted(): Promise<{ type: string; data: Record<string, unknown> }[]>;
  close(): Promise<void>;
}

/** The topic of the feeder on the stand. */
export const feederTopic = 'cmnd/drum/Power';

/** Long enough for a connection to be made again. */
export const soon = { timeout: 8_000, interval: 20 };

/** Sets a feeder up by MQTT that is open for 0.2 s, and a service that is connected. */
export async function setUpFeeder(database: TestDatabase, present: number): Promise<FeederStand> {
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
    await vi.waitFor(() => expect(service.mqtt.state()).toBe('ok'), soon);
    return service;
  }

  const words = (topic = feederTopic) =>
    listener.seen.filter((seen) => seen.topic === topic).map(({ payload }) => payload);
  await pool.query('TRUNCATE activity_log, open_feeder');
  await configure();
  return {
    broker,
    clock,
    hub: await connect(),
    configure,
    connect,
    words,
    heard: (expected) => vi.waitFor(() => expect(words()).toEqual(expected), soon),
    async restartBroker() {
      await broker.start();
      listener = await broker.listen();
    },
    openRows: async () =>
      (await pool.query('SELECT device FROM open_feeder')).rows.map(({ device }) => device),
    noted: async () => (await pool.query('SELECT type, data FROM activity_log ORDER BY id')).rows,
    async close() {
      await Promise.all(services.map((service) => service.close()));
      await listener.close();
      await broker.kill();
    },
  };
}
