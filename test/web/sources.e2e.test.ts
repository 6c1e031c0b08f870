import { createServer } from 'node:net';
import { join } from 'node:path';
import { startTestHub, type TestHub } from '@birdhub/testing/hub';
import { type Frigate, startFrigate } from '@birdhub/testing/upstreams/frigate';
import type { Page, ViewportSize } from 'playwright-core';
import { afterAll, describe, test } from 'vitest';
import { inOneProcess, useDataFolder } from '../e2e/fixtures/temporary-hub.js';
import { describePage, openPage, screens, type WatchedPage } from '../support/browser.js';
import { copyDataTemplate } from '../support/copy-data-template.js';
import { findViolations } from './support/check-accessibility.js';
import { readHub } from './support/hub-api.js';
import { isWithoutBrowser, useBrowser } from './support/open-hub.js';
import { settle } from './support/pages.js';

const open = useBrowser();
/** Clips are fetched some time after a bird has left, once Frigate has written them. */
const waitOptions = { timeout: 150_000, interval: 250 };
const hourMs = 3_600_000;

interface StoredVisit {
  readonly species: { readonly name: string };
  readonly cameras: readonly string[];
  readonly detections: readonly { readonly video_id: number }[];
}

interface StoredVideo {
  readonly media: string;
  readonly camera_id: string | null;
}

interface ListedSource {
  readonly id: number;
  readonly state: string;
}

/** Returns a loopback address where nothing listens. */
function closedAddress(): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(`http://127.0.0.1:${port}`));
    });
  });
}

/** Pictures of new recordings are still being made, or wait for their clip. */
const isOnItsWay = (complaint: string) =>
  /\b(409|503)\b.*\/(poster|crop|spectrogram|stream)(\?width=\d+)?(#t=[\d.,]+)?$/.test(complaint);

/** Returns the accessibility problems of the page, and whether it is too wide. */
async function barriersOf(page: Page): Promise<string[]> {
  await settle(page);
  await page.evaluate(
    'Promise.all(document.getAnimations().map((one) => one.finished.catch(() => undefined)))',
  );
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  const widest = page.viewportSize()?.width ?? 0;
  return [...(await findViolations(page)), ...(width > widest ? [`is ${width} pixels wide`] : [])];
}

// Each waits for its own hub and its own Frigate most of the time, so all of them run at the same time.
describe.skipIf(isWithoutBrowser)('a source added on its page', { concurrent: true }, () => {
  const folder = useDataFolder();
  const started: Frigate[] = [];
  afterAll(async () => {
    await Promise.all(started.splice(0).map((frigate) => frigate.stop()));
  });

  const startHub = async (name: string): Promise<TestHub> => {
    const dataDir = join(folder.path, name);
    await copyDataTemplate(dataDir);
    const hub = await startTestHub({ dataDir, env: { TZ: 'UTC', ...inOneProcess } });
    folder.hubs.push(hub);
    return hub;
  };
  const start = async (): Promise<Frigate> => {
    const frigate = await startFrigate({ cameras: ['birdcam'] });
    started.push(frigate);
    return frigate;
  };
  /** Opens a page for one test: the browser is shared and closed after all of them. */
  const openHome = async (hub: TestHub, viewport: ViewportSize): Promise<WatchedPage> => {
    const watched = await openPage(open.browser, { viewport });
    await watched.page.goto(`${hub.baseUrl}/`);
    await watched.page.getByRole('heading', { level: 1 }).waitFor();
    await settle(watched.page);
    return watched;
  };

  test.for(['phone', 'desktop'] as const)(
    'on a %s to a fresh hub, brings birds, clips and visits, including former ones',
    { timeout: 400_000 },
    async (screen, { expect, onTestFailed }) => {
      const [hub, frigate] = await Promise.all([startHub(screen), start()]);
      const before = Date.now() - 26 * hourMs;
      frigate.bird({ name: 'Great Tit', start: before, end: before + 12_000 });
      const watched = await openHome(hub, screens[screen]);
      onTestFailed(async () => console.error(await describePage(watched)));
      const { page, pageErrors } = watched;
      const barriers: string[] = [];
      const check = async () => void barriers.push(...(await barriersOf(page)));

      await page.getByRole('link', { name: 'Connect a source' }).click();
      // Today asks the same question, so the page must be there first.
      await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
      await page.getByRole('heading', { name: 'Where do your birds come from?' }).waitFor();
      await check();
      await page.getByRole('link', { name: /^Frigate/ }).click();
      const address = page.getByRole('textbox', { name: 'Address' });
      await address.fill(await closedAddress());
      await page.getByRole('button', { name: 'Test connection' }).click();
      await page.getByText('Stopped at: Address').waitFor();
      await check();

      await address.fill(frigate.url.replace('http://', ''));
      await page.getByRole('button', { name: 'Test again' }).click();
      await page.getByText('Everything works').waitFor(waitOptions);
      await page.getByText(/^Great Tit \(\d+%\)$/).waitFor();
      await page.getByLabel('birdcam in Birdhub').fill('garden');
      await check();
      expect(await readHub<ListedSource[]>(hub, '/sources')).toEqual([]);
      await page.getByRole('button', { name: 'Add source' }).click();
      await page.getByText('Frigate is connected').waitFor();
      await check();

      const bird = frigate.bird({ name: 'Eurasian Blue Tit' });
      await page.waitForTimeout(2_000);
      bird.end();
      await page.getByRole('button', { name: 'Import history' }).click();
      const dialog = page.getByRole('dialog');
      const day = new Date(before).toISOString().slice(0, 10);
      await dialog.getByLabel('Everything since').fill(day);
      await check();
      await dialog.getByRole('button', { name: 'Start import' }).click();
      await page.getByRole('region', { name: 'Import finished' }).waitFor(waitOptions);
      await check();

      await page.goto(`${hub.baseUrl}/timeline?date=${day}`);
      await page
        .getByRole('link', { name: /Great Tit/ })
        .first()
        .click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      const readyState = async () =>
        Number(await page.evaluate('document.querySelector("video")?.readyState'));
      await expect.poll(readyState, waitOptions).toBeGreaterThan(0);
      await check();

      await page.goto(`${hub.baseUrl}/`);
      await page.getByRole('listitem').filter({ hasText: 'Eurasian Blue Tit' }).first().waitFor(waitOptions);
      await check();
      const [visit] = await readHub<StoredVisit[]>(
        hub,
        `/timeline?date=${new Date().toISOString().slice(0, 10)}`,
      );
      expect([visit?.species.name, visit?.cameras]).toEqual(['Eurasian Blue Tit', ['garden']]);
      const video = () => readHub<StoredVideo>(hub, `/videos/${visit?.detections[0]?.video_id}`);
      await expect.poll(video, waitOptions).toMatchObject({ media: 'ready', camera_id: 'garden' });
      expect([barriers, pageErrors.filter((what) => !isOnItsWay(what))]).toEqual([[], []]);
    },
  );

  test('that fails later, is reported on its page and on Today until it is paused', async ({ expect }) => {
    const [hub, frigate] = await Promise.all([startHub('failing'), start()]);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ kind: 'frigate', name: 'Pond', url: frigate.url });
    await readHub(hub, '/sources', { method: 'POST', headers, body });
    const states = async () => (await readHub<ListedSource[]>(hub, '/sources')).map(({ state }) => state);
    await expect.poll(states, waitOptions).toEqual(['live']);
    await frigate.goDown();
    await expect.poll(states, waitOptions).toEqual(['error']);
    const { page } = await openHome(hub, screens.desktop);
    await page.getByText('Pond cannot be read').waitFor();
    await page.getByRole('alert').getByRole('link', { name: 'Sources' }).click();
    const card = page.getByRole('listitem', { name: 'Pond' });
    await card.getByText('Not working').waitFor();
    const barriers = await barriersOf(page);
    await card.getByRole('button', { name: 'Pause: Pond' }).click();
    await card.getByText('Paused', { exact: true }).waitFor();
    barriers.push(...(await barriersOf(page)));
    await card.getByRole('button', { name: 'Remove: Pond' }).click();
    await page.getByText('0 recordings stay in Birdhub.').waitFor();
    barriers.push(...(await barriersOf(page)));
    await page.getByRole('button', { name: 'Remove source' }).click();
    await page.getByRole('heading', { name: 'Where do your birds come from?' }).waitFor();
    expect(barriers).toEqual([]);
    await frigate.comeBack();
  }, 400_000);
});
