import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core';
import { findProgram } from './find-program.js';

/** Sizes of screens in CSS pixels. */
export const screens = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
} as const;

/** Returns the path of Chromium, preferably the headless one, which needs less CPU time; undefined when there is none. */
export function findChromium(): string | undefined {
  return findProgram('chromium-headless-shell') ?? findProgram('chromium');
}

/** Starts a headless Chromium. @throws when there is none */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Chromium is not installed');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** Default deadline of Playwright's waits: half a minute, its own, is too short for two slow, busy cores. */
const timeoutMs = 90_000;

/** A page, the errors of its scripts and in its console, and its requests without a complete response. */
export interface WatchedPage {
  readonly page: Page;
  readonly pageErrors: string[];
  readonly openRequests: ReadonlySet<Request>;
}

/** Headless Chromium reports notifications as denied before the permission was requested. */
const undecidedNotifications = `
  if (globalThis.Notification?.permission === 'denied')
    Object.defineProperty(Notification, 'permission', { get: () => 'default' });`;

/** Prevents service workers, which load all files of the UI: ten times the work of a page. */
const withoutServiceWorker = 'delete Navigator.prototype.serviceWorker';

/** The profile of a page. */
export type PageProfile = BrowserContextOptions & {
  /** Whether the page may have a service worker. */
  readonly hasServiceWorker?: boolean;
};

/** Opens a page in a new profile, in English and with reduced motion unless the profile differs. */
export async function openPage(
  browser: Browser,
  { hasServiceWorker = false, ...options }: PageProfile = {},
): Promise<WatchedPage> {
  const defaults = { locale: 'en-GB', viewport: screens.desktop, reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...defaults, ...options });
  context.setDefaultTimeout(timeoutMs);
  await context.addInitScript(undecidedNotifications);
  if (!hasServiceWorker) await context.addInitScript(withoutServiceWorker);
  const page = await context.newPage();
  const pageErrors: string[] = [];
  page.on('pageerror', (error) => pageErrors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') pageErrors.push(`${message.text()} ${message.location().url}`);
  });
  const openRequests = new Set<Request>();
  page.on('request', (request) => openRequests.add(request));
  page.on('requestfinished', (request) => openRequests.delete(request));
  page.on('requestfailed', (request) => openRequests.delete(request));
  return { page, pageErrors, openRequests };
}

/** Describes what a page shows and waits for: its address, open requests, errors and visible text. */
export async function describePage({ page, pageErrors, openRequests }: WatchedPage): Promise<string> {
  const text = await page.locator('body').innerText({ timeout: 5_000 }).catch(String);
  const requests = [...openRequests].map((request) => `${request.method()} ${request.url()}`);
  return [page.url(), ...requests, ...pageErrors, text].join('\n');
}
