import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findProgram } from './find-program.js';

/** Sizes of screens in CSS pixels. */
export const screens = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
} as const;

/** Where Chromium is, if possible that without windows, which takes less of the processor; undefined where there is none. */
export function findChromium(): string | undefined {
  return findProgram('chromium-headless-shell') ?? findProgram('chromium');
}

/** A real Chromium without a window. @throws when there is none */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('there is no Chromium');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** A page, and what its scripts complained of. */
export interface WatchedPage {
  readonly page: Page;
  readonly pageErrors: string[];
}

/** A Chromium without windows says that notifications are denied until it is asked for the permission. */
const undecidedNotifications = `
  if (globalThis.Notification?.permission === 'denied')
    Object.defineProperty(Notification, 'permission', { get: () => 'default' });`;

/** Keeps a page from having a service worker, which loads all that it keeps: ten times the work of a page. */
const withoutServiceWorker = 'delete Navigator.prototype.serviceWorker';

/** The profile of a page. */
export type PageProfile = BrowserContextOptions & {
  /** Whether the page may have a service worker. */
  readonly hasServiceWorker?: boolean;
};

/** A page with a profile of its own, in English, with nothing that moves by itself unless the profile says so. */
export async function openPage(
  browser: Browser,
  { hasServiceWorker = false, ...options }: PageProfile = {},
): Promise<WatchedPage> {
  const usual = { locale: 'en-GB', viewport: screens.desktop, reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...usual, ...options });
  await context.addInitScript(undecidedNotifications);
  if (!hasServiceWorker) await context.addInitScript(withoutServiceWorker);
  const page = await context.newPage();
  const pageErrors: string[] = [];
  page.on('pageerror', (error) => pageErrors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') pageErrors.push(`${message.text()} ${message.location().url}`);
  });
  return { page, pageErrors };
}
