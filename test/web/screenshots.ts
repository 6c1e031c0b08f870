import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestHub, stopTestHubs } from '@birdhub/testing/hub';
import type { Browser } from 'playwright-core';
import { openBrowser, openPage, screens } from '../support/browser.js';
import { fillHub, zone } from './support/fill-hub.js';
import { listPages, settle, waitForPictures } from './support/pages.js';

const target = process.argv[2] ?? 'screenshots';
const schemes = ['light', 'dark'] as const;

const nameOf = (path: string) =>
  path
    .replace(/\/\d+$/, '-page')
    .replace(/=.*/, '')
    .replace(/\W+/g, '-')
    .replace(/^-|-$/g, '') || 'today';

async function takeAll(browser: Browser, baseUrl: string): Promise<void> {
  const pages = await listPages(baseUrl);
  for (const [screen, viewport] of Object.entries(screens)) {
    for (const colorScheme of schemes) {
      const { page } = await openPage(browser, { viewport, colorScheme, reducedMotion: 'no-preference' });
      for (const { path, heading } of pages) {
        await page.goto(baseUrl + path);
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        await settle(page);
        await waitForPictures(page);
        const file = join(target, `${nameOf(path)}-${screen}-${colorScheme}.png`);
        await page.screenshot({ path: file });
        console.log(file);
      }
      await page.context().close();
    }
  }
}

/** The wall view on e-paper, a television and a phone. */
const walls = [
  ['wall-paper', '/wall?eink=1', { width: 800, height: 480 }],
  ['wall', '/wall?theme=dark', { width: 1920, height: 1080 }],
  ['wall-phone', '/wall', { width: 390, height: 844 }],
] as const;

async function takeWalls(browser: Browser, baseUrl: string): Promise<void> {
  for (const [name, path, viewport] of walls) {
    const { page } = await openPage(browser, { viewport, colorScheme: 'light' });
    await page.goto(baseUrl + path);
    await page.locator('main ol li').first().waitFor();
    await settle(page);
    await waitForPictures(page);
    const file = join(target, `${name}.png`);
    await page.screenshot({ path: file });
    console.log(file);
    await page.context().close();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'birdhub-screenshots-'));
mkdirSync(target, { recursive: true });
try {
  const hub = await startTestHub({ dataDir: join(folder, 'data'), env: { TZ: zone } });
  await fillHub(hub, { days: 8 });
  const browser = await openBrowser();
  await takeWalls(browser, hub.baseUrl);
  await takeAll(browser, hub.baseUrl);
  await browser.close();
} finally {
  await stopTestHubs();
  rmSync(folder, { recursive: true });
}
