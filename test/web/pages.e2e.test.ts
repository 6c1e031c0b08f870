import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { TimelineItem } from '../e2e/fixtures/hub-responses.js';
import { openPage, screens } from '../support/browser.js';
import { findViolations } from './support/check-accessibility.js';
import { readHub, yesterday } from './support/hub-api.js';
import { isWithoutBrowser, useFilledHub } from './support/open-hub.js';
import { listPages, settle } from './support/pages.js';

const open = useFilledHub();
const count = 5_000;
/** A video posted a moment ago has no pictures yet. */
const isOnItsWay = (complaint: string) =>
  /\b503\b.*\/(poster|crop|spectrogram)(\?width=\d+)?$/.test(complaint);
const maxCards = 150;

/** A day of very many visits, newest first, copied from one. */
function busyDay(visit: TimelineItem): TimelineItem[] {
  const midnight = Date.parse(`${yesterday()}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) => {
    const start_time = new Date(midnight + ((count - index) * 75_000_000) / count).toISOString();
    return { ...visit, id: 1_000_000 + count - index, start_time, end_time: start_time };
  });
}

describe.skipIf(isWithoutBrowser)('every page', () => {
  test.each([
    ['phone', 'light'],
    ['desktop', 'dark'],
  ] as const)(
    'on a %s in %s, shows its data without errors, accessibility problems or sideways scrolling',
    async (screen, colorScheme) => {
      const { page, pageErrors } = await openPage(open.browser, {
        viewport: screens[screen],
        colorScheme,
        reducedMotion: 'no-preference',
      });
      const found: string[] = [];
      for (const { path, heading } of await listPages(open.hub.baseUrl)) {
        await page.goto(open.hub.baseUrl + path);
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        await settle(page);
        const barriers = await findViolations(page);
        const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
        if (width > screens[screen].width) barriers.push(`is ${width} pixels wide`);
        found.push(
          ...[...barriers, ...pageErrors.splice(0).filter((what) => !isOnItsWay(what))].map(
            (what) => `${path} ${what}`,
          ),
        );
      }
      expect(found).toEqual([]);
      await page.context().close();
    },
    120_000,
  );

  test.each(['/', '/timeline', '/species', '/sources', '/sources?add=frigate', '/settings'])(
    'at %s on the smallest phone, fits',
    async (path) => {
      const viewport = { width: 320, height: 640 };
      const { page } = await open.openAt(path, { viewport });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
    },
  );

  test('for an e-paper wall, fits it in the language of the URL and shows when the hub is away', async () => {
    const viewport = { width: 800, height: 480 };
    const { page } = await openPage(open.browser, { viewport, reducedMotion: 'no-preference' });
    await page.goto(`${open.hub.baseUrl}/wall?eink=1&lang=de&interval=10`);
    await page.getByText('Arten des Tages').waitFor();
    await settle(page);
    const sizes =
      'const { scrollWidth, scrollHeight } = document.querySelector("main"); [scrollWidth, scrollHeight]';
    expect(await page.evaluate(sizes)).toEqual([viewport.width, viewport.height]);
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
    await page.route('**/api/**', (route) => route.abort());
    await page.getByText(/keine Verbindung zum Hub/).waitFor();
    await page.unroute('**/api/**');
    await page.getByText(/keine Verbindung zum Hub/).waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('of a day with 5,000 visits on a phone, is read to its end with few cards at any time', async () => {
    const [visit] = await readHub<TimelineItem[]>(open.hub, `/timeline?date=${yesterday()}`);
    if (visit === undefined) throw new Error('yesterday has no visits');
    const { page } = await openPage(open.browser, { viewport: screens.phone });
    await page.route('**/api/ui/timeline?*', (route) => route.fulfill({ json: busyDay(visit) }));
    await page.goto(`${open.hub.baseUrl}/timeline?date=${yesterday()}`);
    const cards = page.locator('[data-visit]');
    await cards.first().waitFor();
    const end = page.getByText('End of day: 5,000 visits');
    for (let tries = 0; tries < 60 && !(await end.isVisible()); tries += 1) {
      await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
      expect(await cards.count()).toBeLessThan(maxCards);
      await page.waitForTimeout(50);
    }
    expect(await page.locator('[data-visit="1000001"]').count()).toBe(1);
    await page.context().close();
  });
});

/** Makes an HLS stream of four seconds; returns its files by name. */
function makeStream(): ReadonlyMap<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'birdhub-hls-'));
  try {
    const source = [
      '-f',
      'lavfi',
      '-i',
      'testsrc=s=320x180:r=10:d=4',
      '-c:v',
      'libx264',
      '-pix_fmt',
      'yuv420p',
    ];
    const parts = ['-hls_time', '2', '-hls_list_size', '0', join(folder, 'index.m3u8')];
    execFileSync('ffmpeg', ['-loglevel', 'error', ...source, '-g', '20', ...parts]);
    const names = ['index.m3u8', 'index0.ts', 'index1.ts'];
    return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Gives the first camera of the hub a live picture. */
async function stubLive(page: Page, kind: 'hls' | 'none', stream: ReadonlyMap<string, Buffer> = new Map()) {
  await page.route('**/api/ui/cameras', async (route) => {
    const { cameras } = (await (await route.fetch()).json()) as { cameras: [object] };
    await route.fulfill({ json: { cameras: [{ ...cameras[0], stream_url: 'http://camera/1.m3u8' }] } });
  });
  await page.route('**/live', (route) =>
    route.request().resourceType() === 'document' ? route.continue() : route.fulfill({ json: { kind } }),
  );
  await page.route('**/live/hls/*', (route) => {
    const body = stream.get(new URL(route.request().url()).pathname.split('/').at(-1) ?? '');
    return body
      ? route.fulfill({ body })
      : route.fulfill({ status: 502, json: { code: 'live_unavailable' } });
  });
}

describe.skipIf(isWithoutBrowser)('the live picture of a camera', () => {
  test('by HLS, plays in a browser without HLS support and links to the page of the camera', async () => {
    const stream = makeStream();
    const { page, pageErrors } = await open.openAt('/live', {
      viewport: screens.phone,
      prepare: (fresh) => stubLive(fresh, 'hls', stream),
    });
    const video = page.locator('section video');
    await expect
      .poll(() => video.evaluate((element) => Number(Reflect.get(element, 'currentTime'))))
      .toBeGreaterThan(0);
    expect(await findViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
    await page.getByRole('link', { name: /./ }).and(page.locator('section a')).first().click();
    await page.waitForURL(/\/cameras\//);
    await page.getByRole('heading', { name: 'Latest visits' }).waitFor();
  });

  test('that does not load, shows a message and is requested again by a button', async () => {
    const { page } = await open.openAt('/live', { prepare: (fresh) => stubLive(fresh, 'hls') });
    await page.getByText('The camera does not show its picture').waitFor();
    const asked = page.waitForRequest('**/live/hls/index.m3u8');
    await page.getByRole('button', { name: 'Try again' }).click();
    await asked;
  });

  test('of a kind that no browser shows, names the kinds that work', async () => {
    const { page } = await open.openAt('/live', { prepare: (fresh) => stubLive(fresh, 'none') });
    await page.getByText('This address cannot be shown live').waitFor();
    await page.getByText(/MJPEG, a JPEG picture, HLS/).waitFor();
  });
});

describe.skipIf(isWithoutBrowser)('the page of a camera', () => {
  test('with birds, shows where they are and paths that link to their recordings', async () => {
    const { cameras } = await readHub<{ cameras: { id: string }[] }>(open.hub, '/cameras');
    const { page } = await open.openAt(`/cameras/${cameras[0]?.id}?range=month`, { viewport: screens.phone });
    await page.getByRole('img', { name: /^Most often/ }).waitFor();
    await page.getByText('Paths', { exact: true }).click();
    await page.getByRole('img', { name: /^The paths? of \d+ birds? through/ }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.locator('a[href*="?detection="]').last().click();
    await page.waitForURL(/\/videos\/\d+\?detection=\d+/);
  });

  test('with an unknown camera, shows a message', async () => {
    const { page } = await open.openAt('/cameras/nowhere');
    await page.getByText('There is no such camera').waitFor();
  });
});
