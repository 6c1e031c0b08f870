import type { HubAddress } from '@birdhub/testing/hub';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { openBrowser, openPage, type WatchedPage } from '../../support/browser.js';
import type {} from '../../support/filled-hub.js';
import { settle, withoutServiceWorker } from './pages.js';

const filledHubs = inject('filledHubUrls');
/** That of this worker: files that run at the same time change settings. */
const baseUrl = filledHubs[Number(process.env['VITEST_POOL_ID']) % filledHubs.length];

/** Tests of pages where there is no browser are skipped, and counted so. */
export const isWithoutBrowser = baseUrl === undefined;

/** How a test opens a page, beside the options of its profile. */
export type PageOptions = BrowserContextOptions & {
  /** The hub; without it the filled one. */
  readonly on?: HubAddress;
  /** Whether the page may have a service worker, which loads all that it keeps. */
  readonly hasServiceWorker?: boolean;
  /** Told of the page before it loads anything. */
  readonly prepare?: (page: Page) => Promise<unknown>;
};

/** The filled hub, and a browser for the tests of a file. */
export type OpenHub = {
  readonly hub: HubAddress;
  readonly browser: Browser;
  /** Opens a path in a profile of its own and waits for what it shows; closed after the test. */
  openAt(path: string, options?: PageOptions): Promise<WatchedPage>;
};

/** Opens a browser before the tests of a file and closes it after them. The hub is that of all files of a worker: leave it as it was. */
export function useFilledHub(): OpenHub {
  let browser: Browser | undefined;
  let opened: WatchedPage[] = [];
  const hub = { baseUrl: baseUrl ?? '' };
  const theBrowser = () => {
    if (browser === undefined) throw new Error('there is no browser yet');
    return browser;
  };
  beforeAll(async () => {
    if (!isWithoutBrowser) browser = await openBrowser();
  });
  afterEach(async () => {
    await Promise.all(opened.map(({ page }) => page.context().close()));
    opened = [];
  });
  afterAll(() => browser?.close());
  return {
    hub,
    get browser() {
      return theBrowser();
    },
    async openAt(path, { on = hub, hasServiceWorker = false, prepare, ...options } = {}) {
      const watched = await openPage(theBrowser(), options);
      opened.push(watched);
      const { page } = watched;
      if (!hasServiceWorker) await page.addInitScript(withoutServiceWorker);
      await prepare?.(page);
      await page.goto(on.baseUrl + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settle(page);
      return watched;
    },
  };
}
