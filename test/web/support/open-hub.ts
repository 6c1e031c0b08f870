import type { HubAddress } from '@birdhub/testing/hub';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import {
  describePage,
  findChromium,
  openBrowser,
  openPage,
  type PageProfile,
  screens,
  type WatchedPage,
} from '../../support/browser.js';
import type {} from '../../support/filled-hub.js';
import { settle } from './pages.js';

/** Whether there is no browser; tests of pages are then skipped. */
export const isWithoutBrowser = findChromium() === undefined;

/** Options for opening a page of a hub. */
export type PageOptions = PageProfile & {
  readonly on: HubAddress;
  /** Sets up routes before the page loads anything. */
  readonly prepare?: (page: Page) => Promise<unknown>;
};

/** The browser for the tests of a file. */
export interface OpenBrowser {
  readonly browser: Browser;
  /** Opens a path in an empty profile and waits for what it shows. */
  openAt(path: string, options: PageOptions): Promise<WatchedPage>;
}

/** Options for opening a page; by default of the filled hub. */
export type FilledPageOptions = Omit<PageOptions, 'on'> & Partial<Pick<PageOptions, 'on'>>;

/** The filled hub, and a browser for the tests of a file. */
export interface OpenHub {
  readonly hub: HubAddress;
  readonly browser: Browser;
  /** Opens a path in an empty profile and waits for what it shows. */
  openAt(path: string, options?: FilledPageOptions): Promise<WatchedPage>;
}

/** Opens a browser before the tests of a file and closes it after them. */
export function useBrowser(): OpenBrowser {
  let browser: Browser | undefined;
  let pages: PagePool | undefined;
  beforeAll(async () => {
    if (isWithoutBrowser) return;
    browser = await openBrowser();
    pages = new PagePool(browser);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await pages?.describe(task.name);
    await pages?.takeBack();
  });
  afterAll(() => browser?.close());
  return {
    get browser() {
      if (browser === undefined) throw new Error('there is no browser yet');
      return browser;
    },
    async openAt(path, { on, prepare, ...profile }) {
      if (pages === undefined) throw new Error('there is no browser yet');
      const watched = await (profile.hasServiceWorker ? pages.openNew(profile) : pages.open(profile));
      const { page } = watched;
      await prepare?.(page);
      await page.goto(on.baseUrl + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settle(page);
      return watched;
    },
  };
}

/** Like {@link useBrowser}, with the filled hub. All files of a worker share it, so tests must undo their changes. */
export function useFilledHub(): OpenHub {
  const opened = useBrowser();
  const urls = inject('filledHubUrls');
  // Each worker has its own hub, as files that run concurrently change settings.
  const hub = { baseUrl: urls[Number(process.env['VITEST_POOL_ID']) % urls.length] ?? '' };
  return {
    hub,
    get browser() {
      return opened.browser;
    },
    openAt: (path, options = {}) => opened.openAt(path, { on: hub, ...options }),
  };
}

type OpenedPage = WatchedPage & {
  /** The profile for which it can be reused; undefined if it has to be closed. */
  readonly profile?: string;
};

/**
 * Reuses pages in several tests, as a page that has already loaded the UI loads it again in a third of the time. Pages
 * have no service worker and are reset after each test.
 */
class PagePool {
  readonly #browser: Browser;
  readonly #idle: OpenedPage[] = [];
  #opened: OpenedPage[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Returns a page without any stored state for one test. */
  async open({ viewport = screens.desktop, ...options }: PageProfile): Promise<WatchedPage> {
    const profile = JSON.stringify(options);
    const place = this.#idle.findIndex((idle) => idle.profile === profile);
    const [found] = place === -1 ? [] : this.#idle.splice(place, 1);
    const opened = found ?? { ...(await openPage(this.#browser, options)), profile };
    this.#opened.push(opened);
    if (viewport !== null) await opened.page.setViewportSize(viewport);
    return opened;
  }

  /** Opens a page that is not reused. */
  async openNew(options: PageProfile): Promise<WatchedPage> {
    const opened = await openPage(this.#browser, options);
    this.#opened.push(opened);
    return opened;
  }

  /** Writes what the pages of a failed test show. */
  async describe(test: string): Promise<void> {
    for (const opened of this.#opened) console.error(`Page of "${test}": ${await describePage(opened)}`);
  }

  /** Takes back the pages of a test: closes them, or resets them for the next test. */
  async takeBack(): Promise<void> {
    await Promise.all(this.#opened.splice(0).map((opened) => this.#takeBack(opened)));
  }

  async #takeBack(opened: OpenedPage): Promise<void> {
    const { page, pageErrors, profile } = opened;
    try {
      if (profile === undefined) return await page.context().close();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.evaluate('localStorage.clear(); sessionStorage.clear()');
      await page.goto('about:blank');
      await page.context().clearCookies();
      pageErrors.splice(0);
      this.#idle.push(opened);
    } catch {
      // The page was closed, or does not show the hub.
      await page.context().close();
    }
  }
}
