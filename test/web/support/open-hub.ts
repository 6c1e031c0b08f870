import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { startHubIn, useDataFolder } from '../../e2e/fixtures/temporary-hub.js';
import { findChromium, openBrowser } from '../../support/browser.js';
import type { TestHub } from '../../support/hub.js';
import { fillHub, zone } from './fill-hub.js';

/** A filled hub and a browser for the tests of a file; they are there from its first test on. */
export function useFilledHub(env: NodeJS.ProcessEnv = {}): { hub: TestHub; browser: Browser } {
  const folder = useDataFolder();
  const open = {} as { hub: TestHub; browser: Browser };
  beforeAll(async () => {
    if (findChromium() === undefined) return;
    open.hub = await startHubIn(folder, { TZ: zone, ...env });
    await fillHub(open.hub, folder.path);
    open.browser = await openBrowser();
  });
  afterAll(() => open.browser?.close());
  return open;
}

/** Tests of pages where there is no browser are skipped, and counted so. */
export const isWithoutBrowser = findChromium() === undefined;
