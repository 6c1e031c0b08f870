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
import { fixedClock, systemClock } from '@birdhub/shared/time';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
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

/** An ingest service on its own database, called by `inject`. */
export interface TestIngest {
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
  /** Sends JSON to a path below `/api/processor`, or an absolute one; a string is sent unchanged. */
  send(
    method: 'POST' | 'PUT' | 'HEAD' | 'GET' | 'PATCH' | 'DELETE',
    path: string,
    payload?: unknown,
    headers?: object,
    remoteAddress?: string,
  ): Promise<TestResponse>;
  post(path: string, payload?: unknown, headers?: object): Promise<TestResponse>;
  /** Starts the MQTT intake, like each process of the service. */
  startIntake(options?: Pick<MqttIntakeDeps, 'maxRetryMs'>): MqttIntake;
  /** Passes a correction to the consumer of sources. */
  publishCorrection(payload: object): Promise<void>;
  /** The source system, not started. */
  readonly sources: SourceSystem;
  /** The demo, not started. */
  readonly demo: Demo;
  /** The Prometheus text of the service. */
  metrics(): Promise<string>;
  /** Listens on a free port, for clients that `inject` cannot simulate; returns the address. */
  listen(): Promise<string>;
  rows<T extends object>(sql: string, values?: unknown[]): Promise<T[]>;
  /** Counts the rows of all tables that this service writes, to check that nothing was written. */
  countRows(): Promise<Record<string, number>>;
  setSettings(value: object): Promise<void>;
  close(): Promise<void>;
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

/** Builds the application as `start.ts` does, without ports and without a broker. */
export async function createTestIngest(
  options: {
    processorSecret?: string;
    internalSecret?: string;
    recordingsDir?: string;
    pictures?: Partial<Pick<SightingPicturesDeps, 'guard' | 'clock' | 'downloadTimeoutMs'>>;
    sources?: Partial<SourceSystemDeps>;
    demo?: Partial<DemoDeps>;
    liveView?: Partial<LiveViewDeps>;
    bodyMemory?: Limiter;
    /** The database of another service, which drops it. */
    database?: TestDatabase;
    uploads?: Pick<MediaUploadsDeps, 'maxConcurrency' | 'idleTimeoutMs' | 'removalDelayMs'> & {
      maxUploadBytes?: number;
    };
  } = {},
): Promise<TestIngest> {
  const database = options.database ?? (await createTestDatabase());
  const { pool } = database;
  const log = pino({ level: 'silent' });
  const notifier = new RememberingNotifier(pool, log);
  const directory = createSpeciesDirectory(pool, { onCreated: () => notifier.notify({ kind: 'species' }) });
  const settings = new SettingsReader({ pool, timezone: 'UTC', log });
  const clock = fixedClock(testNow);
  const writer = new RecordingWriter({ pool, directory, settings, notifier, clock });
  const disk = { freeBytes: 1e15 };
  const space = new SpaceGuard({
    pool,
    settings,
    readFreeBytes: async () => disk.freeBytes,
    log,
    checkIntervalMs: 20,
  });
  space.start();
  const folder = await mkdtemp(join(tmpdir(), 'ingest-'));
  const recordingsDir = options.recordingsDir ?? join(folder, 'recordings');
  const uploads = new MediaUploads({
    pool,
    recordingsDir,
    store: new UploadedMediaStore({ pool, notifier }),
    space,
    readFreeBytes: async () => disk.freeBytes,
    maxUploadBytes: 1_048_576,
    clock: systemClock,
    log,
    ...options.uploads,
  });
  const pictures = new SightingPictures({
    pool,
    recordingsDir,
    readFreeBytes: async () => disk.freeBytes,
    guard: createServiceGuard({ ownAddresses: [], guard: createOutgoingGuard('all') }),
    clock: systemClock,
    log,
    ...options.pictures,
  });
  const metrics = createMetrics('ingest');
  const deps = {
    pool,
    pictures,
    log,
    metrics,
    clock,
    settings,
    notifier,
    writer,
    space,
    activityLog: new ActivityLogStore({ pool, notifier, clock, log }),
    refusedMessages: new RefusedMessages(pool),
    bodyMemory: options.bodyMemory ?? createBodyMemory(),
  };
  const testSecrets = createSecretBox(givenKeys('test'));
  let handleCorrection: (event: { payload: object }) => Promise<void> | void = () => undefined;
  const sources = new SourceSystem({
    ...deps,
    notifier,
    database,
    bus: {
      consume(_options, handler) {
        handleCorrection = handler as unknown as typeof handleCorrection;
        return { ready: Promise.resolve(), close: async () => undefined };
      },
    },
    directory,
    secrets: testSecrets,
    recordingsDir,
    readFreeBytes: async () => disk.freeBytes,
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
  const demo = new Demo({
    ...deps,
    store: new DemoStore(database),
    settingsWriter: new SettingsWriter({ database, notifier, secrets: testSecrets, timezone: 'UTC' }),
    recordingsDir,
    clipsDir: join(folder, 'demo-clips'),
    ffmpegPath: 'ffmpeg',
    ...options.demo,
  });
  const app = createIngestApp({
    ...deps,
    demo,
    internalSecret: options.internalSecret,
    processorSecret: options.processorSecret,
    tokenAttempts: new TokenAttempts({ pool, log, kind: 'processor' }),
    activeSpecies: new ActiveSpeciesStore({ pool, directory, notifier }),
    notices: new DetectionNotices(deps),
    uploads,
    sources: sources.sources,
    liveView: new LiveView({
      guard: createServiceGuard({ ownAddresses: [] }),
      signingKey: 'test',
      ...options.liveView,
    }),
  });
  const intakes: MqttIntake[] = [];
  await app.ready();

  async function send(
    method: 'POST' | 'PUT' | 'HEAD' | 'GET' | 'PATCH' | 'DELETE',
    path: string,
    payload?: unknown,
    headers = {},
    remoteAddress = '127.0.0.1',
  ) {
    const text = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload);
    const response = await app.inject({
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

  async function rows<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
    return (await pool.query<T>(sql, values)).rows;
  }

  return {
    database,
    writer,
    directory,
    settings,
    disk,
    recordingsDir,
    uploads,
    pictures,
    sources,
    demo,
    publishCorrection: async (payload) => handleCorrection({ payload }),
    notified: notifier.notified,
    send,
    post: (path, payload, headers) => send('POST', path, payload, headers),
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    rows,
    countRows: async () => (await rows<Record<string, number>>(countSql))[0] ?? {},
    startIntake(options) {
      const intake = new MqttIntake({
        ...deps,
        metrics: intakes.length ? createMetrics('ingest') : metrics,
        state: new IntakeState(pool),
        ...options,
      });
      intakes.push(intake);
      intake.start();
      return intake;
    },
    metrics: () => metrics.registry.metrics(),
    async setSettings(value) {
      await pool.query(`UPDATE setting SET value = $1, version = version + 1 WHERE key = 'hub'`, [value]);
      settings.forget();
    },
    async close() {
      await Promise.all([...intakes.map((intake) => intake.stop()), sources.stop(), demo.stop()]);
      await settings.close();
      await space.stop();
      await app.close();
      await deps.activityLog.stop();
      await notifier.settled();
      if (!options.database) await database.drop();
      await rm(folder, { recursive: true });
    },
  };
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
