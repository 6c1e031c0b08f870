import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHubIn, useDataFolder } from '../e2e/fixtures/temporary-hub.js';
import { findChromium, openBrowser, openPage, screens } from '../support/browser.js';
import type { TestHub } from '../support/hub.js';
import { findBarriers } from './support/check-accessibility.js';
import { fillHub, zone } from './support/fill-hub.js';
import { listPages, settle } from './support/pages.js';

const folder = useDataFolder();
let hub: TestHub;
let browser: Browser;

beforeAll(async () => {
  if (findChromium() === undefined) return;
  hub = await startHubIn(folder, { TZ: zone });
  await fillHub(hub, folder.path);
  browser = await openBrowser();
});
afterAll(() => browser?.close());

describe.skipIf(findChromium() === undefined).each([
  ['phone', 'light'],
  ['desktop', 'dark'],
] as const)('every page on a %s in %s', (screen, colorScheme) => {
  test('filled by the demo, shows its data without complaint, barrier or sideways scrolling', async () => {
    const { page, complaints } = await openPage(browser, { viewport: screens[screen], colorScheme });
    const found: string[] = [];
    for (const { path, heading } of await listPages(hub.baseUrl)) {
      await page.goto(hub.baseUrl + path);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await settle(page);
      const barriers = await findBarriers(page);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      if (Number(width) > screens[screen].width) barriers.push(`is ${width} pixels wide`);
      found.push(...[...barriers, ...complaints.splice(0)].map((what) => `${path} ${what}`));
    }
    expect(found).toEqual([]);
    await page.context().close();
  });
});
