import { once } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestHub } from '@birdhub/testing/hub';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startHubIn, useDataFolder } from '../e2e/fixtures/temporary-hub.js';

const folder = useDataFolder();
const filmBytes = 20_000_000;
/** A hub that waits for its slow clients answers nobody before it disconnects them. */
const stallSeconds = 20;
const answerTimeoutMs = 500 * stallSeconds;
const settleTimeoutMs = 45_000;
let hub: TestHub;
const sockets: Socket[] = [];

beforeAll(async () => {
  hub = await startHubIn(folder, { CLIENT_STALL_TIMEOUT_SECONDS: String(stallSeconds) });
  const film = join(hub.recordingsDir, 'film.mp4');
  writeFileSync(film, '');
  truncateSync(film, filmBytes);
  // What a first request prepares is not tested here.
  for (const [path, status] of routes) expect((await fetch(hub.baseUrl + path)).status, path).toBe(status);
});
afterEach(closeAll);

function closeAll(): void {
  for (const socket of sockets.splice(0)) socket.destroy();
}

/** Routes of every service and of the gateway itself, with their status. */
const routes: readonly (readonly [string, number])[] = [
  ['/api/ui/health', 200],
  ['/api/ui/readiness', 200],
  ['/openapi.yaml', 200],
  ['/docs', 200],
  ['/api/ui/species', 200],
  ['/api/ui/timeline?start_time=1777593600&end_time=1777680000', 200],
  ['/api/ui/overview', 200],
  ['/api/ui/cameras', 200],
  ['/api/ui/settings', 200],
  ['/api/ui/timeline/export?start_time=1777593600&end_time=1777680000', 200],
  ['/data/recordings/none.mp4', 404],
];

async function expectAnswer(path: string, status: number): Promise<void> {
  const response = await fetch(hub.baseUrl + path, { signal: AbortSignal.timeout(answerTimeoutMs) });
  await response.arrayBuffer();
  expect([path, response.status]).toEqual([path, status]);
}

async function expectAnswers(): Promise<void> {
  for (const [path, status] of routes) {
    // A busy machine is ready once each of its probes takes less than a second and a half.
    if (path === '/api/ui/readiness') {
      await vi.waitFor(() => expectAnswer(path, status), { timeout: answerTimeoutMs, interval: 200 });
    } else await expectAnswer(path, status);
  }
  const range = await fetch(`${hub.baseUrl}/data/recordings/film.mp4`, {
    headers: { range: 'bytes=0-99' },
    signal: AbortSignal.timeout(answerTimeoutMs),
  });
  expect([range.status, (await range.arrayBuffer()).byteLength]).toEqual([206, 100]);
  const posted = await fetch(`${hub.baseUrl}/api/processor/notify/motion`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(answerTimeoutMs),
  });
  expect(posted.status).toBeLessThan(500);
}

/** The connections of the gateway to services and the requests that wait for one, by its metrics. */
async function readUpstreams() {
  const url = new URL('/metrics', hub.processOf('gateway').readyUrls[0] ?? 'http://unknown.invalid');
  const text = await (await fetch(url)).text();
  const sum = (pattern: RegExp) =>
    [...text.matchAll(pattern)].reduce((total, [, value]) => total + Number(value), 0);
  return {
    busy: sum(/^hub_gateway_upstream_connections\{.*state="busy".*\} (\d+)$/gm),
    open: sum(/^hub_gateway_upstream_connections\{.*\} (\d+)$/gm),
    waiting: sum(/^hub_gateway_upstream_waiting\{.*\} (\d+)$/gm),
  };
}

async function expectNothingLeft(): Promise<void> {
  await vi.waitFor(async () => expect(await readUpstreams()).toMatchObject({ busy: 0, waiting: 0 }), {
    timeout: settleTimeoutMs,
    interval: 200,
  });
  // Idle connections are closed; each pool may keep one that the requests above used.
  await vi.waitFor(async () => expect((await readUpstreams()).open).toBeLessThan(10), {
    timeout: settleTimeoutMs,
    interval: 500,
  });
}

async function open(text: string): Promise<Socket> {
  const { hostname, port } = new URL(hub.baseUrl);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause().write(text);
  return socket;
}

const openMany = (count: number, text: string) =>
  Promise.all(Array.from({ length: count }, () => open(text)));

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const slowBody =
  'POST /api/processor/videos HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{';
/** Larger than the buffer of the gateway, so that ingest gets its beginning. */
const slowLargeBody = `${slowBody.replace('5000', '500000')}"species":[],"x":"${'x'.repeat(100_000)}`;
const film = 'GET /data/recordings/film.mp4 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

describe('the hub beside slow clients', () => {
  it('after 300 pipelined reads on a connection that closes, answers and leaves nothing open', async () => {
    const socket = await open(get('/api/ui/species').repeat(300));
    await expectAnswers();
    socket.destroy();
    await expectAnswers();
    await expectNothingLeft();
  });

  it('after 500 pipelined event streams on a connection that closes, answers and leaves nothing open', async () => {
    const socket = await open(get('/api/ui/events').repeat(500));
    await expectAnswers();
    await vi.waitFor(async () => expect((await readUpstreams()).busy).toBe(1), settleTimeoutMs);
    socket.destroy();
    await expectAnswers();
    await expectNothingLeft();
  });

  it('during and after 260 unread downloads of 20 MB, answers and leaves nothing open', async () => {
    await openMany(260, film);
    await pause(500);
    await expectAnswers();
    closeAll();
    await expectAnswers();
    await expectNothingLeft();
  });

  it('with 260 unread downloads that stay, answers and disconnects them in the end', async () => {
    const slow = await openMany(260, film);
    await pause(500);
    await expectNothingLeft();
    await expectAnswers();
    for (const socket of slow) socket.resume();
    await vi.waitFor(() => expect(slow.every((socket) => socket.destroyed)).toBe(true), settleTimeoutMs);
  });

  it('during and after 260 unfinished small bodies and 260 large ones, answers and leaves nothing open', async () => {
    await Promise.all([openMany(260, slowBody), openMany(260, slowLargeBody)]);
    await pause(500);
    await expectAnswers();
    closeAll();
    await expectAnswers();
    await expectNothingLeft();
  });

  it('during and after all of these at once, answers and leaves nothing open', async () => {
    await Promise.all([
      openMany(300, film),
      openMany(300, slowBody),
      open(get('/api/ui/species').repeat(500)),
      open(get('/api/ui/events').repeat(500)),
      openMany(50, get('/api/ui/timeline').repeat(10)),
    ]);
    await expectAnswers();
    await pause(1_000);
    await expectAnswers();
    closeAll();
    await expectAnswers();
    await expectNothingLeft();
  });
});
