import { type RunningService, startService } from '@birdhub/shared/app';
import { createNatsBus } from '@birdhub/shared/bus';
import { readConfig } from '@birdhub/shared/config';
import { createBell, listenToBell, openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import { createMetrics, showOutbox } from '@birdhub/shared/metrics';
import { createOutboxRelay } from '@birdhub/shared/outbox';
import { createRecordingWriter } from '@birdhub/shared/recordings';
import { createSettingsReader } from '@birdhub/shared/settings';
import { createSpeciesDirectory } from '@birdhub/shared/species';
import { hostTimeZone, systemClock } from '@birdhub/shared/time';
import { alignVisitRule } from '@birdhub/shared/visits';
import { createActiveSpeciesStore } from './active-species/active-species.store.js';
import { createActivityLogStore } from './activity-log/activity-log.store.js';
import { createIngestApp } from './app.js';
import { ingestConfig } from './config.js';
import { createNotificationStore } from './notifications/notifications.store.js';

const name = 'ingest';

/** Starts the ingest service: the processor surface, the outbox relay, and the visits under the rule of the settings. */
export async function startIngest(env: NodeJS.ProcessEnv): Promise<RunningService> {
  const config = readConfig(ingestConfig, env);
  const log = createLog(name, config.logLevel);
  const metrics = createMetrics(name);
  const database = openDatabase({ url: config.databaseUrl, max: config.databasePoolSize, name, log });
  const { pool } = database;
  const bus = createNatsBus({ url: config.natsUrl, name, log });
  const bell = createBell(pool, log);
  const directory = createSpeciesDirectory(pool, () => bell.ring({ kind: 'species' }));
  const settings = createSettingsReader(pool, hostTimeZone(config.tz));
  const relay = createOutboxRelay({ pool, bus, log });
  showOutbox(metrics, () => relay.pending());
  bell.onRing(() => relay.wake());

  async function alignVisits(): Promise<void> {
    const { visits, general } = await settings.current();
    const wanted = { gapMs: Math.round(visits.gap_seconds * 1000), timezone: general.timezone };
    if (!(await alignVisitRule(pool, directory, wanted))) return;
    log.info(wanted, 'visits made anew by the rule of the settings');
    bell.ring({ kind: 'everything' });
  }

  const listener = listenToBell(
    config.databaseUrl,
    {
      onRing({ changes }) {
        relay.wake();
        const kinds = new Set(changes.map((change) => change.kind));
        if (kinds.has('species') || kinds.has('everything')) directory.forget();
        if (kinds.has('settings') || kinds.has('everything')) settings.forget();
      },
      onGap() {
        directory.forget();
        settings.forget();
      },
    },
    log,
  );
  const app = createIngestApp({
    log,
    metrics,
    clock: systemClock,
    processorSecret: config.processorSecret,
    writer: createRecordingWriter({ pool, directory, settings, bell }),
    activeSpecies: createActiveSpeciesStore({ pool, directory, bell }),
    activityLog: createActivityLogStore({ pool, bell }),
    notifications: createNotificationStore({ pool, bell }),
  });
  relay.start();
  alignVisits().catch((error: unknown) => log.error({ err: error }, 'visits not made anew'));
  return startService({
    name,
    app,
    config,
    log,
    metrics,
    probes: { database: () => pool.query('SELECT 1'), broker: () => bus.status() === 'ok' },
    release: [
      () => relay.stop(),
      () => listener.close(),
      () => bell.close(),
      () => bus.close(),
      () => database.close(),
    ],
  });
}

export { createIngestApp } from './app.js';
