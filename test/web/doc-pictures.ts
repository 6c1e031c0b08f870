import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitReady } from '@birdhub/launcher/lifecycle';
import { startTestHub, stopTestHubs } from '@birdhub/testing/hub';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, screens } from '../support/browser.js';
import { placeAtNoon } from './support/noon.js';
import { settle, waitForPictures } from './support/pages.js';

/** The folder for the pictures of README.md and `docs`. */
const target = 'docs/pictures';
const phones = ['today', 'review', 'recording'] as const;
/** What the pages show when they are complete; Today begins with a bird that has just come. */
const texts = { today: /Latest visitor/, review: /reviewed/, recording: /detection/ };
/** Live birds come about once a minute. */
const readyTimeoutMs = 240_000;

async function read<T>(baseUrl: string, path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(`${baseUrl}/api/ui${path}`, init);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as T;
}

/** A place where it is about noon now: birds visit by day, so the pictures do not depend on the time of the run. */
const noon = placeAtNoon(new Date());

/** Starts the built-in demo and waits until its past recordings have been posted and have pictures. */
async function startDemo(baseUrl: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ birds: 'europe', ...noon });
  await read(baseUrl, '/demo', { method: 'POST', headers, body });
  await waitReady({
    what: 'The demo',
    isReady: async () => (await read<{ state: string }>(baseUrl, '/demo')).state === 'live',
    timeoutMs: 900_000,
  });
}

async function take(page: Page, url: string, file: string, readyText: RegExp): Promise<void> {
  await page.goto(url);
  await page.getByText(readyText).first().waitFor({ timeout: readyTimeoutMs });
  // Hides the notice of the demo, and the time zone, which depends on the time of the run.
  await page.addStyleTag({
    content: 'section[aria-label="Demo data."] { display: none } aside > p { visibility: hidden }',
  });
  await settle(page);
  await waitForPictures(page);
  await page.waitForTimeout(1_500);
  await page.screenshot({ path: file });
  console.log(file);
}

async function takeAll(browser: Browser, baseUrl: string, folder: string): Promise<void> {
  const now = new Date().toISOString();
  const since = new Date(Date.now() - 5 * 86_400_000).toISOString();
  const [best] = await read<{ video_id: number; species: { name: string } }[]>(
    baseUrl,
    `/highlights?start_time=${since}&end_time=${now}&limit=1`,
  );
  if (!best) throw new Error('the demo has no best moment');
  const recording = `/videos/${best.video_id}`;
  // The content security policy would refuse the style that hides the notice of the demo.
  const usual = { bypassCSP: true, colorScheme: 'light' } as const;

  const desktop = await openPage(browser, { ...usual, viewport: { width: 1280, height: 880 } });
  await take(desktop.page, `${baseUrl}/`, join(target, 'today.png'), texts.today);
  await take(desktop.page, `${baseUrl}/timeline`, join(target, 'timeline.png'), /visits/);
  await take(desktop.page, `${baseUrl}/review`, join(target, 'review.png'), texts.review);

  const phone = await openPage(browser, {
    ...usual,
    viewport: screens.phone,
    deviceScaleFactor: 2,
    hasTouch: true,
  });
  const paths = { today: '/', review: '/review', recording };
  const files = phones.map((name) => join(folder, `${name}.png`));
  for (const [at, name] of phones.entries())
    await take(phone.page, `${baseUrl}${paths[name]}`, files[at] ?? '', texts[name]);
  const inputs = files.flatMap((file) => ['-i', file]);
  const padded = files.map((_, at) => `[${at}]scale=400:-2,pad=iw+40:ih+40:20:20:white[p${at}]`).join(';');
  const row = `${files.map((_, at) => `[p${at}]`).join('')}hstack=inputs=${files.length}`;
  await promisify(execFile)('ffmpeg', [
    ...['-v', 'error', '-y', ...inputs],
    ...['-filter_complex', `${padded};${row}`, '-frames:v', '1', join(target, 'phones.png')],
  ]);

  const wall = await openPage(browser, { ...usual, viewport: { width: 1280, height: 720 } });
  await take(wall.page, `${baseUrl}/wall?theme=dark`, join(target, 'wall.png'), /Species/);
}

const folder = await mkdtemp(join(tmpdir(), 'birdhub-pictures-'));
try {
  const hub = await startTestHub({ dataDir: join(folder, 'data'), env: { TZ: noon.timezone } });
  await startDemo(hub.baseUrl);
  const browser = await openBrowser();
  await takeAll(browser, hub.baseUrl, folder);
  await browser.close();
} finally {
  await stopTestHubs();
  await rm(folder, { recursive: true });
}
