import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findTool } from '@birdhub/launcher/find-tool';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { atLeast, atMost } from '../report/judge.js';
import type { ResultRow } from '../report/result-row.js';
import { startHub } from '../run/hub-process.js';
import { median, quantile } from '../run/quantile.js';
import { copyFolder } from '../run/work-copy.js';
import type { BenchCase } from './bench-case.js';

const screens = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
  desktop: { viewport: { width: 1440, height: 900 } },
} as const;

/** How much slower the processor of the page is made. */
const slowdown = 4;
const loads = 5;
const demoTimeoutMs = 900_000;
const pageTimeoutMs = 60_000;
/** Until what is shown is painted and told of, on the slow processor. */
const paintedMs = 2_000;
const scrollSeconds = 6;
/** Until a page that is there has loaded what it begins with: the frames of that are none of scrolling. */
const settleMs = 3_000;
/** A frame of 60 a second, with what clocks are off. */
const frameMs = 17.5;

/** When the largest piece of content was painted, in ms since the page was asked for. */
const largestPaint = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true });
})`;

const picturesAreShown = `[...document.querySelectorAll('img')].some(({ complete, naturalWidth, clientWidth }) =>
  complete && naturalWidth > 0 && clientWidth > 200)`;

/** Scrolls on a little with each frame; returns how long each of them took, in ms. */
const scroll = `new Promise((resolve) => {
  const times = [];
  let last;
  const step = (now) => {
    if (last !== undefined) times.push(now - last);
    last = now;
    scrollBy(0, 60);
    // A jump by the scrubber now and then: through all years in the time that there is.
    if (times.length % 60 === 59)
      scrollTo(0, document.documentElement.scrollHeight * ((times.length + 1) / (60 * ${scrollSeconds})));
    if (times.length < 60 * ${scrollSeconds}) requestAnimationFrame(step);
    else resolve(times);
  };
  requestAnimationFrame(step);
})`;

/** Waits until an expression is true in a page; the pages forbid what Playwright's own waiting needs. */
async function waitUntil(page: Page, isTrue: string): Promise<void> {
  const startedAt = performance.now();
  while (!(await page.evaluate(isTrue))) {
    if (performance.now() - startedAt > pageTimeoutMs) throw new Error(`the page never came to ${isTrue}`);
    await sleep(100);
  }
}

/** A page with a profile of its own, without the service worker, which loads all that it keeps. */
async function openPage(browser: Browser, screen: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    ...screen,
    locale: 'en-GB',
    // That of the demo, as people look at birds where they are.
    timezoneId: 'Europe/Berlin',
    serviceWorkers: 'block',
  });
  return context.newPage();
}

const dayMs = 86_400_000;

/** A day of the demo by noon: before dawn, the day that it is has no birds yet. */
const noonOfYesterday = () => `${new Date(Date.now() - dayMs).toISOString().slice(0, 10)}T12:00:00Z`;

/** Milliseconds from the request of Today to its largest paint on a slow processor, in an empty profile. */
async function timeLargestPaint(browser: Browser, origin: string, screen: BrowserContextOptions) {
  const page = await openPage(browser, screen);
  try {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.clock.setFixedTime(noonOfYesterday());
    await page.goto(origin);
    await waitUntil(page, picturesAreShown);
    await sleep(paintedMs);
    return Number(await page.evaluate(largestPaint));
  } finally {
    await page.context().close();
  }
}

/** Bytes of script that Today asks for until its pictures are shown, packed with gzip. */
async function weighFirstLoad(browser: Browser, origin: string): Promise<number> {
  const page = await openPage(browser, screens.phone);
  try {
    const scripts: string[] = [];
    page.on('request', (request) => request.url().endsWith('.js') && scripts.push(request.url()));
    // What is below the screen waits for an idle browser.
    await page.addInitScript('window.requestIdleCallback = () => 0');
    await page.clock.setFixedTime(noonOfYesterday());
    await page.goto(origin);
    await waitUntil(page, picturesAreShown);
    const sizes = scripts.map(async (url) => {
      const { headers } = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
      return Number(headers.get('content-length'));
    });
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  } finally {
    await page.context().close();
  }
}

interface Demo {
  readonly state: string;
  readonly is_ready: boolean;
}

async function waitForDemo(origin: string, isThere: (demo: Demo) => boolean): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const demo = (await (await fetch(`${origin}/api/ui/demo`)).json()) as Demo;
    if (isThere(demo)) return;
    if (performance.now() - startedAt > demoTimeoutMs) throw new Error('the demo did not become ready');
    await sleep(250);
  }
}

/** The demo from its start to the first full page, then the first loads of Today on it. */
async function measureToday(browser: Browser, repository: string): Promise<ResultRow[]> {
  const parent = await mkdtemp(join(tmpdir(), 'birdhub-face-'));
  const hub = await startHub({ repository, dataDir: join(parent, 'data') });
  try {
    const startedAt = performance.now();
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${hub.origin}/api/ui/demo`, { method: 'POST', headers, body: '{}' });
    if (!response.ok) throw new Error(`the demo was answered with ${response.status}`);
    await waitForDemo(hub.origin, ({ is_ready }) => is_ready);
    await timeLargestPaint(browser, hub.origin, screens.desktop);
    const demoSeconds = (performance.now() - startedAt) / 1000;
    await waitForDemo(hub.origin, ({ state }) => state === 'live');
    const rows: ResultRow[] = [
      {
        title: 'demo, from its start to a full page',
        single: { value: demoSeconds, unit: 's' },
        verdict: atMost(demoSeconds, 60, 's'),
      },
    ];
    for (const [name, screen] of Object.entries(screens)) {
      const times: number[] = [];
      for (let load = 0; load < loads; load += 1)
        times.push(await timeLargestPaint(browser, hub.origin, screen));
      const seconds = median(times) / 1000;
      rows.push({
        title: `largest paint of Today, ${name}, processor slowed ${slowdown} times`,
        single: { value: seconds, unit: 's' },
        verdict: atMost(seconds, 1.2, 's'),
      });
    }
    const kilobytes = (await weighFirstLoad(browser, hub.origin)) / 1000;
    return [
      ...rows,
      {
        title: 'script of the first load of Today, packed',
        single: { value: kilobytes, unit: 'kB' },
        verdict: atMost(kilobytes, 180, 'kB'),
      },
    ];
  } finally {
    await hub.stop();
    await rm(parent, { recursive: true, force: true });
  }
}

/** Frames while the whole history of the data set is scrolled on a desktop. */
async function measureScrolling(browser: Browser, repository: string, store: string): Promise<ResultRow[]> {
  const copy = await copyFolder(store);
  try {
    const hub = await startHub({ repository, dataDir: copy.folder });
    const page = await openPage(browser, screens.desktop);
    try {
      await page.goto(`${hub.origin}/timeline`);
      await waitUntil(page, 'document.documentElement.scrollHeight > 10 * innerHeight');
      await sleep(settleMs);
      const times = (await page.evaluate(scroll)) as number[];
      const inTime = times.filter((time) => time <= frameMs).length / times.length;
      return [
        {
          title: `frames in time while all years of the timeline are scrolled, of ${times.length}`,
          single: { value: inTime * 60, unit: '' },
          verdict: atLeast(inTime * 60, 57, 'of 60'),
        },
        { title: 'frame while scrolling, p95', single: { value: quantile(times, 0.95), unit: 'ms' } },
        { title: 'frame while scrolling, slowest', single: { value: Math.max(...times), unit: 'ms' } },
      ];
    } finally {
      await page.context().close();
      await hub.stop();
    }
  } finally {
    await copy.remove();
  }
}

/** Chromium as the tests of pages have it: that without windows, or else the usual one. @throws when there is neither */
function findBrowser(): string {
  try {
    return findTool('chromium-headless-shell');
  } catch {
    return findTool('chromium');
  }
}

/** What people feel of the pages, in Chromium. */
export const faceCase: BenchCase = {
  name: 'face',
  about: 'pages in Chromium: first load and largest paint of Today, the demo, frames of a long timeline',
  kind: 'start',
  isOnRequest: true,
  async run({ repository, store }) {
    const args = ['--no-sandbox', '--disable-dev-shm-usage'];
    const browser = await chromium.launch({ executablePath: findBrowser(), args });
    try {
      return [
        ...(await measureToday(browser, repository)),
        ...(await measureScrolling(browser, repository, store)),
      ];
    } finally {
      await browser.close();
    }
  },
};
