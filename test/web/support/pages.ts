import type { Page } from 'playwright-core';
import { yesterday } from './hub-api.js';

/** Returns all pages of the UI with their headings, at paths that exist in the filled hub. */
export async function listPages(baseUrl: string): Promise<{ path: string; heading: RegExp }[]> {
  const read = async (path: string) => (await fetch(`${baseUrl}/api/ui${path}`)).json();
  const date = yesterday();
  const visits = (await read(`/timeline?date=${date}&source=video`)) as {
    detections: { video_id: number }[];
  }[];
  const species = (await read('/species/observed')) as { id: number; name: string; count: number }[];
  const video = visits[0]?.detections[0]?.video_id;
  const [bird] = species.sort((one, other) => other.count - one.count);
  if (video === undefined || bird === undefined) throw new Error('the hub is not filled');
  return [
    { path: '/', heading: /Today/ },
    { path: `/timeline?date=${date}`, heading: /\d{4}/ },
    { path: '/timeline?review=1', heading: /Review/ },
    { path: `/videos/${video}`, heading: /./ },
    { path: '/species', heading: /Species/ },
    { path: `/species/${bird.id}`, heading: new RegExp(bird.name) },
    { path: '/calendar', heading: /Calendar/ },
    { path: '/region', heading: /Region/ },
    { path: '/reports', heading: /Reports/ },
    { path: '/sources', heading: /Sources/ },
    { path: '/system', heading: /System/ },
    { path: '/settings', heading: /Settings/ },
    { path: '/wall', heading: /wall view/ },
  ];
}

const loading = '[role=status][aria-label="Loading"], .mantine-Loader-root';

/** Waits until the page shows its content. It does not wait for an idle network, as the live events never end. */
export async function settle(page: Page): Promise<void> {
  while ((await page.locator(loading).count()) > 0) await page.waitForTimeout(50);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

const onScreen = `[...document.querySelectorAll('img, [data-pending]')].filter((element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight && element.complete !== true;
}).length`;

/** Waits until the visible pictures have loaded, including those that are still being created. */
export async function waitForPictures(page: Page): Promise<void> {
  while (Number(await page.evaluate(onScreen)) > 0) await page.waitForTimeout(100);
}
