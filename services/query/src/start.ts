import { resolve } from 'node:path';
import { type RunningService, startService } from '@birdhub/shared/app';
import { readConfig } from '@birdhub/shared/config';
import { openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import { createMetrics } from '@birdhub/shared/metrics';
import { hostTimeZone, systemClock } from '@birdhub/shared/time';
import { createQueryApp } from './app.js';
import { queryConfig } from './config.js';
import { listenForAnswers } from './listening-answers.js';

const name = 'query';

/** Starts the query service: timelines, recordings and their media, species, cameras. */
export async function startQuery(env: NodeJS.ProcessEnv): Promise<RunningService> {
  const config = readConfig(queryConfig, env);
  const log = createLog(name, config.logLevel);
  const metrics = createMetrics(name);
  const { databaseUrl: url, databaseReadUrl: readUrl, databasePoolSize: max, answerCacheMb } = config;
  const database = openDatabase({ url, readUrl, max, name, log });
  const hostZone = hostTimeZone(config.tz);
  const { answers, settings, listener } = listenForAnswers({ database, url, hostZone, answerCacheMb, log });
  const app = createQueryApp({
    log,
    metrics,
    internalSecret: config.internalSecret,
    answers,
    readPool: database.readPool,
    settings,
    recordingsDir: resolve(config.recordingsDir ?? `${config.dataDir}/recordings`),
    clock: systemClock,
  });
  return startService({
    name,
    app,
    config,
    log,
    metrics,
    probes: { database: () => database.pool.query('SELECT 1') },
    release: [() => listener.close(), () => database.close()],
  });
}

export { createQueryApp } from './app.js';
