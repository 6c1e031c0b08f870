import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { RecordingWriter } from '@birdhub/domain/recordings';
import { openSettings, SettingsWriter } from '@birdhub/domain/settings';
import {
  concernsSpecies,
  createSpeciesDirectory,
  type SpeciesDirectory,
  SpeciesEditor,
} from '@birdhub/domain/species';
import { readFreeBytesOf } from '@birdhub/domain/storage';
import { type RunningService, startService } from '@birdhub/shared/app';
import { TokenAttempts } from '@birdhub/shared/attempts';
import { Bus } from '@birdhub/shared/bus';
import { foldersOf, readConfig } from '@birdhub/shared/config';
import { ChangeNotifier, openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import { addOutboxMetrics, addPoolMetrics, createMetrics } from '@birdhub/shared/metrics';
import { createOutboxRelay } from '@birdhub/shared/outbox';
import { createOutgoingGuard, createServiceGuard, ownAddressesOf } from '@birdhub/shared/outgoing';
import { openSecretBox } from '@birdhub/shared/secrets';
import { hostTimeZone, systemClock } from '@birdhub/shared/time';
import { ActiveSpeciesStore } from './active-species/active-species.store.js';
import { ActivityLogStore } from './activity-log/activity-log.store.js';
import { createIngestApp } from './app.js';
import { createBodyMemory } from './body-memory.js';
import { ingestConfig } from './config.js';
import { Demo } from './demo/demo.js';
import { DemoStore } from './demo/demo.store.js';
import { DetectionNotices } from './detection-notices/detection-notices.store.js';
import { LiveView } from './live-view/live-view.js';
import { MediaUploads } from './media-upload/media-uploads.js';
import { UploadedMediaStore } from './media-upload/uploaded-media.store.js';
import { IntakeState } from './mqtt-posts/intake-state.store.js';
import { MqttIntake } from './mqtt-posts/mqtt-intake.js';
import { RefusedMessages } from './mqtt-posts/refused-messages.store.js';
import { SightingPictures } from './sightings/sighting-pictures.js';
import { sourceKinds } from './sources/source-kinds.js';
import { SourceSystem } from './sources/source-system.js';
import { SpaceGuard } from './space-guard.js';

const name = 'ingest';

/** Starts the ingest service: the API of processors and the outbox relay. */
export async function startIngest(env: NodeJS.ProcessEnv): Promise<RunningService> {
  const config = readConfig(ingestConfig, env);
  const log = createLog(name, config.logLevel);
  const metrics = createMetrics(name);
  const { databaseUrl: url, databasePoolSize: max } = config;
  const database = openDatabase({ url, max, name, log, queryTimeoutMs: 30_000 });
  addPoolMetrics(metrics, database.pool);
  const { pool } = database;
  const bus = new Bus({ url: config.natsUrl, name, log, metrics });
  const notifier = new ChangeNotifier(pool, log);
  const directory: SpeciesDirectory = createSpeciesDirectory(pool, {
    onCreated: () => notifier.notify({ kind: 'species' }),
    merge: (from, into) =>
      editor
        .merge(from, into, randomUUID())
        .catch((error) => log.warn({ err: error, from, into }, 'species not merged')),
  });
  const editor = new SpeciesEditor({ pool, directory, notifier });
  const relay = createOutboxRelay({ pool, bus, log });
  addOutboxMetrics(metrics, () => relay.pending());
  notifier.onNotice(() => relay.wake());

  const hostZone = hostTimeZone(config.tz);
  const secrets = openSecretBox(config);
  const { settings, listener } = openSettings({
    pool,
    url,
    hostZone,
    log,
    secrets,
    handlers: {
      onNotice({ changes }) {
        relay.wake();
        if (concernsSpecies(changes)) directory.forget();
      },
      onGap: () => directory.forget(),
    },
  });
  const { dataDir, recordingsDir } = foldersOf(config);
  const readFreeBytes = readFreeBytesOf(recordingsDir);
  const space = new SpaceGuard({ pool, settings, readFreeBytes, log });
  const uploads = new MediaUploads({
    pool,
    recordingsDir,
    store: new UploadedMediaStore({ pool, notifier }),
    space,
    readFreeBytes,
    maxUploadBytes: config.maxUploadMb * 1_048_576,
    clock: systemClock,
    log,
  });
  const ownAddresses = ownAddressesOf(config);
  const pictures = new SightingPictures({
    pool,
    recordingsDir,
    readFreeBytes,
    guard: createServiceGuard({
      ownAddresses,
      guard: createOutgoingGuard('network'),
      refusesMachine: true,
    }),
    clock: systemClock,
    log,
  });
  const refusedMessages = new RefusedMessages(pool);
  const deps = {
    pool,
    pictures,
    log,
    metrics,
    clock: systemClock,
    settings,
    notifier,
    writer: new RecordingWriter({ pool, directory, settings, notifier }),
    space,
    activityLog: new ActivityLogStore({ pool, notifier }),
    refusedMessages,
    bodyMemory: createBodyMemory(),
  };
  const guard = createServiceGuard({ ownAddresses });
  const sources = new SourceSystem({
    ...deps,
    database,
    bus,
    directory,
    secrets,
    recordingsDir,
    readFreeBytes,
    maxFileBytes: config.maxUploadMb * 1_048_576,
    tools: config,
    kinds: sourceKinds,
    guard,
    ownFolders: [dataDir, recordingsDir],
  });
  const demo = new Demo({
    ...deps,
    store: new DemoStore(database),
    settingsWriter: new SettingsWriter({ database, notifier, secrets, timezone: hostZone }),
    recordingsDir,
    clipsDir: join(dataDir, 'demo-clips'),
    ffmpegPath: config.ffmpegPath,
  });
  const app = createIngestApp({
    ...deps,
    demo,
    internalSecret: config.internalSecret,
    processorSecret: config.processorSecret,
    tokenAttempts: new TokenAttempts({ pool, log, kind: 'processor' }),
    activeSpecies: new ActiveSpeciesStore({ pool, directory, notifier }),
    notices: new DetectionNotices({ pool, notifier }),
    uploads,
    sources: sources.sources,
    liveView: new LiveView({ guard, signingKey: `${config.internalSecret ?? ''} ${url}` }),
  });
  const mqttIntake = new MqttIntake({ ...deps, state: new IntakeState(pool) });
  relay.start();
  uploads.start();
  pictures.start();
  space.start();
  mqttIntake.start();
  sources.start();
  demo.start();
  return startService({
    name,
    app,
    config,
    log,
    metrics,
    probes: { database: () => pool.query('SELECT 1'), broker: () => bus.status() === 'ok' },
    release: [
      () => Promise.all([mqttIntake.stop(), sources.stop(), demo.stop()]),
      () => relay.stop(),
      () => pictures.stop(),
      () => space.stop(),
      () => listener.close(),
      () => notifier.close(),
      () => bus.close(),
      () => database.close(),
    ],
  });
}

export { createIngestApp } from './app.js';
