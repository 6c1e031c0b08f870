import { createSettingsWriter, openSettings } from '@birdhub/domain/settings';
import { createSpeciesDirectory, type SpeciesDirectory } from '@birdhub/domain/species';
import { type RunningService, startService } from '@birdhub/shared/app';
import { createNatsBus } from '@birdhub/shared/bus';
import { readConfig } from '@birdhub/shared/config';
import { type BellHandlers, createBell, openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import { createMetrics, measureBus, showPool } from '@birdhub/shared/metrics';
import { openSecretBox } from '@birdhub/shared/secrets';
import { hostTimeZone, systemClock } from '@birdhub/shared/time';
import { createSystemApp } from './app.js';
import { systemConfig } from './config.js';
import { openNotifications } from './notifications/open-notifications.js';
import { openMachine } from './open-machine.js';
import { openMedia } from './open-media.js';
import { openMqtt } from './open-mqtt.js';
import { openStorage } from './open-storage.js';
import { createOutgoingGuard } from './outgoing/outgoing-guard.js';
import { openStatus } from './status/status-board.js';
import { awaitVisits } from './visit-rebuild/await-visits.js';

const name = 'system';

/** Forgets what is known of species when the bell says that it changed, or may have. */
function keepTrue(directory: SpeciesDirectory): Partial<BellHandlers> {
  return {
    onRing({ changes }) {
      if (changes.some(({ kind }) => kind === 'species' || kind === 'everything')) directory.forget();
    },
    onGap: () => directory.forget(),
  };
}

/** Starts the system service. */
export async function startSystem(env: NodeJS.ProcessEnv): Promise<RunningService> {
  const config = readConfig(systemConfig, env);
  const log = createLog(name, config.logLevel);
  const metrics = createMetrics(name);
  const { databaseUrl: url, databaseReadUrl: readUrl, databasePoolSize: max } = config;
  const database = openDatabase({ url, readUrl, max, name, log });
  showPool(metrics, database.pool);
  const bus = measureBus(createNatsBus({ url: config.natsUrl, name, log }), metrics);
  const hostZone = hostTimeZone(config.tz);
  const { pool, prisma, transaction } = database;
  const bell = createBell(pool, log);
  const secrets = openSecretBox(config);
  const directory = createSpeciesDirectory(pool);
  const handlers = keepTrue(directory);
  const { settings, listener } = openSettings({ pool, url, hostZone, log, secrets, handlers });
  const settingsWriter = createSettingsWriter({ database, bell, secrets, timezone: hostZone });
  const guard = createOutgoingGuard(config.pushAllowPrivate === '1');
  const parts = { pool, prisma, transaction, bus, settings, clock: systemClock, log };
  const { mqtt, close: closeMqtt } = openMqtt(parts);
  const { close: closeMachine, ...machine } = openMachine({ ...parts, mqtt, config });
  const notifications = openNotifications({ ...parts, settingsWriter, directory, guard, config });
  const { close: closeStorage, ...storage } = openStorage({ ...parts, bell, directory, config });
  const { close: closeMedia, jobs } = openMedia({ ...parts, ...storage, bell, directory, metrics, config });
  return startService({
    name,
    app: createSystemApp({
      ...parts,
      ...machine,
      ...storage,
      metrics,
      internalSecret: config.internalSecret,
      settingsWriter: awaitVisits(settingsWriter, { pool, bell }),
      status: openStatus({ ...parts, ...storage, mqtt }),
      guard,
      notifications,
      jobs,
    }),
    config,
    log,
    metrics,
    probes: { database: () => database.pool.query('SELECT 1'), broker: () => bus.status() === 'ok' },
    release: [
      () => notifications.close(),
      closeMedia,
      closeStorage,
      closeMachine,
      closeMqtt,
      () => listener.close(),
      () => bell.close(),
      () => bus.close(),
      () => database.close(),
    ],
  });
}

export { createSystemApp } from './app.js';
