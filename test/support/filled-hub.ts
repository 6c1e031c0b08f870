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
    /** Hubs with three days of the demo, below a base path, one for each worker; none where there is no browser. */
    filledHubUrls: readonly string[];
  }
}

/** So many workers of vitest.config.ts test pages. */
const pageWorkers = 2;
/** Every recording costs a second of processor time: its clip is encoded, and pictures are made of it. */
const filling = { days: 3, perDay: 12 } as const;
/** One test reviews five, others find one more. */
const minDoubts = 6;

const undo: Step[] = [];

/** Fills a hub for all tests of pages, which takes longer than most of them, and starts a copy for each worker. */
export async function setup(project: TestProject): Promise<void> {
  try {
    project.provide('filledHubUrls', findChromium() === undefined ? [] : await startFilledHubs());
  } catch (error) {
    // vitest does not tear down what did not come up.
    await teardown();
    throw error;
  }
}

/** Stops the hub. @throws when it has logged an error */
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
  await whenPicturesAreMade(hub);
  await hub.stop();
  for (const copy of copies) await copyFolder(filled, copy);
  const hubs = await Promise.all(dataDirs.map(startWatched));
  return hubs.map(({ baseUrl }) => baseUrl);
}

/** Waits until the pictures of all recordings are made, so that no copy makes them again. */
async function whenPicturesAreMade({ databaseUrl }: TestHub): Promise<void> {
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

/** Starts a hub that is stopped when the tests have ended, and must not have logged an error. */
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
