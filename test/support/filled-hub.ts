import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAll, type Step } from '@birdhub/launcher/lifecycle';
import { listErrors, startTestHub } from '@birdhub/testing/hub';
import type { TestProject } from 'vitest/node';
import { fillHub, zone } from '../web/support/fill-hub.js';
import { findChromium } from './browser.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A hub with three days of the demo, below a base path; undefined where there is no browser to show it. */
    filledHubUrl: string | undefined;
  }
}

const undo: Step[] = [];

/** Starts the hub of all tests of pages and fills it, which takes longer than most of them. */
export async function setup(project: TestProject): Promise<void> {
  try {
    project.provide('filledHubUrl', findChromium() === undefined ? undefined : await startFilledHub());
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

async function startFilledHub(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-pages-'));
  undo.unshift(() => rm(folder, { recursive: true }));
  const env = { TZ: zone, BASE_PATH: '/garden' };
  const hub = await startTestHub({ dataDir: join(folder, 'data'), env });
  undo.unshift(async () => {
    await hub.stop();
    const errors = listErrors(hub);
    if (errors.length > 0) throw new Error(`the filled hub logged errors:\n${errors.join('\n')}`);
  });
  await fillHub(hub);
  return hub.baseUrl;
}
