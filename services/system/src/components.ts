import { join } from 'node:path';
import { createJobMetrics, type Jobs, startJobs } from '@birdhub/domain/jobs';
import { FileRemover, RecordingWriter } from '@birdhub/domain/recordings';
import type { SettingsReader, SettingsWriter } from '@birdhub/domain/settings';
import type { SpeciesDirectory } from '@birdhub/domain/species';
import { type ReadFreeBytes, readFreeBytesOf } from '@birdhub/domain/storage';
import type { Bus } from '@birdhub/shared/bus';
import { foldersOf } from '@birdhub/shared/config';
import type { ChangeNotifier, Database } from '@birdhub/shared/db';
import type { ServiceMetrics } from '@birdhub/shared/metrics';
import {
  createOutgoingGuard,
  createServiceGuard,
  ownAddressesOf,
  type ServiceGuard,
} from '@birdhub/shared/outgoing';
import type { SecretBox } from '@birdhub/shared/secrets';
import { type Clock, hourMs } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import type { Static } from 'typebox';
import { startPruning } from './activity/prune-activity.js';
import { NotificationChannels } from './channels/index.js';
import type { systemConfig } from './config.js';
import { Feeder } from './feeder/feeder.js';
import { type HomeAssistantDeps, startHomeAssistant } from './home-assistant/home-assistant.js';
import { type HostMetrics, startHostMetrics } from './host-metrics/host-history.js';
import { createHubMetrics, type HubMetrics } from './hub-metrics/hub-metrics.js';
import { startDerivedMedia } from './media/derived-media.js';
import { createMediaTools } from './media/media-tools.js';
import { createSpectrogramJob } from './media/spectrogram.js';
import { createMediaRepairJob } from './media/video-inspector.js';
import { MqttConnection } from './mqtt/mqtt-connection.js';
import { startVisitPublisher } from './mqtt/visit-publisher.js';
import { testMessage } from './notifications/message.js';
import { startNotifications } from './notifications/notifications.js';
import {
  createRestartFlag,
  type ProcessorRestarts,
  startProcessorRestarts,
} from './processor/processor-restarts.js';
import { createScanJob } from './recordings-scan/scan-job.js';
import { RetentionWatch } from './retention/retention-watch.js';
import { createStatusReader, type StatusReader } from './status/status.js';
import { createTrackJob } from './tracks/track-job.js';
import { createVisitJob, startVisitAlignment } from './visit-rebuild/visit-rebuild.js';

/** Dependencies of the components. */
export interface ComponentDeps extends Pick<Database, 'pool' | 'prisma' | 'transaction'> {
  readonly bus: Bus;
  readonly notifier: ChangeNotifier;
  readonly directory: SpeciesDirectory;
  readonly settings: SettingsReader;
  readonly settingsWriter: Pick<SettingsWriter, 'read' | 'change'>;
  /** Guards requests to push services of browsers. */
  readonly guard: ServiceGuard;
  readonly secrets: SecretBox;
  readonly metrics: ServiceMetrics;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: Static<typeof systemConfig>;
}

/** The running components that routes use. */
export interface Components {
  readonly host: HostMetrics;
  readonly hubMetrics: HubMetrics;
  readonly feeder: Feeder;
  readonly restarts: ProcessorRestarts;
  /** Path of the processor's log. */
  readonly processorLog: string;
  readonly channels: NotificationChannels;
  readonly recordingsDir: string;
  readonly writer: RecordingWriter;
  readonly files: FileRemover;
  readonly readFreeBytes: ReadFreeBytes;
  /** See RetentionDeps. */
  readonly readUptimeMs: () => number;
  readonly jobs: Jobs;
  readonly status: StatusReader;
}

type Close = () => Promise<void>;

/** Jobs have low priority compared with the inspection of new recordings. */
const maxJobTools = 1;

/** Starts all background components. `release` closes them, in order. */
export function startComponents(deps: ComponentDeps): Components & { readonly release: readonly Close[] } {
  let feeder: Feeder | undefined;
  const feed = async () => feeder?.dispense({ by: 'home assistant', token: undefined });
  const { config } = deps;
  const mqttDeps = { ...deps, ...foldersOf(config), basePath: config.basePath, feed };
  const { mqtt, close: closeMqtt } = startMqtt(mqttDeps);
  const { close: closeHost, ...host } = startHost(deps, mqtt);
  feeder = host.feeder;
  const channels = startChannels(deps, mqtt);
  const notifications = startNotifications({ ...deps, channels });
  const { close: closeStorage, isDiskFull, ...storage } = startStorage(deps);
  const { close: closeMedia, jobs } = startMedia(deps, storage);
  const status = createStatusReader({ ...deps, mqtt, isDiskFull });
  const closeNotifications = async () => {
    await notifications.close();
    await channels.close();
  };
  const release = [closeNotifications, closeMedia, closeStorage, closeHost, closeMqtt];
  return { ...host, ...storage, channels, jobs, status, release };
}

/** Starts the MQTT connection, the publisher of visits, and Home Assistant. */
export function startMqtt(
  deps: Pick<ComponentDeps, 'bus' | 'settings' | 'pool' | 'clock' | 'log'> &
    Pick<HomeAssistantDeps, 'basePath' | 'dataDir' | 'recordingsDir' | 'feed'>,
): {
  readonly mqtt: MqttConnection;
  readonly close: Close;
} {
  const mqtt = new MqttConnection(deps.log);
  const homeAssistant = startHomeAssistant({ ...deps, mqtt });
  const visits = startVisitPublisher({ ...deps, mqtt });
  const stopWatching = deps.settings.watch((settings) => mqtt.configure(settings.mqtt), ['mqtt']);
  const close = async () => {
    stopWatching();
    await Promise.all([homeAssistant.close(), visits.close()]);
    await mqtt.close();
  };
  return { mqtt, close };
}

/** Starts the notification channels. */
function startChannels(deps: ComponentDeps, mqtt: MqttConnection): NotificationChannels {
  const { config } = deps;
  const { basePath, telegramApiUrl, channelsAllowPrivate, pushAllowPrivate } = config;
  const isPrivateAllowed = channelsAllowPrivate === '1' || pushAllowPrivate === '1';
  const serviceGuard = createServiceGuard({
    ownAddresses: ownAddressesOf(config),
    guard: createOutgoingGuard(isPrivateAllowed ? 'all' : 'public'),
  });
  const channels = new NotificationChannels({
    ...deps,
    mqtt,
    serviceGuard,
    telegramApiUrl,
    basePath,
    ...foldersOf(config),
    testMessage,
  });
  channels.start();
  return channels;
}

/** Starts the metrics of host and hub, the feeder, processor restarts, and pruning. */
function startHost(deps: ComponentDeps, mqtt: MqttConnection) {
  const {
    dataDir,
    processorLog = join(dataDir, 'processor.log'),
    processorFlagDir,
    activityDays,
  } = deps.config;
  const host = startHostMetrics({ ...deps, dataDir });
  const feeder = new Feeder({ ...deps, mqtt });
  const restarts = startProcessorRestarts({ ...deps, flag: createRestartFlag(processorFlagDir) });
  const hubMetrics = createHubMetrics({ ...deps, host });
  const pruning = startPruning({ ...deps, days: activityDays });
  const close = async () => {
    await Promise.all([feeder.close(), restarts.close(), host.close(), pruning.stop()]);
  };
  return { host, hubMetrics, feeder, restarts, processorLog, close };
}

/** Starts the removal of purged files, and retention. */
function startStorage(deps: ComponentDeps) {
  const { pool, log, config } = deps;
  const { dataDir, recordingsDir } = foldersOf(config);
  const writer = new RecordingWriter(deps);
  const files = new FileRemover({ pool, recordingsDir, dataDir, log });
  const readFreeBytes = readFreeBytesOf(recordingsDir);
  const readUptimeMs = () => performance.now();
  const storage = { recordingsDir, writer, files, readFreeBytes, readUptimeMs };
  const watch = new RetentionWatch({ ...deps, ...storage });
  files.start();
  watch.start();
  const close = async () => {
    await Promise.all([watch.stop(), files.stop()]);
  };
  return { ...storage, isDiskFull: () => watch.isExhausted(), close };
}

/** Starts the pictures of new recordings, jobs, and rebuilds of the visits. */
function startMedia(deps: ComponentDeps, storage: Pick<Components, 'recordingsDir' | 'writer'>) {
  const { mediaToolsAtOnce, mediaWaitHours } = deps.config;
  const { dataDir } = foldersOf(deps.config);
  const tools = createMediaTools(deps.config, maxJobTools);
  const fileTimeoutMs = mediaWaitHours * hourMs;
  const mediaDeps = { ...deps, ...storage, dataDir, tools, fileTimeoutMs };
  const derived = startDerivedMedia({ ...mediaDeps, maxConcurrency: mediaToolsAtOnce });
  const { inspect } = derived;
  const kinds = [
    createSpectrogramJob(mediaDeps),
    createTrackJob(mediaDeps),
    createMediaRepairJob({ ...mediaDeps, inspect }),
    createScanJob({ ...mediaDeps, ...tools, inspect }),
    createVisitJob(mediaDeps),
  ];
  const jobs = startJobs({
    ...mediaDeps,
    metrics: createJobMetrics(
      deps.metrics.registry,
      kinds.map(({ name }) => name),
    ),
    kinds,
  });
  const stopAlignment = startVisitAlignment({ ...deps, jobs });
  const close = async () => {
    await stopAlignment();
    await Promise.all([derived.close(), jobs.close()]);
  };
  return { jobs, close };
}
