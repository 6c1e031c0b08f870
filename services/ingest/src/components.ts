import { join } from 'node:path';
import { RecordingWriter } from '@birdhub/domain/recordings';
import type { SettingsReader, SettingsWriter } from '@birdhub/domain/settings';
import type { SpeciesDirectory } from '@birdhub/domain/species';
import { readFreeBytesOf } from '@birdhub/domain/storage';
import type { Bus } from '@birdhub/shared/bus';
import { foldersOf } from '@birdhub/shared/config';
import type { ChangeNotifier, Database } from '@birdhub/shared/db';
import type { ServiceMetrics } from '@birdhub/shared/metrics';
import { createOutgoingGuard, createServiceGuard, ownAddressesOf } from '@birdhub/shared/outgoing';
import type { SecretBox } from '@birdhub/shared/secrets';
import type { Clock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import type { Static } from 'typebox';
import { ActivityLogStore } from './activity-log/activity-log.store.js';
import type { IngestDeps } from './app.js';
import { createBodyMemory } from './body-memory.js';
import type { ingestConfig } from './config.js';
import { Demo } from './demo/demo.js';
import { DemoStore } from './demo/demo.store.js';
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

/** Dependencies of the components. */
export interface ComponentDeps extends Pick<Database, 'pool'> {
  readonly database: Database;
  readonly bus: Bus;
  readonly notifier: ChangeNotifier;
  readonly directory: SpeciesDirectory;
  readonly settings: SettingsReader;
  readonly settingsWriter: SettingsWriter;
  readonly secrets: SecretBox;
  readonly metrics: ServiceMetrics;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: Static<typeof ingestConfig>;
}

/** The running components that routes use. */
export type Components = Pick<
  IngestDeps,
  | 'space'
  | 'uploads'
  | 'pictures'
  | 'writer'
  | 'activityLog'
  | 'refusedMessages'
  | 'bodyMemory'
  | 'sources'
  | 'liveView'
  | 'demo'
>;

type Close = () => Promise<unknown>;

/** Starts all background components. `release` closes them, in order, except uploads and the live view: see the app. */
export function startComponents(deps: ComponentDeps): Components & { readonly release: readonly Close[] } {
  const { pool, config } = deps;
  const { dataDir, recordingsDir } = foldersOf(config);
  const maxFileBytes = config.maxUploadMb * 1_048_576;
  const storageDeps = { ...deps, recordingsDir, readFreeBytes: readFreeBytesOf(recordingsDir) };
  const { close: closeStorage, ...storage } = startStorage({ ...storageDeps, maxUploadBytes: maxFileBytes });
  const routeDeps = {
    ...storage,
    writer: new RecordingWriter(deps),
    activityLog: new ActivityLogStore(deps),
    refusedMessages: new RefusedMessages(pool),
    bodyMemory: createBodyMemory(),
  };
  const sourceGuard = createServiceGuard({ ownAddresses: ownAddressesOf(config) });
  const mqttIntake = new MqttIntake({ ...deps, ...routeDeps, state: new IntakeState(pool) });
  const sourceSystem = new SourceSystem({
    ...storageDeps,
    ...routeDeps,
    maxFileBytes,
    tools: config,
    kinds: sourceKinds,
    guard: sourceGuard,
    ownFolders: [dataDir, recordingsDir],
  });
  const demo = new Demo({
    ...storageDeps,
    ...routeDeps,
    store: new DemoStore(deps.database),
    clipsDir: join(dataDir, 'demo-clips'),
    ffmpegPath: config.ffmpegPath,
  });
  const signingKey = `${config.internalSecret ?? ''} ${config.databaseUrl}`;
  const liveView = new LiveView({ guard: sourceGuard, signingKey });
  mqttIntake.start();
  sourceSystem.start();
  demo.start();
  const closePosts = () => Promise.all([mqttIntake.stop(), sourceSystem.stop(), demo.stop()]);
  const stopDeleting = () => routeDeps.activityLog.stop();
  return {
    ...routeDeps,
    sources: sourceSystem.sources,
    liveView,
    demo,
    release: [closePosts, stopDeleting, closeStorage],
  };
}

interface StorageDeps extends ComponentDeps {
  readonly recordingsDir: string;
  readonly readFreeBytes: ReturnType<typeof readFreeBytesOf>;
  readonly maxUploadBytes: number;
}

/** Starts the check of free space, uploads, and the pictures of sightings. */
function startStorage(deps: StorageDeps) {
  const { pool, notifier, config } = deps;
  const space = new SpaceGuard(deps);
  const uploads = new MediaUploads({ ...deps, store: new UploadedMediaStore({ pool, notifier }), space });
  const pictureGuard = createServiceGuard({
    ownAddresses: ownAddressesOf(config),
    guard: createOutgoingGuard('network'),
    refusesMachine: true,
  });
  const pictures = new SightingPictures({ ...deps, guard: pictureGuard });
  uploads.start();
  pictures.start();
  space.start();
  const close = async () => {
    await pictures.stop();
    await space.stop();
  };
  return { space, uploads, pictures, close };
}
