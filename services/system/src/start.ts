import { openSettings, SettingsWriter } from '@birdhub/domain/settings';
import { createSpeciesDirectory, forgetOnChange } from '@birdhub/domain/species';
import { type RunningService, startService } from '@birdhub/shared/app';
import { Bus } from '@birdhub/shared/bus';
import { readConfig } from '@birdhub/shared/config';
import { ChangeNotifier, openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import { addPoolMetrics, createMetrics } from '@birdhub/shared/metrics';
import { createOutgoingGuard, createServiceGuard, ownAddressesOf } from '@birdhub/shared/outgoing';
import { openSecretBox } from '@birdhub/shared/secrets';
import { hostTimeZone, systemClock } from '@birdhub/shared/time';
import { createSystemApp } from './app.js';
import { startComponents } from './components.js';
import { systemConfig } from './config.js';
import { awaitVisits } from './visit-rebuild/visit-rebuild.js';

const name = 'system';

/** Starts the system service. */
export async function startSystem(env: NodeJS.ProcessEnv): Promise<RunningService> {
  const config = readConfig(systemConfig, env);
  const log = createLog(name, config.logLevel);
  const metrics = createMetrics(name);
  const { databaseUrl: url, databaseReadUrl: readUrl, databasePoolSize: max } = config;
  const database = openDatabase({ url, readUrl, max, name, log });
  addPoolMetrics(metrics, database.pool);
  const bus = new Bus({ url: config.natsUrl, name, log, metrics });
  const hostZone = hostTimeZone(config.tz);
  const { pool, prisma, transaction } = database;
  const notifier = new ChangeNotifier(pool, log);
  const secrets = openSecretBox(config);
  const directory = createSpeciesDirectory(pool);
  const handlers = forgetOnChange(directory);
  const { settings, listener } = openSettings({ pool, url, hostZone, log, secrets, handlers });
  const settingsWriter = new SettingsWriter({ database, notifier, secrets, timezone: hostZone });
  const guard = createServiceGuard({
    ownAddresses: ownAddressesOf(config),
    guard: createOutgoingGuard(config.pushAllowPrivate === '1' ? 'all' : 'public'),
  });
  const clock = systemClock;
  const deps = {
    pool,
    prisma,
    transaction,
    bus,
    settings,
    clock,
    log,
    metrics,
    notifier,
    directory,
    guard,
    secrets,
  };
  const { release, ...components } = startComponents({ ...deps, settingsWriter, config });
  return startService({
    name,
    app: createSystemApp({
      ...deps,
      ...components,
      internalSecret: config.internalSecret,
      basePath: config.basePath,
      settingsWriter: awaitVisits(settingsWriter, { pool, notifier }),
    }),
    config,
    log,
    metrics,
    probes: { database: () => database.pool.query('SELECT 1'), broker: () => bus.status() === 'ok' },
    release: [
      ...release,
      () => listener.close(),
      () => notifier.close(),
      () => bus.close(),
      () => database.close(),
    ],
  });
}

export { createSystemApp } from './app.js';
