import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestHub } from '@birdhub/testing/hub';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { inOneProcess, startHubIn, useDataFolder } from '../e2e/fixtures/temporary-hub.js';
import { screens } from '../support/browser.js';
import { clipFolder } from '../support/clip-folder.js';
import { findViolations } from './support/check-accessibility.js';
import { readHub } from './support/hub-api.js';
import { isWithoutBrowser, useBrowser } from './support/open-hub.js';
import { settle } from './support/pages.js';

const open = useBrowser();
const waitOptions = { timeout: 100_000, interval: 250 };
const narrow = { width: 320, height: 640 };

interface Demo {
  readonly state: string;
  readonly is_ready: boolean;
}

interface StoredSettings {
  readonly general: { readonly timezone: string; readonly settings_password: string };
  readonly secrets: { readonly latitude: string; readonly longitude: string };
}

/** Returns the accessibility problems of the page, and whether it is too wide. */
async function barriersOf(page: Page): Promise<string[]> {
  await settle(page);
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  const widest = page.viewportSize()?.width ?? 0;
  return [...(await findViolations(page)), ...(width > widest ? [`is ${width} pixels wide`] : [])];
}

describe.skipIf(isWithoutBrowser)('the welcome of a fresh hub', () => {
  const folder = useDataFolder();
  let hub: TestHub;
  beforeAll(async () => {
    hub = await startHubIn(folder, inOneProcess);
  });

  test.each(['en', 'de', 'ru'])(
    'in %s at 320 pixels, has no accessibility problems in any step',
    async (locale) => {
      for (const path of ['/', '/welcome?step=place', '/welcome?step=birds', '/welcome?step=notify']) {
        const { page } = await open.openAt(path, { on: hub, viewport: narrow, locale });
        expect([path, await barriersOf(page)]).toEqual([path, []]);
      }
    },
  );

  test('on a phone, sets the place with its zone and a password, without accessibility problems', async () => {
    const { page, pageErrors } = await open.openAt('/', { on: hub, viewport: screens.phone });
    await page.getByRole('link', { name: 'Set up the hub' }).click();
    await page.getByRole('heading', { level: 2, name: 'Where is your feeder?' }).waitFor();
    await page.getByLabel('City nearby').fill('xyzzy');
    await page.getByText('No city with this name').waitFor();
    await page.getByLabel('City nearby').fill('munic');
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Munich, Germany' }).click();
    await page.getByRole('heading', { level: 2, name: 'Where do your birds come from?' }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('img', { name: /QR code of http/ }).waitFor();
    await page.getByRole('button', { name: 'Skip', exact: true }).click();
    await page.getByLabel('New password').fill('chaffinch 7');
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('It can be changed in the settings').waitFor();
    await page.getByRole('button', { name: 'Go to Today' }).click();
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await page.goto(`${hub.baseUrl}/welcome`);
    await page.getByRole('heading', { level: 2, name: 'Where do your birds come from?' }).waitFor();
    const settings = (await page.evaluate(
      `fetch('${hub.baseUrl}/api/ui/settings').then((answer) => answer.json())`,
    )) as StoredSettings;
    expect(settings.general.timezone).toBe('Europe/Berlin');
    expect(settings.secrets).toMatchObject({ latitude: '48.14', longitude: '11.58' });
    expect(settings.general.settings_password).toBe('***');
    expect(pageErrors.filter((one) => !/\b40[13]\b/.test(one))).toEqual([]);
  });
});

describe.skipIf(isWithoutBrowser)('the welcome of another fresh hub', () => {
  const folder = useDataFolder();
  let hub: TestHub;
  beforeAll(async () => {
    hub = await startHubIn(folder, inOneProcess);
  });

  test('with the demo on a phone, starts it in one tap, marks it as a demo and removes it without a trace', async () => {
    // Clips of the demos of other hubs are the same and need not be made again.
    await cp(clipFolder, join(folder.path, 'data', 'demo-clips'), { recursive: true });
    const { page } = await open.openAt('/', { on: hub, viewport: screens.phone });
    await page.getByRole('button', { name: 'Show me with demo birds' }).click();
    const banner = page.getByRole('region', { name: 'Demo data.' });
    await banner.waitFor();
    await expect.poll(async () => (await readHub<Demo>(hub, '/demo')).is_ready, waitOptions).toBe(true);
    await page.goto(`${hub.baseUrl}/`);
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await banner.waitFor();
    expect(await barriersOf(page)).toEqual([]);
    const stored = await readHub<unknown[]>(hub, '/species');
    expect(stored.length).toBeGreaterThan(5);
    await banner.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the demo' }).click();
    await expect.poll(async () => (await readHub<Demo>(hub, '/demo')).state, waitOptions).toBe('none');
    await page.getByRole('link', { name: 'Set up the hub' }).waitFor();
    await banner.waitFor({ state: 'detached' });
    expect(await readHub(hub, '/cameras')).toEqual({ cameras: [] });
  }, 240_000);

  test('with the location of the device, takes its place and zone', async () => {
    const { page } = await open.openAt('/welcome', {
      on: hub,
      viewport: screens.desktop,
      permissions: ['geolocation'],
      geolocation: { latitude: 40.4468, longitude: -79.9499 },
      timezoneId: 'America/New_York',
    });
    await page.getByRole('button', { name: 'Use the location of this device' }).click();
    await page.getByRole('heading', { level: 2, name: 'Where do your birds come from?' }).waitFor();
    const { general, secrets } = await readHub<StoredSettings>(hub, '/settings');
    expect(general.timezone).toBe('America/New_York');
    expect(secrets).toMatchObject({ latitude: '40.45', longitude: '-79.95' });
  });
});
