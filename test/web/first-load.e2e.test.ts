import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage, screens } from '../support/browser.js';
import { yesterday } from './support/hub-api.js';
import { isWithoutBrowser, useFilledHub } from './support/open-hub.js';
import { settle } from './support/pages.js';

const open = useFilledHub();
/** The page registers its service worker, which is blocked so that it loads nothing beside the page. */
const blocked = { hasServiceWorker: true, serviceWorkers: 'block', reducedMotion: 'no-preference' } as const;

/** Records layout shifts from the very beginning, with the elements that moved. */
const watchShifts = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries()) {
      const moved = sources.map(({ node, previousRect, currentRect }) =>
        [node?.outerHTML?.slice(0, 200), previousRect.top, currentRect.top].join(' '));
      if (!hadRecentInput) window.shifts.push({ value, moved });
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Of all scripts, compressed. */
const maxBytes = 180 * 1024;

/** The status of a demo that is live. */
const liveDemo = {
  state: 'live',
  birds: 'europe',
  done: 1,
  total: 1,
  has_own_birds: false,
  has_own_place: false,
  message: null,
  started_at: `${yesterday()}T08:00:00.000Z`,
  is_ready: true,
};

describe.skipIf(isWithoutBrowser)('the first load, below a base path', () => {
  test.each([
    { kind: 'with birds', day: yesterday(), demo: undefined },
    // Without birds, the rest of the page and the banner of the demo are on the screen at once.
    { kind: 'without birds, of a demo', day: yesterday(-1), demo: liveDemo },
  ])(
    'of Today on a phone, on a day $kind, takes at most 180 KB of compressed script, all from the hub',
    async ({ day, demo }) => {
      const { page } = await openPage(open.browser, { viewport: screens.phone, ...blocked });
      await page.clock.setFixedTime(`${day}T12:00:00Z`);
      // What is below the screen loads when the browser is idle or when it is near.
      await page.addInitScript('window.requestIdleCallback = () => 0');
      if (demo) await page.route('**/api/ui/demo', (route) => route.fulfill({ json: demo }));
      // Intercepted requests may be reported twice.
      const loaded = new Set<string>();
      page.on('request', (request) => loaded.add(request.url()));
      await page.goto(`${open.hub.baseUrl}/`);
      await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
      if (demo) await page.getByRole('region', { name: 'Demo data' }).waitFor();
      await settle(page);
      const scripts = [...loaded].filter((url) => url.endsWith('.js'));
      const sizes = scripts.map(async (url) => {
        const { headers } = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
        return Number(headers.get('content-length'));
      });
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      expect(scripts.length).toBeGreaterThan(0);
      expect(bytes, scripts.join(' ')).toBeLessThanOrEqual(maxBytes);
      expect(
        [...loaded].filter((url) => !url.startsWith(open.hub.baseUrl) && !url.startsWith('data:')),
      ).toEqual([]);
      await page.context().close();
    },
  );

  test.each(['/', '/timeline', '/species'])('of %s, shifts nothing already visible', async (path) => {
    const { page } = await openPage(open.browser, { viewport: screens.phone, ...blocked });
    await page.addInitScript(watchShifts);
    await page.goto(open.hub.baseUrl + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settle(page);
    const shifts = await page.evaluate<{ value: number; moved: string[] }[]>('window.shifts');
    const shifted = shifts.reduce((sum, { value }) => sum + value, 0);
    expect(shifted, JSON.stringify(shifts)).toBeLessThan(0.05);
    await page.context().close();
  });

  test('followed by a loss of network, shows the shell and that one is offline', async () => {
    const { page } = await openPage(open.browser, { hasServiceWorker: true });
    await page.goto(`${open.hub.baseUrl}/`);
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await page.context().setOffline(true);
    await page.goto(`${open.hub.baseUrl}/calendar`);
    await page.getByText('You are offline').first().waitFor();
    await page.getByRole('navigation').first().waitFor();
    await page.context().close();
  });

  test('with its manifest, is installable below the base path', async () => {
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

describe.skipIf(isWithoutBrowser)('the notice of a new version', () => {
  /** A proxy before the hub, which can serve a changed service worker. */
  let proxy: Server;
  let isNewer = false;
  beforeAll(() => {
    const { host } = new URL(open.hub.baseUrl);
    proxy = createServer((asked, response) => {
      const { 'accept-encoding': _, ...headers } = asked.headers;
      const onward = request(`http://${host}${asked.url}`, { method: asked.method, headers }, (found) => {
        if (!isNewer || !asked.url?.endsWith('/service-worker.js')) {
          response.writeHead(found.statusCode ?? 502, found.headers);
          found.pipe(response);
          return;
        }
        const parts: Buffer[] = [];
        found.on('data', (part: Buffer) => parts.push(part));
        found.on('end', () => {
          response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-cache' });
          response.end(`${Buffer.concat(parts)}\n// newer`);
        });
      });
      onward.on('error', () => response.destroy());
      response.on('close', () => onward.destroy());
      asked.pipe(onward);
    });
    return new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const addressOf = (path: string) =>
    `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${new URL(open.hub.baseUrl).pathname}${path}`;
  const isActive = `navigator.serviceWorker.ready.then(({ active }) =>
    active.state === 'activated' || new Promise((resolve) => active.addEventListener('statechange', resolve)))`;

  test.each(['/', '/species/1', '/videos/1'])('on a first visit at %s, is not shown', async (path) => {
    const { page } = await openPage(open.browser, { hasServiceWorker: true });
    await page.goto(open.hub.baseUrl + path);
    await page.evaluate(isActive);
    await settle(page);
    await page.waitForTimeout(500);
    expect(await page.getByRole('button', { name: 'Reload' }).count()).toBe(0);
    await page.context().close();
  });

  test('on a page controlled by an older version, is shown and reloads the page', async () => {
    const { page } = await openPage(open.browser, { hasServiceWorker: true });
    await page.goto(addressOf('/species/1'));
    await page.evaluate(isActive);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
    expect(await page.getByRole('button', { name: 'Reload' }).count()).toBe(0);
    isNewer = true;
    await page.evaluate('navigator.serviceWorker.ready.then((registration) => registration.update())');
    // A worker under automation does not give up control, so the page reloads without waiting for it.
    const [loaded] = await Promise.all([
      page.waitForEvent('load').then(() => true),
      page.getByRole('button', { name: 'Reload' }).click(),
    ]);
    expect(loaded).toBe(true);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.context().close();
  });
});
