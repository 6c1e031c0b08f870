import { createFrameReader, createPictureRequests } from '@birdhub/domain/media';
import { openSettings } from '@birdhub/domain/settings';
import { type RunningService, startService } from '@birdhub/shared/app';
import { Bus } from '@birdhub/shared/bus';
import { foldersOf, readConfig } from '@birdhub/shared/config';
import { ChangeNotifier, openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import { addPoolMetrics, createMetrics } from '@birdhub/shared/metrics';
import { hostTimeZone, systemClock } from '@birdhub/shared/time';
import { createReportsApp } from './app.js';
import { reportsConfig } from './config.js';
import { deleteAbandonedSpools } from './dataset-export/spool.js';
import { DayCards } from './day-card/day-cards.js';
import { StoredCrops } from './detection-crop/crops.js';
import { ExportSlots, maxExportsFor } from './export-slots.js';
import { renderInWorker } from './monthly-report/render-in-worker.js';
import { ReportMaker } from './monthly-report/report-maker.js';

const name = 'reports';

/** Starts the reports service. */
export async function startReports(env: NodeJS.ProcessEnv): Promise<RunningService> {
  const config = readConfig(reportsConfig, env);
  const log = createLog(name, config.logLevel);
  const metrics = createMetrics(name);
  const { databaseUrl: url, databaseReadUrl: readUrl, databasePoolSize: max } = config;
  const database = openDatabase({ url, readUrl, max, name, log, queryTimeoutMs: 120_000 });
  addPoolMetrics(metrics, database.pool);
  const bus = new Bus({ url: config.natsUrl, name, log, metrics });
  const hostZone = hostTimeZone(config.tz);
  const { settings, listener } = openSettings({ pool: database.pool, url, hostZone, log });
  const { readPool } = database;
  const { dataDir, recordingsDir } = foldersOf(config);
  const frameReader = createFrameReader(config);
  const { pool } = database;
  const notifier = new ChangeNotifier(pool, log);
  const crops = new StoredCrops({
    pool,
    notifier,
    dataDir,
    recordingsDir,
    frameReader,
    ffmpegPath: config.ffmpegPath,
    log,
  });
  const pictures = createPictureRequests({ bus });
  const reports = new ReportMaker({
    pool: readPool,
    clock: systemClock,
    dataDir,
    log,
    render: renderInWorker,
  });
  const exportSlots = new ExportSlots({
    maxExports: maxExportsFor(max),
    stallTimeoutMs: config.exportStallSeconds * 1_000,
    log,
  });
  deleteAbandonedSpools(systemClock.now()).catch((error: unknown) =>
    log.warn({ err: error }, 'abandoned temporary files of exports not deleted'),
  );
  return startService({
    name,
    app: createReportsApp({
      log,
      metrics,
      internalSecret: config.internalSecret,
      readPool,
      pool: database.pool,
      settings,
      recordingsDir,
      crops,
      pictures,
      reports,
      dayCards: new DayCards({ pool: readPool, dataDir, log }),
      exportSlots,
      clock: systemClock,
    }),
    config,
    log,
    metrics,
    probes: { database: () => database.pool.query('SELECT 1'), broker: () => bus.status() === 'ok' },
    release: [() => listener.close(), () => notifier.close(), () => bus.close(), () => database.close()],
  });
}

export { createReportsApp } from './app.js';
