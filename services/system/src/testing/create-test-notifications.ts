import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostResult, RecordingWriter } from '@birdhub/domain/recordings';
import { SettingsReader, SettingsWriter } from '@birdhub/domain/settings';
import { createSpeciesDirectory } from '@birdhub/domain/species';
import { Bus } from '@birdhub/shared/bus';
import { ChangeNotifier } from '@birdhub/shared/db';
import type { EventMap } from '@birdhub/shared/events';
import { createOutgoingGuard, createServiceGuard, type OwnAddress } from '@birdhub/shared/outgoing';
import { openSecretBox } from '@birdhub/shared/secrets';
import { aRecording, createTestDatabase, startTestNats, type TestDatabase } from '@birdhub/testing';
import { type ManualClock, manualClock } from '@birdhub/testing/clocks';
import { type StubServer, startStubServer } from '@birdhub/testing/stub-server';
import { pino } from 'pino';
import { NotificationChannels } from '../channels/index.js';
import { addSubscription } from '../channels/push/subscriptions.store.js';
import type { MqttConnection } from '../mqtt/mqtt-connection.js';
import { type AlertRule, ruleDefaults } from '../notifications/alert-rule.js';
import { createRule } from '../notifications/alert-rules.store.js';
import { testMessage } from '../notifications/message.js';
import { startNotifications } from '../notifications/notifications.js';
import { noteDemoRecording } from './demo-recording.js';
import { createTestBrowser } from './test-browser.js';

/** A row of the delivery log. */
export interface LoggedDelivery {
  readonly channel: string;
  readonly state: string;
  readonly attempts: number;
  readonly error: string | null;
}

/** A process that sends notifications. */
export interface TestProcess {
  readonly channels: NotificationChannels;
  close(): Promise<void>;
}

/** Notifications with a database, a nats-server, a stub of external services and a manual clock. */
export interface TestNotifications {
  readonly database: TestDatabase;
  readonly stub: StubServer;
  readonly clock: ManualClock;
  readonly dataDir: string;
  readonly recordingsDir: string;
  /** Returns the log as text. */
  readonly logText: () => string;
  set(groups: Record<string, object>): Promise<void>;
  /** Replaces the rules; initially there is one for all visits. Returns their ids. */
  setRules(rules: readonly Partial<AlertRule>[]): Promise<number[]>;
  subscribe(path: string): Promise<ReturnType<typeof createTestBrowser>>;
  /** Starts a process; each event is handled by one of the running processes. */
  open(telegramApiUrl?: string, reportsUrl?: string): TestProcess;
  post(recording?: Parameters<typeof aRecording>[0]): Promise<PostResult>;
  /** Posts a recording of the demo. */
  postDemo(recording?: Parameters<typeof aRecording>[0]): Promise<PostResult>;
  /** Publishes the events of posts; with `again`, also those already published. */
  publish(again?: boolean): Promise<void>;
  /** Publishes the events of corrections after a row of the outbox. */
  publishCorrections(after: number): Promise<void>;
  notifyDetection(given?: Partial<EventMap['hub.v1.detection.notified']>, image?: Buffer): Promise<void>;
  deliveries(): Promise<LoggedDelivery[]>;
  close(): Promise<void>;
}

interface OutboxRow {
  readonly id: number;
  readonly subject: 'hub.v1.visit.started' | 'hub.v1.recording.upserted';
  readonly payload: EventMap['hub.v1.visit.started'] & EventMap['hub.v1.recording.upserted'];
}

/** Builds the components like `start.ts`; private addresses are allowed by default. */
export async function createTestNotifications(
  present: number,
  {
    allowsPrivate = true,
    ownAddresses = [] as readonly OwnAddress[],
    mqtt = { publish: async () => undefined } as Pick<MqttConnection, 'publish'>,
  } = {},
): Promise<TestNotifications> {
  const [database, nats, stub] = await Promise.all([
    createTestDatabase(),
    startTestNats(),
    startStubServer(() => ({ status: 201 })),
  ]);
  const { pool, prisma } = database;
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const clock = manualClock(present);
  const bus = new Bus({ url: nats.url, name: 'test', log });
  /** Each resolves when the broker has registered a consumer; earlier events may not reach it. */
  const ready: Promise<void>[] = [];
  const consume: Bus['consume'] = (...options) => {
    const subscription = bus.consume(...options);
    ready.push(subscription.ready);
    return subscription;
  };
  const notifier = new ChangeNotifier(pool, log);
  const secrets = openSecretBox({ secretsKey: 'a test', dataDir: '' });
  const settings = new SettingsReader({ pool, timezone: 'UTC', log, secrets });
  const settingsWriter = new SettingsWriter({ database, notifier, secrets, timezone: 'UTC' });
  const directory = createSpeciesDirectory(pool);
  const writer = new RecordingWriter({ pool, directory, settings, notifier, clock });
  const serviceGuard = createServiceGuard({
    ownAddresses,
    guard: createOutgoingGuard(allowsPrivate ? 'all' : 'public'),
  });
  const dataDir = await mkdtemp(join(tmpdir(), 'birdhub-channels-'));
  const recordingsDir = join(dataDir, 'recordings');
  await mkdir(recordingsDir);
  const opened = new Set<TestProcess>();
  let published = 0;
  let notices = 0;
  let corrections = 0;

  async function setRules(rules: readonly Partial<AlertRule>[]): Promise<number[]> {
    await pool.query('DELETE FROM alert_rule');
    const ids: number[] = [];
    for (const rule of rules) {
      const complete = { ...ruleDefaults, name: rule.when ?? 'rule', when: 'any_visit', ...rule } as const;
      ids.push(await createRule(database, complete));
    }
    return ids;
  }

  async function set(groups: Record<string, object>): Promise<void> {
    await settingsWriter.change(groups, { role: 'admin' });
    settings.forget();
  }

  function open(telegramApiUrl = stub.url, reportsUrl?: string): TestProcess {
    const { transaction } = database;
    const deps = { pool, prisma, settings, clock, log };
    const channels = new NotificationChannels({
      ...deps,
      transaction,
      settingsWriter,
      secrets,
      mqtt,
      guard: serviceGuard,
      serviceGuard,
      basePath: '',
      telegramApiUrl,
      dataDir,
      recordingsDir,
      testMessage,
    });
    channels.start();
    const config = { basePath: '', reportsUrl };
    const notifications = startNotifications({ ...deps, bus: { consume }, directory, channels, config });
    const process = {
      channels,
      async close() {
        opened.delete(process);
        await notifications.close();
        await channels.close();
      },
    };
    opened.add(process);
    return process;
  }

  async function publish(again = false): Promise<void> {
    await Promise.all(ready);
    const text = 'SELECT id, subject, payload FROM outbox WHERE id > $1 AND subject = ANY ($2) ORDER BY id';
    const subjects = ['hub.v1.visit.started', 'hub.v1.recording.upserted'];
    const { rows } = await pool.query<OutboxRow>(text, [again ? 0 : published, subjects]);
    for (const { id, subject, payload } of rows) {
      await bus.publish(subject, payload, { id: again ? `${id}-again` : String(id) });
      published = Math.max(published, id);
    }
  }

  await set({ general: { enable_notifications: true } });
  await setRules([{ when: 'any_visit' }]);
  return {
    database,
    stub,
    clock,
    dataDir,
    recordingsDir,
    logText: () => lines.join(''),
    set,
    setRules,
    open,
    publish,
    async subscribe(path) {
      const browser = createTestBrowser(`${stub.url}/${path}`);
      await addSubscription(database, { ...browser.subscription, address: null });
      return browser;
    },
    async post(recording = {}) {
      const result = await writer.post(aRecording({ start: clock.now() - 10_000, ...recording }), 'test');
      await publish();
      return result;
    },
    async postDemo(recording = {}) {
      const posted = aRecording({ start: clock.now() - 10_000, ...recording });
      const result = await writer.post(posted, 'demo', { alsoWrite: noteDemoRecording });
      await publish();
      return result;
    },
    async publishCorrections(after) {
      await Promise.all(ready);
      const text = `SELECT id, payload FROM outbox WHERE id > $1 AND subject = 'hub.v1.detection.corrected' ORDER BY id`;
      const { rows } = await pool.query<{ id: number; payload: EventMap['hub.v1.detection.corrected'] }>(
        text,
        [after],
      );
      for (const { id, payload } of rows) {
        corrections += 1;
        await bus.publish('hub.v1.detection.corrected', payload, { id: `${id}-${corrections}` });
      }
    },
    async notifyDetection(given = {}, image) {
      notices += 1;
      const { rows } = await pool.query<{ id: number }>(
        `INSERT INTO detection_notice (species_name, image, notified_at) VALUES ('', $1, now()) RETURNING id`,
        [image],
      );
      const payload = {
        notice_id: String(rows[0]?.id),
        species_name: 'Great Tit',
        link: null,
        image_path: null,
        has_image: image !== undefined,
        notified_at: new Date(clock.now()).toISOString(),
        ...given,
      };
      await Promise.all(ready);
      await bus.publish('hub.v1.detection.notified', payload, { id: `notice-${notices}` });
    },
    async deliveries() {
      const text = 'SELECT channel, state, attempts, error FROM push_delivery ORDER BY id';
      return (await pool.query<LoggedDelivery>(text)).rows;
    },
    async close() {
      await stub.stop();
      await Promise.all([...opened].map((process) => process.close()));
      await bus.close();
      await nats.stop();
      await notifier.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
