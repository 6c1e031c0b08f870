import { describe, expect, test } from 'vitest';
import { openPage, screens } from '../support/browser.js';
import { isWithoutBrowser, useFilledHub } from './support/open-hub.js';

const open = useFilledHub();

describe.skipIf(isWithoutBrowser)('the page of the contract, below a base path', () => {
  test.each(Object.entries(screens))(
    'on a %s, shows operations and loads nothing from elsewhere',
    async (_, viewport) => {
      const { page, complaints } = await openPage(open.browser, { viewport, serviceWorkers: 'block' });
      const loaded: string[] = [];
      page.on('request', (request) => loaded.push(request.url()));
      await page.goto(`${open.hub.baseUrl}/docs`);
      await page.getByRole('heading', { name: /Get a recording$/ }).waitFor();
      const own = new RegExp(`^(${open.hub.baseUrl}/|data:|blob:)`);
      expect(loaded.filter((url) => !own.test(url))).toEqual([]);
      expect(complaints).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await page.context().close();
    },
  );
});
