import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAll, type Step, waitReady } from '@birdhub/launcher/lifecycle';
import { listErrors, startTestHub, type TestHub } from '@birdhub/testing/hub';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { fillHub, findSeed, zone } from '../web/support/fill-hub.js';
import { findChromium } from './browser.js';
import { copyFolder, copyTemplate } from './data-template.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** URLs of hubs with three days of the demo and a base path, one for each worker; empty without a browser. */
    filledHubUrls: readonly string[];
  }
}

/** Number of workers for tests of pages, as in vitest.config.ts. */
const pageWorkers = 2;
/** Each recording takes a second of CPU time to encode its clip and create its pictures. */
const filling = { days: 3, perDay: 12 } as const;
/** Minimum number of doubtful detections: one test reviews five, others need another one. */
const minDoubts = 6;

const undo: Step[] = [];

/** Fills a hub once for all tests of pages, as this takes longer than most tests, and starts a copy for each worker. */
export async function setup(project: TestProject): Promise<void> {
  try {
    project.provide('filledHubUrls', findChromium() === undefined ? [] : await startFilledHubs());
  } catch (error) {
    // vitest does not call `teardown` after a failed set-up.
    await teardown();
    throw error;
  }
}

/** Stops the hubs. @throws when one has logged an error */
export async function teardown(): Promise<void> {
  await runAll(undo.splice(0));
}

async function startFilledHubs(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-pages-'));
  undo.unshift(() => rm(folder, { recursive: true }));
  const dataDirs = Array.from({ length: pageWorkers }, (_, index) => join(folder, `data-${index}`));
  const [filled = '', ...copies] = dataDirs;
  await copyTemplate(filled);
  const hub = await startWatched(filled);
  await fillHub(hub, { ...filling, seed: findSeed(minDoubts, filling.days, filling.perDay) });
  await waitForAllPictures(hub);
  await hub.stop();
  for (const copy of copies) await copyFolder(filled, copy);
  const hubs = await Promise.all(dataDirs.map(startWatched));
  return hubs.map(({ baseUrl }) => baseUrl);
}

/** Waits until the pictures of all recordings have been created, so that the copies do not create them again. */
async function waitForAllPictures({ databaseUrl }: TestHub): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await waitReady({
      what: 'Pictures of the demo',
      isReady: async () => {
        const { rowCount } = await client.query(`SELECT FROM video WHERE media = 'pending' LIMIT 1`);
        return rowCount === 0;
      },
      timeoutMs: 900_000,
    });
  } finally {
    await client.end();
  }
}

/** Starts a hub that is stopped after the tests and must not have logged an error. */
async function startWatched(dataDir: string): Promise<TestHub> {
  const env = { HUB_SINGLE_PROCESS: '1', TZ: zone, BASE_PATH: '/garden' };
  const hub = await startTestHub({ dataDir, env });
  undo.unshift(async () => {
    await hub.stop();
    const errors = listErrors(hub);
    if (errors.length > 0) throw new Error(`the filled hub logged errors:\n${errors.join('\n')}`);
  });
  return hub;
}
