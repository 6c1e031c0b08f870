import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMetrics } from '../metrics/index.js';
import type { ClientLimits } from './client-connections.js';
import { createApp } from './create-app.js';
import { startOpsServer } from './ops-server.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const patient: ClientLimits = { readStallTimeoutMs: 60_000, bodyWindowMs: 60_000 };

async function start(clientLimits: ClientLimits) {
  const log = pino({ level: 'silent' });
  const app = createApp({ log, metrics: createMetrics('test'), clientLimits });
  const seen: string[] = [];
  let closedEarly = 0;
  app.post('/echo', async ({ body }) => body);
  /** The first request ends at once, the others when the client has disconnected. */
  app.get<{ Params: { id: string } }>('/slow/:id', async ({ params: { id } }, reply) => {
    seen.push(id);
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) closedEarly += 1;
    });
    if (id !== '1') await once(reply.raw, 'close');
    return 'done';
  });
  app.get('/large', () => Buffer.alloc(30_000_000));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  closers.push(() => app.close());
  const open = (text: string) => openAt(Number(new URL(url).port), text);
  return { app, open, seen, closedEarly: () => closedEarly };
}

function openAt(port: number, text: string): { socket: Socket; text: () => string } {
  const socket = connect(port, '127.0.0.1');
  closers.push(() => socket.destroy());
  let received = '';
  socket.on('error', () => undefined);
  socket.setEncoding('latin1').on('data', (part: string) => {
    received += part;
  });
  socket.write(text);
  return { socket, text: () => received };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const post = (length: number) =>
  `POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

describe('a service called directly', () => {
  test('that closes while an idle client is connected, closes that connection', async () => {
    const { app, open } = await start(patient);
    const { socket } = open('');
    await once(app.server, 'connection');
    const closed = once(socket, 'close');
    await app.close();
    await closed;
  });

  test('with pipelined requests, handles one at a time, and no more after a disconnect', async () => {
    const { open, seen, closedEarly } = await start(patient);
    const { socket } = open([1, 2, 3, 4].map((id) => get(`/slow/${id}`)).join(''));
    await vi.waitFor(() => expect(seen).toEqual(['1', '2']), 10_000);
    socket.destroy();
    await vi.waitFor(() => expect(closedEarly()).toBe(1), 10_000);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(seen).toEqual(['1', '2']);
  });

  test('with a body that stalls, responds with 408 and disconnects', async () => {
    const { open } = await start({ ...patient, bodyWindowMs: 200 });
    const { socket, text } = open(`${post(100)}{"a":`);
    await once(socket, 'close');
    expect(text()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(text()).toContain('"code":"request_timeout"');
  });

  test('with a slow but steady body, accepts it', async () => {
    const { open } = await start({ ...patient, bodyWindowMs: 200 });
    const parts = Array.from({ length: 10 }, () => 'x'.repeat(6_000));
    const { socket, text } = open(`${post(60_002)}"`);
    for (const part of parts) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      socket.write(part);
    }
    socket.write('"');
    await vi.waitFor(() => expect(text()).toMatch(/^HTTP\/1\.1 200 /), 10_000);
  });

  test('with a client that does not read, disconnects', async () => {
    const { open } = await start({ ...patient, readStallTimeoutMs: 200 });
    const { socket, text } = open(get('/large'));
    socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    socket.resume();
    await once(socket, 'close');
    expect(text().length).toBeLessThan(30_000_000);
  });

  test('with garbage after a request, sends no response to it in place of that request', async () => {
    const { open } = await start(patient);
    const { socket, text } = open(`${get('/slow/1')}NONSENSE\r\n\r\n`);
    await once(socket, 'close');
    expect(text()).toBe('');
  });

  test('with bytes after a request that closes the connection, still responds to it', async () => {
    const { open } = await start(patient);
    const closing = 'GET /slow/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\nrest';
    const { socket, text } = open(closing);
    await once(socket, 'close');
    expect(text()).toMatch(/^HTTP\/1\.1 200 (?:.*\r\n)*\r\ndone$/);
  });
});

test('ops port, with pipelined requests and then garbage, responds in order and then with 400', async () => {
  const registry = new Registry();
  const ops = await startOpsServer({ host: '127.0.0.1', port: 0, registry, readiness: async () => [] });
  closers.push(() => ops.close());
  const { socket, text } = openAt(ops.port, get('/readyz') + get('/livez') + get('/nothing'));
  await vi.waitFor(() => expect(text()).toContain('404'), 10_000);
  expect([...text().matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['200', '200', '404']);
  socket.write('NONSENSE\r\n\r\n');
  await once(socket, 'close');
  expect(text()).toContain('HTTP/1.1 400');
});
