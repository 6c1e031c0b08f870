import { createPictureRequests } from '@birdhub/domain/media';
import { FileRemover, RecordingWriter } from '@birdhub/domain/recordings';
import { createSpeciesDirectory, SpeciesEditor } from '@birdhub/domain/species';
import { type RunningService, startService } from '@birdhub/shared/app';
import { Bus } from '@birdhub/shared/bus';
import { foldersOf, readConfig } from '@birdhub/shared/config';
import { ChangeNotifier, openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import { addPoolMetrics, createMetrics } from '@birdhub/shared/metrics';
import { openSecretBox } from '@birdhub/shared/secrets';
import { hostTimeZone, systemClock } from '@birdhub/shared/time';
import { createQueryApp } from './app.js';
import { queryConfig } from './config.js';
import { createExternalApis } from './external/external-apis.js';
import { LiveEvents } from './live/live-events.js';
import { createRegionWatch } from './region-comparison/region-watch.js';
import { openListeningCaches } from './response-cache/response-cache.js';
import { createKnowledgeWatch, createPicturesWatch } from './species-knowledge/learn-species.js';
import { createTaxonomyWatch } from './species-names/ebird-taxonomy.js';
import { RecordingMedia } from './videos/recording-media.js';
import { createWeatherWatch } from './weather/weather-watch.js';

const name = 'query';

/** Starts the query service: timelines, recordings and their media, species, cameras. */
export async function startQuery(env: NodeJS.ProcessEnv): Promise<RunningService> {
  const config = readConfig(queryConfig, env);
  const log = createLog(name, config.logLevel);
  const metrics = createMetrics(name);
  const {
    databaseUrl: url,
    databaseReadUrl: readUrl,
    databasePoolSize: max,
    answerCacheMb: responseCacheMb,
    answerBudgetMb: responseBudgetMb,
  } = config;
  const database = openDatabase({ url, readUrl, max, name, log, queryTimeoutMs: 120_000 });
  addPoolMetrics(metrics, database.pool);
  const hostZone = hostTimeZone(config.tz);
  const secrets = openSecretBox(config);
  const { pool, prisma, transaction } = database;
  const directory = createSpeciesDirectory(pool);
  const listening = openListeningCaches({
    database,
    url,
    hostZone,
    responseCacheMb,
    responseBudgetMb,
    secrets,
    directory,
    log,
  });
  const { cache, settings, listener } = listening;
  const bus = new Bus({ url: config.natsUrl, name, log, metrics });
  const notifier = new ChangeNotifier(pool, log);
  const { dataDir, recordingsDir } = foldersOf(config);
  const files = new FileRemover({ pool, recordingsDir, dataDir, log });
  const externalApis = createExternalApis({ urls: config, pool, prisma, clock: systemClock, log });
  const pictures = createPicturesWatch({ pool, notifier, log });
  const weather = createWeatherWatch({ prisma, settings, externalApis, notifier, clock: systemClock, log });
  const knowledge = createKnowledgeWatch({ pool, prisma, externalApis, notifier, clock: systemClock, log });
  const taxonomy = createTaxonomyWatch({ pool, settings, externalApis, notifier, clock: systemClock, log });
  const region = createRegionWatch({ pool, settings, externalApis, log });
  const media = new RecordingMedia({
    readPool: database.readPool,
    recordingsDir,
    dataDir,
    pictures: createPictureRequests({ bus }),
    log,
  });
  const app = createQueryApp({
    log,
    metrics,
    internalSecret: config.internalSecret,
    cache,
    readPool: database.readPool,
    pool,
    prisma,
    transaction,
    notifier,
    writer: new RecordingWriter({ pool, directory, settings, notifier, clock: systemClock }),
    files,
    settings,
    recordingsDir,
    media,
    live: new LiveEvents({ bus, clock: systemClock, log }),
    directory,
    speciesEditor: new SpeciesEditor({ pool, directory, notifier }),
    externalApis,
    clock: systemClock,
  });
  weather.start();
  knowledge.start();
  pictures.start();
  taxonomy.start();
  region.start();
  files.start();
  return startService({
    name,
    app,
    config,
    log,
    metrics,
    probes: { database: () => database.pool.query('SELECT 1'), broker: () => bus.status() === 'ok' },
    release: [
      () => weather.stop(),
      () => knowledge.stop(),
      () => pictures.stop(),
      () => taxonomy.stop(),
      () => region.stop(),
      () => files.stop(),
      () => notifier.close(),
      () => bus.close(),
      () => listener.close(),
      () => database.close(),
    ],
  });
}

export { createQueryApp } from './app.js';
