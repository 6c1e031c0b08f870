import type { Locator, Page, ViewportSize } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { TimelineItem } from '../e2e/fixtures/hub-responses.js';
import { screens } from '../support/browser.js';
import { findViolations } from './support/check-accessibility.js';
import { readHub, yesterday } from './support/hub-api.js';
import { isWithoutBrowser, useFilledHub } from './support/open-hub.js';

const open = useFilledHub();
const smallest = { width: 320, height: 640 };
const tablet = { width: 768, height: 1024 };
const laptop = { width: 1280, height: 720 };
const wide = { width: 2560, height: 1440 };
const locales = ['en-GB', 'de-DE', 'ru-RU'] as const;
const phones = locales.flatMap((locale) =>
  [screens.phone, smallest].map((viewport) => ({ locale, viewport })),
);
async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error('it is not drawn');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

/** Whether the middle of an element is visible and not covered. */
const isUncovered = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    const seen = node.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
    return seen !== null && node.contains(seen);
  });

/** Whether all text of an element is visible. */
const isWhole = (element: Locator) =>
  element.evaluate((node) => node.scrollWidth <= node.clientWidth && node.scrollHeight <= node.clientHeight);

/** Resizes the page and waits until it is drawn. */
async function resize(page: Page, viewport: ViewportSize): Promise<void> {
  await page.setViewportSize(viewport);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

const seenYesterday = () =>
  readHub<TimelineItem[]>(open.hub, `/timeline?date=${yesterday()}&source=video&limit=20`);

/** Stubs a visit with the longest name that fits a card: favourite, reviewed and in doubt at once. */
async function stubMarkedVisit(page: Page): Promise<void> {
  const [visit] = await seenYesterday();
  const [detection] = visit?.detections ?? [];
  if (visit === undefined || detection === undefined) throw new Error('yesterday has no visits');
  const detections = [{ ...detection, source: 'audio' as const, reviewed: true, confidence: 0.2 }];
  const species = { ...visit.species, name: 'Great Spotted Woodpecker' };
  const items = [{ ...visit, species, detections, start_time: new Date().toISOString() }];
  await page.route('**/api/ui/timeline?*', (route) => route.fulfill({ json: items }));
}

const runningDemo = {
  state: 'live',
  birds: 'europe',
  done: 10,
  total: 10,
  has_own_birds: false,
  has_own_place: false,
  message: null,
  started_at: '2026-05-01T08:00:00.000Z',
  is_ready: true,
};

describe.skipIf(isWithoutBrowser)('the layout', () => {
  test.each(phones)(
    'of a correction in $locale, $viewport.width pixels wide, hides neither the field nor the undo button',
    async ({ locale, viewport }) => {
      const [visit] = await seenYesterday();
      const { page } = await open.openAt(`/videos/${visit?.detections[0]?.video_id}`, { locale, viewport });
      const bar = await boxOf(page.getByRole('navigation').last());
      await page.locator('li > button[aria-expanded]').first().click();
      const field = page.getByRole('combobox').first();
      await field.waitFor();
      await expect.poll(async () => (await boxOf(field)).bottom).toBeLessThanOrEqual(bar.y);
      await page.evaluate('window.scrollTo(0, 0)');
      await field.focus();
      await expect.poll(async () => (await boxOf(field)).bottom).toBeLessThanOrEqual(bar.y);
      await field.fill('e');
      await page.getByRole('option').nth(3).click();
      const undo = page.getByRole('alert').getByRole('button').filter({ hasText: /\S/ }).first();
      // It stays while the pointer is on it.
      await undo.hover();
      await expect.poll(async () => (await boxOf(undo)).right).toBeLessThanOrEqual(viewport.width);
      expect(await isWhole(undo.locator('span').first())).toBe(true);
      await undo.click();
      await undo.waitFor({ state: 'detached' });
    },
  );

  test.each(['de-DE', 'ru-RU'])(
    'of a recording in %s, does not move when the names of species arrive late',
    async (locale) => {
      const [visit] = await seenYesterday();
      const { page } = await open.openAt(`/videos/${visit?.detections[0]?.video_id}`, {
        locale,
        prepare: (fresh) =>
          fresh.route(/\/assets\/(de|ru)-/, async (route) => {
            await new Promise((resolve) => setTimeout(resolve, 1_000));
            await route.continue();
          }),
      });
      await page.locator('li > button[aria-expanded]').first().waitFor();
      const title = await page.getByRole('heading', { level: 1 }).textContent();
      expect(title).not.toContain(visit?.species.name);
    },
  );

  test('of a recording at its end, does not move while what to watch next loads', async () => {
    const [visit] = await seenYesterday();
    let isAsked = false;
    const { page } = await open.openAt(`/videos/${visit?.detections[0]?.video_id}`, {
      viewport: smallest,
      prepare: (fresh) =>
        fresh.route('**/api/ui/highlights?*', () => {
          isAsked = true;
        }),
    });
    const row = page.locator('li > button[aria-expanded]').first();
    await row.waitFor();
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    const before = await boxOf(row);
    await expect.poll(() => isAsked).toBe(true);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await boxOf(row)).toEqual(before);
  });

  test.each(locales)('of a card in %s on phones, keeps its icons within it', async (locale) => {
    const { page } = await open.openAt('/timeline', {
      locale,
      viewport: screens.phone,
      prepare: stubMarkedVisit,
    });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/^\p{Lu}/u);
    for (const viewport of [screens.phone, smallest]) {
      await resize(page, viewport);
      const card = page.locator('[data-visit]').first();
      const edge = await boxOf(card);
      const signs = await card.locator('[role=img]').all();
      expect(signs.length).toBeGreaterThan(1);
      for (const sign of signs) expect((await boxOf(sign)).right).toBeLessThanOrEqual(edge.right);
    }
  });

  test.each(locales)('of %s with little content, does not scroll', async (locale) => {
    const { page } = await open.openAt('/', { locale, viewport: screens.phone, prepare: stubMarkedVisit });
    expect(await page.locator('h1 + p').textContent()).toMatch(/^\p{Lu}/u);
    for (const viewport of [screens.phone, smallest]) {
      await resize(page, viewport);
      const link = page.locator('main a[href*="/videos/"]').first();
      for (const words of await link.locator('span').all()) expect(await isWhole(words)).toBe(true);
    }
  });

  test.each(['/timeline?date=2001-01-01', '/videos/999999999'])(
    'of %s with little on it, does not scroll',
    async (path) => {
      const { page } = await open.openAt(path, { viewport: screens.phone });
      for (const viewport of [screens.phone, screens.desktop]) {
        await resize(page, viewport);
        expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(viewport.height);
      }
    },
  );

  test.each(['en-GB', 'ru-RU'])('of Review in %s, covers no answer and offers none twice', async (locale) => {
    const { page } = await open.openAt('/timeline?review=1', { locale, viewport: screens.phone });
    const likely = page.getByRole('group').last().getByRole('button');
    await likely.first().waitFor();
    expect(await likely.count()).toBeLessThanOrEqual(3);
    for (const viewport of [screens.phone, smallest, laptop]) {
      await resize(page, viewport);
      for (const response of await likely.all()) {
        expect(await isUncovered(response)).toBe(true);
        expect(await isWhole(response)).toBe(true);
      }
    }
    await resize(page, tablet);
    // Names of two lines at most.
    for (const response of await likely.all()) expect((await boxOf(response)).height).toBeLessThan(48);
    const names = await likely.allTextContents();
    const asked = (await page.getByRole('heading', { level: 2 }).first().textContent()) ?? '';
    expect(names.map((name) => name.replace(/^\d/, '')).filter((name) => asked.includes(name))).toEqual([]);
  });

  test.each(locales)(
    'of Review in %s on phones, with the banner of the demo, shows question and answers together',
    async (locale) => {
      const { page } = await open.openAt('/timeline?review=1', {
        locale,
        viewport: screens.phone,
        prepare: (fresh) => fresh.route('**/api/ui/demo', (route) => route.fulfill({ json: runningDemo })),
      });
      const question = page.getByRole('heading', { level: 2 }).locator('../..');
      const answers = page.getByRole('group').last().locator('xpath=ancestor::*[count(.//button) > 4][1]');
      await page.getByRole('group').last().getByRole('button').first().waitFor();
      for (const viewport of [screens.phone, { width: 360, height: 640 }]) {
        await resize(page, viewport);
        const [asked, shown] = [await boxOf(question), await boxOf(answers)];
        expect(asked.bottom).toBeLessThanOrEqual(shown.y);
        expect(shown.bottom).toBeLessThanOrEqual((await boxOf(page.getByRole('navigation').last())).y);
        const crop = await boxOf(page.getByRole('main').locator('img').first());
        expect(crop.bottom).toBeLessThanOrEqual(shown.y);
        expect(crop.height).toBeGreaterThan(100);
      }
    },
  );

  test.each([
    { path: '/', prepare: stubMarkedVisit, row: 'main ul:has(a[href*="species_id="])' },
    { path: '/timeline', row: 'main div:has(> [data-place])' },
  ])('of $path on a very wide screen, has six columns or more', async ({ row, path, ...options }) => {
    const { page } = await open.openAt(path, { viewport: wide, ...options });
    const cards = page.locator(row).first();
    const columns = await cards.evaluate(
      (node) => node.ownerDocument.defaultView?.getComputedStyle(node).gridTemplateColumns.split(' ').length,
    );
    expect(columns).toBeGreaterThanOrEqual(6);
    expect((await boxOf(cards)).width).toBeGreaterThan(1_500);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(wide.width);
  });

  test('of an alert in dark mode, has links with enough contrast', async () => {
    const { page } = await open.openAt('/', {
      colorScheme: 'dark',
      async prepare(fresh) {
        const status = await readHub<object>(open.hub, '/status');
        await fresh.route('**/api/ui/status', (route) =>
          route.fulfill({ json: { ...status, processor: 'error', storage: 'error' } }),
        );
      },
    });
    await expect.poll(() => page.locator('.mantine-Alert-root').count()).toBe(2);
    expect(await findViolations(page)).toEqual([]);
  });

  test('in dark mode, marks the chosen page and tints greys like the background', async () => {
    const { page } = await open.openAt('/timeline?date=2001-01-01', { colorScheme: 'dark' });
    const colours = (await page.evaluate(`
      [document.querySelector('nav [aria-current=page]'), document.querySelector('main button')].map((node) => {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        for (const color of [document.body, node].map((one) => getComputedStyle(one).backgroundColor)) {
          canvas.fillStyle = color;
          canvas.fillRect(0, 0, 1, 1);
        }
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
      })`)) as [number, number, number][];
    const [chosen, grey] = colours;
    const light = ([red, green, blue]: readonly number[] = []) =>
      0.2126 * ((red ?? 0) / 255) ** 2.2 +
      0.7152 * ((green ?? 0) / 255) ** 2.2 +
      0.0722 * ((blue ?? 0) / 255) ** 2.2;
    const ground = light([0x15, 0x1a, 0x16]);
    expect((light(chosen) + 0.05) / (ground + 0.05)).toBeGreaterThan(1.3);
    expect(grey?.[1]).toBeGreaterThan(grey?.[0] ?? 255);
  });
});
