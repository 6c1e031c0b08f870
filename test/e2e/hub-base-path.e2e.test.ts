import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestHub } from '@birdhub/testing/hub';
import { createProcessorClient } from '@birdhub/testing/processor-client/processor-client';
import { recordingBody } from '@birdhub/tools/demo/recording-body';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, openBrowser, openPage, screens } from '../support/browser.js';
import { nextUrl, readJson, type TimelineItem, type VideoResponse } from './fixtures/hub-responses.js';
import { placeFiles, planPostedDay, postedDate } from './fixtures/posted-day.js';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

const folder = useDataFolder();
const recordings = planPostedDay().slice(0, 4);
let hub: TestHub;
let origin: string;
let lastId: number;

beforeAll(async () => {
  hub = await startHubIn(folder, {
    ...inOneProcess,
    BASE_PATH: '/birds',
    PROCESSOR_SECRET: 'feeder',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  origin = new URL(hub.baseUrl).origin;
  await placeFiles(hub.recordingsDir, recordings);
  const client = createProcessorClient({ baseUrl: hub.baseUrl, token: 'feeder', retries: 0 });
  for (const recording of recordings)
    lastId = (await client.postRecording(recordingBody(recording))).video_id;
});

describe('a hub below /birds', () => {
  it('for routes, serves them below it only', async () => {
    expect(hub.baseUrl).toBe(`${origin}/birds`);
    const paths = [
      '/api/ui/health',
      '/api/ui/timeline?date=2025-05-12',
      '/openapi.yaml',
      '/docs',
      '/birdsapi/ui/health',
    ];
    for (const path of paths) expect([path, (await fetch(`${origin}${path}`)).status]).toEqual([path, 404]);
    expect(await readJson(`${hub.baseUrl}/api/ui/health`)).toEqual({ status: 'ok' });
    const contract = await fetch(`${hub.baseUrl}/openapi.yaml`);
    expect(await contract.text()).toContain('\nservers:\n  - url: /birds\n');
    expect(await (await fetch(`${hub.baseUrl}/docs`)).text()).toContain('<base href="/birds/" />');
  });

  it('for a page of the timeline, links to the next one below it', async () => {
    const first = `${hub.baseUrl}/api/ui/timeline?date=${postedDate}&limit=1`;
    const response = await fetch(first);
    expect(response.headers.get('link')).toMatch(/^<\/birds\/api\/ui\/timeline\?/);
    const [newest] = (await response.json()) as TimelineItem[];
    const [next] = await readJson<TimelineItem[]>(nextUrl(response, first) ?? '');
    expect(next?.id).not.toBe(newest?.id);
    expect(Date.parse(next?.start_time ?? '')).toBeLessThanOrEqual(Date.parse(newest?.start_time ?? ''));
  });

  it('for a video, serves it at the address in its recording', async () => {
    const video = await readJson<VideoResponse>(`${hub.baseUrl}/api/ui/videos/${lastId}`);
    expect(video.media).toBe('ready');
    expect(video.video_url).toMatch(/^\/birds\//);
    const bytes = Buffer.from(await (await fetch(new URL(video.video_url, origin))).arrayBuffer());
    expect(
      bytes.equals(readFileSync(join(hub.recordingsDir, video.video_path.replace('data/recordings/', '')))),
    ).toBe(true);
  });

  it('for the page of unknowns, redirects to the review below it', async () => {
    const response = await fetch(`${hub.baseUrl}/unknowns`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/birds/timeline?review=1']);
  });

  it('for a post without the processor token, returns 403', async () => {
    const client = createProcessorClient({ baseUrl: hub.baseUrl, retries: 0 });
    const [recording] = recordings;
    if (recording === undefined) throw new Error('the day is empty');
    const refused = client.postRecording(recordingBody(recording));
    await expect(refused).rejects.toMatchObject({ status: 403, code: 'forbidden' });
  });
});

describe.skipIf(findChromium() === undefined)('a hub behind the ingress of Home Assistant', () => {
  const ingressPath = '/api/hassio_ingress/aB3_x-9';
  /** Requests of browsers outside the path. */
  const outside: string[] = [];
  let proxy: Server;
  let address: string;
  beforeAll(async () => {
    proxy = createServer((request, response) => {
      const { url = '', method = 'GET', headers } = request;
      if (!url.startsWith(`${ingressPath}/`)) {
        outside.push(url);
        return void response.writeHead(404).end();
      }
      const target = new URL(url.slice(ingressPath.length), origin);
      const passed = forward(
        target,
        { method, headers: { ...headers, 'x-ingress-path': ingressPath } },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      passed.on('error', () => response.destroy());
      response.on('close', () => passed.destroy());
      request.pipe(passed);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${ingressPath}/birds`;
  });
  afterAll(() => {
    proxy.closeAllConnections();
    proxy.close();
  });

  it('on a phone, serves Today, its events and its service worker below the path', async () => {
    const browser = await openBrowser();
    try {
      const { page, pageErrors } = await openPage(browser, {
        viewport: screens.phone,
        hasServiceWorker: true,
      });
      const asked: string[] = [];
      page.context().on('request', (request) => asked.push(request.url()));
      const events = page.waitForRequest((request) => request.url().endsWith('/api/ui/events'));
      await page.goto(`${address}/`);
      await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
      await events;
      const worker = await page.evaluate<string[]>(
        'navigator.serviceWorker.ready.then(({ active, scope }) => [scope, active?.scriptURL])',
      );
      expect(worker).toEqual([`${address}/`, `${address}/service-worker.js`]);
      expect(asked.filter((url) => /^https?:/.test(url) && !url.startsWith(address))).toEqual([]);
      expect(outside).toEqual([]);
      expect(pageErrors).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
