import { resolve } from 'node:path';
import { type RunningService, startService } from '@birdhub/shared/app';
import { createNatsBus } from '@birdhub/shared/bus';
import { readConfig } from '@birdhub/shared/config';
import { openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import { createFrameReader } from '@birdhub/shared/media';
import { createMetrics, measureBus, showPool } from '@birdhub/shared/metrics';
import { openSettings } from '@birdhub/shared/settings';
import { hostTimeZone, systemClock } from '@birdhub/shared/time';
import { createReportsApp } from './app.js';
import { reportsConfig } from './config.js';
import { createCrops } from './detection-crop/crops.js';
import { makeCropsAhead } from './detection-crop/make-ahead.js';
import { createFindPictures } from './monthly-report/find-pictures.js';
import { renderInWorker } from './monthly-report/render-in-worker.js';
import { createReportMaker } from './monthly-report/report-maker.js';

const name = 'reports';

/** Starts the reports service. */
export async function startReports(env: NodeJS.ProcessEnv): Promise<RunningService> {
  const config = readConfig(reportsConfig, env);
  const log = createLog(name, config.logLevel);
  const metrics = createMetrics(name);
  const { databaseUrl: url, databaseReadUrl: readUrl, databasePoolSize: max } = config;
  const database = openDatabase({ url, readUrl, max, name, log });
  showPool(metrics, database.pool);
  const bus = measureBus(createNatsBus({ url: config.natsUrl, name, log }), metrics);
  const hostZone = hostTimeZone(config.tz);
  const { settings, listener } = openSettings({ pool: database.pool, url, hostZone, log });
  const { readPool } = database;
  const dataDir = resolve(config.dataDir);
  const recordingsDir = resolve(config.recordingsDir ?? `${dataDir}/recordings`);
  const crops = createCrops({ dataDir, recordingsDir, frameReader: createFrameReader(config), log });
  const ahead = makeCropsAhead({ bus, pool: database.pool, crops, recordingsDir, log });
  const reports = createReportMaker({
    pool: readPool,
    clock: systemClock,
    findPictures: createFindPictures({ pool: readPool, dataDir, log }),
    render: renderInWorker,
  });
  return startService({
    name,
    app: createReportsApp({
      log,
      metrics,
      internalSecret: config.internalSecret,
      readPool,
      settings,
      crops,
      reports,
      clock: systemClock,
    }),
    config,
    log,
    metrics,
    probes: { database: () => database.pool.query('SELECT 1'), broker: () => bus.status() === 'ok' },
    release: [() => ahead.close(), () => listener.close(), () => bus.close(), () => database.close()],
  });
}

export { createReportsApp } from './app.js';
