import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostResult, RecordingWriter } from '@birdhub/domain/recordings';
import { SettingsReader } from '@birdhub/domain/settings';
import { createSpeciesDirectory } from '@birdhub/domain/species';
import { Bus } from '@birdhub/shared/bus';
import { ChangeNotifier } from '@birdhub/shared/db';
import { createOutboxRelay } from '@birdhub/shared/outbox';
import {
  aRecording,
  createTestDatabase,
  startTestNats,
  storeSettings,
  type TestDatabase,
} from '@birdhub/testing';
import { type ManualClock, manualClock } from '@birdhub/testing/clocks';
import { pino } from 'pino';
import { startMqtt } from '../components.js';
import { noteDemoRecording } from './demo-recording.js';
import { startTestBroker, type TestBroker } from './test-broker.js';

/** The hub's MQTT components with their own database, event stream and broker. */
export interface TestMqtt {
  readonly database: TestDatabase;
  readonly broker: TestBroker;
  readonly bus: Bus;
  readonly clock: ManualClock;
  readonly writer: RecordingWriter;
  readonly settings: SettingsReader;
  readonly dataDir: string;
  /** Returns the number of requested portions of food. */
  portions(): number;
  post(recording?: Parameters<typeof aRecording>[0]): Promise<PostResult>;
  /** Posts a recording of the demo. */
  postDemo(recording?: Parameters<typeof aRecording>[0]): Promise<PostResult>;
  /** Replaces groups of the settings; the broker defaults to that of the test. */
  setSettings(groups?: Record<string, object>): Promise<void>;
  close(): Promise<void>;
}

/** Builds the components like `start.ts`, and relays the outbox like ingest. */
export async function createTestMqtt(present: number): Promise<TestMqtt> {
  const [database, nats, broker] = await Promise.all([
    createTestDatabase(),
    startTestNats(),
    startTestBroker(),
  ]);
  const { pool } = database;
  const dataDir = await mkdtemp(join(tmpdir(), 'birdhub-mqtt-'));
  const log = pino({ level: 'silent' });
  const clock = manualClock(present);
  const bus = new Bus({ url: nats.url, name: 'test', log });
  const settings = new SettingsReader({ pool, timezone: 'UTC', log });
  const notifier = new ChangeNotifier(pool, log);
  const directory = createSpeciesDirectory(pool);
  const writer = new RecordingWriter({ pool, directory, settings, notifier, clock });
  const relay = createOutboxRelay({ pool, bus, log });
  notifier.onNotice(() => relay.wake());
  relay.start();

  async function setSettings(groups: Record<string, object> = {}): Promise<void> {
    const mqtt = { broker: '127.0.0.1', port: broker.port, ...groups['mqtt'] };
    await storeSettings(pool, { ...groups, mqtt });
    settings.forget();
  }

  await setSettings();
  const folders = { basePath: '', dataDir, recordingsDir: join(dataDir, 'recordings') };
  let portions = 0;
  const feed = async () => {
    portions += 1;
  };
  const components = startMqtt({ bus, settings, pool, clock, log, feed, ...folders });
  return {
    database,
    broker,
    bus,
    clock,
    writer,
    settings,
    dataDir,
    portions: () => portions,
    setSettings,
    post: (recording) => writer.post(aRecording(recording), 'test'),
    postDemo: (recording) => writer.post(aRecording(recording), 'demo', { alsoWrite: noteDemoRecording }),
    async close() {
      await components.close();
      settings.close();
      await relay.stop();
      await notifier.close();
      await bus.close();
      await Promise.all([broker.kill(), nats.stop()]);
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
