import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordingWriter } from '@birdhub/domain/recordings';
import { SettingsReader, SettingsWriter } from '@birdhub/domain/settings';
import { createSpeciesDirectory, type SpeciesDirectory } from '@birdhub/domain/species';
import type { Limiter } from '@birdhub/shared/async';
import { TokenAttempts } from '@birdhub/shared/attempts';
import { type Change, ChangeNotifier } from '@birdhub/shared/db';
import { createMetrics } from '@birdhub/shared/metrics';
import { createOutgoingGuard, createServiceGuard } from '@birdhub/shared/outgoing';
import { createSecretBox, givenKeys } from '@birdhub/shared/secrets';
import { systemClock } from '@birdhub/shared/time';
import { createTestDatabase, storeSettings, type TestDatabase } from '@birdhub/testing';
import { fixedClock } from '@birdhub/testing/clocks';
import { pino } from 'pino';
import { ActiveSpeciesStore } from '../active-species/active-species.store.js';
import { ActivityLogStore } from '../activity-log/activity-log.store.js';
import { createIngestApp } from '../app.js';
import { createBodyMemory } from '../body-memory.js';
import { Demo, type DemoDeps } from '../demo/demo.js';
import { DemoStore } from '../demo/demo.store.js';
import { DetectionNotices } from '../detection-notices/detection-notices.store.js';
import { LiveView, type LiveViewDeps } from '../live-view/live-view.js';
import { MediaUploads, type MediaUploadsDeps } from '../media-upload/media-uploads.js';
import { UploadedMediaStore } from '../media-upload/uploaded-media.store.js';
import { IntakeState } from '../mqtt-posts/intake-state.store.js';
import { MqttIntake, type MqttIntakeDeps } from '../mqtt-posts/mqtt-intake.js';
import { RefusedMessages } from '../mqtt-posts/refused-messages.store.js';
import { SightingPictures, type SightingPicturesDeps } from '../sightings/sighting-pictures.js';
import { SourceSystem, type SourceSystemDeps } from '../sources/source-system.js';
import { SpaceGuard } from '../space-guard.js';

/** The current time of ingest tests; recordings start an hour earlier. */
export const testNow = Date.UTC(2026, 4, 1, 12);

/** The response of a route. */
export interface TestResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any body and fail when it has another shape
  readonly body: any;
  readonly headers: Record<string, unknown>;
}

/** Options of {@link createTestIngest}. */
export interface TestIngestOptions {
  readonly processorSecret?: string;
  readonly internalSecret?: string;
  readonly recordingsDir?: string;
  readonly pictures?: Partial<Pick<SightingPicturesDeps, 'guard' | 'clock' | 'downloadTimeoutMs'>>;
  readonly sources?: Partial<SourceSystemDeps>;
  readonly demo?: Partial<DemoDeps>;
  readonly liveView?: Partial<LiveViewDeps>;
  readonly bodyMemory?: Limiter;
  /** The database of another service, which drops it. */
  readonly database?: TestDatabase;
  readonly uploads?: Pick<
    MediaUploadsDeps,
    'maxConcurrency' | 'idleTimeoutMs' | 'removalDelayMs' | 'spaceStepBytes'
  > & {
    maxUploadBytes?: number;
  };
}

const countedTables = [
  'video',
  'detection',
  'species_visit',
  'species',
  'camera',
  'outbox',
  'activity_log',
  'processor_heartbeat',
  'processor_activity',
  'detection_notice',
];

const countSql = `SELECT ${countedTables.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`).join(', ')}`;

/** Keeps the changes that it notifies of. */
class RememberingNotifier extends ChangeNotifier {
  readonly notified: Change[] = [];

  override notify(change: Change): void {
    this.notified.push(change);
    super.notify(change);
  }
}

type Storage = ReturnType<typeof buildStorage>;

/** Builds what the routes and the sources store with. */
function buildStorage(database: TestDatabase, folder: string, options: TestIngestOptions) {
  const { pool } = database;
  const log = pino({ level: 'silent' });
  const notifier = new RememberingNotifier(pool, log);
  const directory = createSpeciesDirectory(pool, { onCreated: () => notifier.notify({ kind: 'species' }) });
  const settings = new SettingsReader({ pool, timezone: 'UTC', log });
  const clock = fixedClock(testNow);
  const disk = { freeBytes: 1e15 };
  const readFreeBytes = async () => disk.freeBytes;
  const space = new SpaceGuard({ pool, settings, readFreeBytes, log, checkIntervalMs: 20 });
  const recordingsDir = options.recordingsDir ?? join(folder, 'recordings');
  return {
    ...{ database, pool, log, notifier, directory, settings, disk, readFreeBytes, space, recordingsDir },
    metrics: createMetrics('ingest'),
    clock,
    writer: new RecordingWriter({ pool, directory, settings, notifier, clock }),
    activityLog: new ActivityLogStore({ pool, notifier, clock, log }),
    refusedMessages: new RefusedMessages(pool),
    bodyMemory: options.bodyMemory ?? createBodyMemory(),
    uploads: new MediaUploads({
      ...{ pool, recordingsDir, space, readFreeBytes, log },
      store: new UploadedMediaStore({ pool, notifier }),
      maxUploadBytes: 1_048_576,
      clock: systemClock,
      ...options.uploads,
    }),
    pictures: new SightingPictures({
      ...{ pool, recordingsDir, readFreeBytes, log },
      guard: createServiceGuard({ ownAddresses: [], guard: createOutgoingGuard('all') }),
      clock: systemClock,
      ...options.pictures,
    }),
  };
}

type Correction = (event: { payload: object }) => Promise<void> | void;

/** Builds the sources and the demo; `onConsume` gets the consumer of corrections. */
function buildSources(
  storage: Storage,
  folder: string,
  options: TestIngestOptions,
  onConsume: (handle: Correction) => void,
) {
  const secrets = createSecretBox(givenKeys('test'));
  const sources = new SourceSystem({
    ...storage,
    secrets,
    bus: {
      consume(_options, handler) {
        onConsume(handler as unknown as Correction);
        return { ready: Promise.resolve(), close: async () => undefined };
      },
    },
    maxFileBytes: 1_048_576,
    tools: { ffmpegPath: 'ffmpeg', ffprobePath: 'ffprobe' },
    kinds: {},
    guard: createServiceGuard({ ownAddresses: [] }),
    ownFolders: [folder],
    intervals: {
      pollIntervalMs: 200,
      checkIntervalMs: 50,
      removalDelayMs: 0,
      jobPollMs: 100,
      importRetryMs: 10,
    },
    ...options.sources,
  });
  const { database, notifier } = storage;
  const demo = new Demo({
    ...storage,
    store: new DemoStore(database),
    settingsWriter: new SettingsWriter({ database, notifier, secrets, timezone: 'UTC' }),
    clipsDir: join(folder, 'demo-clips'),
    ffmpegPath: 'ffmpeg',
    ...options.demo,
  });
  return { sources, demo };
}

function buildApp(
  storage: Storage,
  { sources, demo }: ReturnType<typeof buildSources>,
  { internalSecret, processorSecret, liveView }: TestIngestOptions,
) {
  const { pool, log, directory, notifier } = storage;
  return createIngestApp({
    ...storage,
    demo,
    internalSecret,
    processorSecret,
    tokenAttempts: new TokenAttempts({ pool, log, kind: 'processor' }),
    activeSpecies: new ActiveSpeciesStore({ pool, directory, notifier }),
    notices: new DetectionNotices(storage),
    sources: sources.sources,
    liveView: new LiveView({
      guard: createServiceGuard({ ownAddresses: [] }),
      signingKey: 'test',
      ...liveView,
    }),
  });
}

/** An ingest service on its own database, called by `inject`. */
export class TestIngest {
  readonly database: TestDatabase;
  readonly writer: RecordingWriter;
  readonly directory: SpeciesDirectory;
  readonly settings: SettingsReader;
  /** The simulated disk. */
  readonly disk: { freeBytes: number };
  readonly recordingsDir: string;
  readonly uploads: MediaUploads;
  readonly pictures: SightingPictures;
  /** All changes notified so far. */
  readonly notified: readonly Change[];
  /** The source system, not started. */
  readonly sources: SourceSystem;
  /** The demo, not started. */
  readonly demo: Demo;
  readonly #storage: Storage;
  readonly #folder: string;
  readonly #ownsDatabase: boolean;
  readonly #app: ReturnType<typeof buildApp>;
  readonly #intakes: MqttIntake[] = [];
  #handleCorrection: Correction = () => undefined;

  /** Builds the application as `start.ts` does, without ports and without a broker. */
  constructor(database: TestDatabase, folder: string, options: TestIngestOptions) {
    const storage = buildStorage(database, folder, options);
    const sources = buildSources(storage, folder, options, (handle) => {
      this.#handleCorrection = handle;
    });
    this.database = database;
    this.writer = storage.writer;
    this.directory = storage.directory;
    this.settings = storage.settings;
    this.disk = storage.disk;
    this.recordingsDir = storage.recordingsDir;
    this.uploads = storage.uploads;
    this.pictures = storage.pictures;
    this.notified = storage.notifier.notified;
    this.sources = sources.sources;
    this.demo = sources.demo;
    this.#storage = storage;
    this.#folder = folder;
    this.#ownsDatabase = options.database === undefined;
    this.#app = buildApp(storage, sources, options);
  }

  async start(): Promise<void> {
    this.#storage.space.start();
    await this.#app.ready();
  }

  /** Sends JSON to a path below `/api/processor`, or an absolute one; a string is sent unchanged. */
  async send(
    method: 'POST' | 'PUT' | 'HEAD' | 'GET' | 'PATCH' | 'DELETE',
    path: string,
    payload?: unknown,
    headers: object = {},
    remoteAddress = '127.0.0.1',
  ): Promise<TestResponse> {
    const text = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload);
    const response = await this.#app.inject({
      method,
      url: path.startsWith('/api/') ? path : `/api/processor${path}`,
      remoteAddress,
      ...(text !== undefined && { payload: text }),
      headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
    });
    return {
      status: response.statusCode,
      body: response.body === '' ? undefined : JSON.parse(response.body),
      headers: response.headers,
    };
  }

  post(path: string, payload?: unknown, headers?: object): Promise<TestResponse> {
    return this.send('POST', path, payload, headers);
  }

  /** Starts the MQTT intake, like each process of the service. */
  startIntake(options?: Pick<MqttIntakeDeps, 'maxRetryMs'>): MqttIntake {
    const intake = new MqttIntake({
      ...this.#storage,
      metrics: this.#intakes.length ? createMetrics('ingest') : this.#storage.metrics,
      state: new IntakeState(this.database.pool),
      ...options,
    });
    this.#intakes.push(intake);
    intake.start();
    return intake;
  }

  /** Passes a correction to the consumer of sources. */
  async publishCorrection(payload: object): Promise<void> {
    await this.#handleCorrection({ payload });
  }

  /** Returns the Prometheus text of the service. */
  metrics(): Promise<string> {
    return this.#storage.metrics.registry.metrics();
  }

  /** Listens on a free port, for clients that `inject` cannot simulate; returns the address. */
  listen(): Promise<string> {
    return this.#app.listen({ host: '127.0.0.1', port: 0 });
  }

  async rows<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
    return (await this.database.pool.query<T>(sql, values)).rows;
  }

  /** Counts the rows of all tables that this service writes, to check that nothing was written. */
  async countRows(): Promise<Record<string, number>> {
    return (await this.rows<Record<string, number>>(countSql))[0] ?? {};
  }

  async setSettings(value: object): Promise<void> {
    await storeSettings(this.database.pool, value);
    this.settings.forget();
  }

  async close(): Promise<void> {
    const { space, activityLog, notifier } = this.#storage;
    await Promise.all([
      ...this.#intakes.map((intake) => intake.stop()),
      this.sources.stop(),
      this.demo.stop(),
    ]);
    await this.settings.close();
    await space.stop();
    await this.#app.close();
    await activityLog.stop();
    await notifier.settled();
    if (this.#ownsDatabase) await this.database.drop();
    await rm(this.#folder, { recursive: true });
  }
}

/** Creates and starts an ingest service. */
export async function createTestIngest(options: TestIngestOptions = {}): Promise<TestIngest> {
  const database = options.database ?? (await createTestDatabase());
  const ingest = new TestIngest(database, await mkdtemp(join(tmpdir(), 'ingest-')), options);
  await ingest.start();
  return ingest;
}

const hour = 3_600_000;

/** A JSON body. */
export type Body = Record<string, unknown>;

/** Returns a posted detection, by default a great tit in the first two seconds. */
export function aDetectionBody(given: Body = {}): Body {
  return {
    species_name: 'Great Tit',
    confidence: 0.9,
    start_time: 0,
    end_time: 2,
    source: 'video',
    ...given,
  };
}

/** Returns a posted recording, by default ten seconds long, an hour ago, with one detection. */
export function aRecordingBody(given: Body = {}): Body {
  const start = testNow - hour;
  return {
    processor_version: '1.0',
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + 10_000).toISOString(),
    video_path: '2026/05/01/110000/video.mp4',
    camera_id: 'garden',
    species: [aDetectionBody()],
    ...given,
  };
}

/** Returns start and end of a ten-second recording that begins `seconds` after the default one. */
export function startingAt(seconds: number): Body {
  const start = testNow - hour + seconds * 1000;
  return {
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + 10_000).toISOString(),
  };
}
