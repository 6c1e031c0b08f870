import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findTool } from '@birdhub/launcher/find-tool';
import { dayMs } from '@birdhub/shared/time';
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

/** Factor by which the CPU of the page is slowed down. */
const slowdown = 4;
const loads = 5;
const demoTimeoutMs = 900_000;
const pageTimeoutMs = 60_000;
/** The zone of the browser and, as if the demo were started from its pages, of the demo. */
const zone = 'Europe/Berlin';
/** Time until the content is painted and its paint entry is reported, with the slow CPU. */
const paintedMs = 2_000;
const scrollSeconds = 6;
/** Time until a page has loaded its first content, whose frames do not count as scrolling. */
const settleMs = 3_000;
/** Length of a frame at 60 fps, plus the inaccuracy of clocks. */
const frameMs = 17.5;

/** The largest contentful paint, in ms since the request of the page. */
const largestPaint = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true });
})`;

const picturesAreShown = `[...document.querySelectorAll('img')].some(({ complete, naturalWidth, clientWidth }) =>
  complete && naturalWidth > 0 && clientWidth > 200)`;

/** Scrolls a little in each frame; returns the length of each frame in ms. */
const scroll = `new Promise((resolve) => {
  const times = [];
  let last;
  const step = (now) => {
    if (last !== undefined) times.push(now - last);
    last = now;
    scrollBy(0, 60);
    // Also jumps like the scrubber, to get through all years in time.
    if (times.length % 60 === 59)
      scrollTo(0, document.documentElement.scrollHeight * ((times.length + 1) / (60 * ${scrollSeconds})));
    if (times.length < 60 * ${scrollSeconds}) requestAnimationFrame(step);
    else resolve(times);
  };
  requestAnimationFrame(step);
})`;

/** Waits until an expression is true in a page. Playwright's own function needs `eval`, which the pages forbid. */
async function waitUntil(page: Page, isTrue: string): Promise<void> {
  const startedAt = performance.now();
  while (!(await page.evaluate(isTrue))) {
    if (performance.now() - startedAt > pageTimeoutMs) throw new Error(`the page never satisfied ${isTrue}`);
    await sleep(100);
  }
}

/** Opens a page in a new profile, without the service worker, which would load all files of the UI. */
async function openPage(browser: Browser, screen: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    ...screen,
    locale: 'en-GB',
    timezoneId: zone,
    serviceWorkers: 'block',
  });
  return context.newPage();
}

/** Noon of a complete day of the demo, as the current day has no birds before dawn. */
const noonOfYesterday = () => `${new Date(Date.now() - dayMs).toISOString().slice(0, 10)}T12:00:00Z`;

/** Returns the time from the request of Today to its largest paint, in ms, with a slow CPU and an empty profile. */
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

/** Returns the gzipped size of the scripts that Today requests until its pictures are shown, in bytes. */
async function weighFirstLoad(browser: Browser, origin: string): Promise<number> {
  const page = await openPage(browser, screens.phone);
  try {
    const scripts: string[] = [];
    page.on('request', (request) => request.url().endsWith('.js') && scripts.push(request.url()));
    // Content below the fold is loaded when the browser is idle.
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

async function waitForDemo(origin: string, condition: (demo: Demo) => boolean): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const demo = (await (await fetch(`${origin}/api/ui/demo`)).json()) as Demo;
    if (condition(demo)) return;
    if (performance.now() - startedAt > demoTimeoutMs) throw new Error('the demo did not become ready');
    await sleep(250);
  }
}

/** Measures the demo from its start to the first full page, then the first loads of Today. */
async function measureToday(browser: Browser, repository: string): Promise<ResultRow[]> {
  const parent = await mkdtemp(join(tmpdir(), 'birdhub-face-'));
  const hub = await startHub({ repository, dataDir: join(parent, 'data') });
  try {
    const startedAt = performance.now();
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ timezone: zone });
    const response = await fetch(`${hub.origin}/api/ui/demo`, { method: 'POST', headers, body });
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
        // 180 KiB, as in the test of the first load.
        verdict: atMost(kilobytes, 184, 'kB'),
      },
    ];
  } finally {
    await hub.stop();
    await rm(parent, { recursive: true, force: true });
  }
}

/** Measures the frames while the entire history of the data set is scrolled on a desktop. */
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

/** Returns the path of Chromium, preferably the headless one, as in the tests of pages. @throws when there is none */
function findBrowser(): string {
  try {
    return findTool('chromium-headless-shell');
  } catch {
    return findTool('chromium');
  }
}

/** The perceived speed of the pages, in Chromium. */
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
