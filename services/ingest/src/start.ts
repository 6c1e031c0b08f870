import { randomUUID } from 'node:crypto';
import { openSettings, SettingsWriter } from '@birdhub/domain/settings';
import {
  createSpeciesDirectory,
  forgetOnChange,
  type SpeciesDirectory,
  SpeciesEditor,
} from '@birdhub/domain/species';
import { type RunningService, startService } from '@birdhub/shared/app';
import { TokenAttempts } from '@birdhub/shared/attempts';
import { Bus } from '@birdhub/shared/bus';
import { readConfig } from '@birdhub/shared/config';
import { ChangeNotifier, openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import { addOutboxMetrics, addPoolMetrics, createMetrics } from '@birdhub/shared/metrics';
import { createOutboxRelay } from '@birdhub/shared/outbox';
import { openSecretBox } from '@birdhub/shared/secrets';
import { hostTimeZone, systemClock } from '@birdhub/shared/time';
import { ActiveSpeciesStore } from './active-species/active-species.store.js';
import { createIngestApp } from './app.js';
import { startComponents } from './components.js';
import { ingestConfig } from './config.js';
import { DetectionNotices } from './detection-notices/detection-notices.store.js';

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
    onFull: () => log.warn('too many species, birds with new names are stored as Bird'),
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
  const speciesHandlers = forgetOnChange(directory);
  const secrets = openSecretBox(config);
  const { settings, listener } = openSettings({
    pool,
    url,
    hostZone,
    log,
    secrets,
    handlers: {
      ...speciesHandlers,
      onNotice(notice) {
        relay.wake();
        speciesHandlers.onNotice(notice);
      },
    },
  });
  const settingsWriter = new SettingsWriter({ database, notifier, secrets, timezone: hostZone });
  const deps = { pool, bus, settings, clock: systemClock, log, metrics, notifier, directory, secrets };
  relay.start();
  const { release, ...components } = startComponents({ ...deps, database, settingsWriter, config });
  return startService({
    name,
    app: createIngestApp({
      ...deps,
      ...components,
      internalSecret: config.internalSecret,
      processorSecret: config.processorSecret,
      tokenAttempts: new TokenAttempts({ pool, log, kind: 'processor' }),
      activeSpecies: new ActiveSpeciesStore({ pool, directory, notifier }),
      notices: new DetectionNotices(deps),
    }),
    config,
    log,
    metrics,
    probes: { database: () => pool.query('SELECT 1'), broker: () => bus.status() === 'ok' },
    release: [
      ...release,
      () => relay.stop(),
      () => listener.close(),
      () => notifier.close(),
      () => bus.close(),
      () => database.close(),
    ],
  });
}

export { createIngestApp } from './app.js';
