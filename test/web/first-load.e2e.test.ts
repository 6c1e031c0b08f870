import { describe, expect, test } from 'vitest';
import { openPage, screens } from '../support/browser.js';
import { isWithoutBrowser, useFilledHub } from './support/open-hub.js';
import { settle } from './support/pages.js';

const open = useFilledHub({ BASE_PATH: '/garden' });
const mostScriptBytes = 200_000;

/** Adds up how much of the page jumps after it was first seen; begins before anything is. */
const watchShifts = `
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`;

describe.skipIf(isWithoutBrowser)('the first load, below a base path', () => {
  test('of Today on a phone, takes at most 200 KB of script, packed, and all from the hub', async () => {
    const { page } = await openPage(open.browser, { viewport: screens.phone, serviceWorkers: 'block' });
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.goto(`${open.hub.baseUrl}/`);
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await settle(page);
    const scripts = loaded.filter((url) => url.endsWith('.js'));
    const sizes = scripts.map(async (url) => {
      const { headers } = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
      return Number(headers.get('content-length'));
    });
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(scripts.length).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(mostScriptBytes);
    expect(loaded.filter((url) => !url.startsWith(open.hub.baseUrl) && !url.startsWith('data:'))).toEqual([]);
    await page.context().close();
  });

  test.each(['/', '/timeline', '/species'])('of %s, moves nothing that was seen', async (path) => {
    const { page } = await openPage(open.browser, { viewport: screens.phone });
    await page.addInitScript(watchShifts);
    await page.goto(open.hub.baseUrl + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settle(page);
    expect(Number(await page.evaluate('window.shifted'))).toBeLessThan(0.05);
    await page.context().close();
  });

  test('without network afterwards, shows the shell and says that one is offline', async () => {
    const { page } = await openPage(open.browser);
    await page.goto(`${open.hub.baseUrl}/`);
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await page.context().setOffline(true);
    await page.goto(`${open.hub.baseUrl}/calendar`);
    await page.getByText('You are offline').first().waitFor();
    await page.getByRole('navigation').first().waitFor();
    await page.context().close();
  });

  test('of its manifest, makes it installable below the base path', async () => {
    const { page } = await openPage(open.browser);
    await page.goto(`${open.hub.baseUrl}/`);
    const written = await page.locator('link[rel=manifest]').getAttribute('href');
    const address = new URL(written ?? '', `${open.hub.baseUrl}/`);
    expect(address.href).toBe(`${open.hub.baseUrl}/manifest.webmanifest`);
    const manifest = (await (await fetch(address)).json()) as { icons: { src: string }[] };
    const icons = manifest.icons.map(({ src }) => fetch(new URL(src, address), { method: 'HEAD' }));
    expect((await Promise.all(icons)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await page.context().close();
  });
});
