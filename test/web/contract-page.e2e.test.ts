import { describe, expect, test } from 'vitest';
import { openPage, screens } from '../support/browser.js';
import { isWithoutBrowser, useFilledHub } from './support/open-hub.js';

const open = useFilledHub();

describe.skipIf(isWithoutBrowser)('the page of the contract, below a base path', () => {
  test('on phone and desktop, shows operations and loads nothing from elsewhere', async () => {
    const { page, pageErrors } = await openPage(open.browser, { viewport: screens.phone });
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.goto(`${open.hub.baseUrl}/docs`);
    for (const viewport of Object.values(screens)) {
      await page.setViewportSize(viewport);
      await page.getByRole('heading', { name: /Get a recording$/ }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    const own = new RegExp(`^(${open.hub.baseUrl}/|data:|blob:)`);
    expect(loaded.filter((url) => !own.test(url))).toEqual([]);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });
});
