import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { securityOf, startTestGateway, type TestGateway } from '../testing/gateway.js';
import { sendRequest, startTestService } from '../testing/http.js';

const contractText = `
info: { version: 1.2.3 }
paths:
  /api/ui/report: { get: { operationId: report, x-hub-service: query, security: [], x-hub-limit: { max: 3, window_seconds: 60 } } }
  /api/ui/export: { get: { operationId: export, x-hub-service: query, security: [], x-hub-limit: { max: 1, window_seconds: 1 } } }
  /api/ui/guarded: { get: { operationId: guarded, x-hub-service: query, security: ${securityOf('admin')}, x-hub-limit: { max: 1, window_seconds: 60 } } }
  /api/ui/crop: { get: { operationId: crop, x-hub-service: query, security: [], x-hub-limit: { max: 9, window_seconds: 60 }, responses: { '200': { content: { image/jpeg: {} } } } } }
  /data/recordings/{path}: { get: { operationId: file, x-hub-service: query, security: [], x-hub-wildcard: true } }
`;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(options: Partial<Parameters<typeof startTestGateway>[0]> = {}) {
  const query = await startTestService((_request, response) => response.end('done'));
  const services = { query: query.url };
  const gateway = await startTestGateway({ services, contractText, trustedProxies: '127.0.0.1', ...options });
  closers.push(query.close, gateway.close);
  return (path: string, from = '198.51.100.1', headers = {}) =>
    sendRequest(gateway.url + path, { headers: { 'x-forwarded-for': from, ...headers } });
}

describe('a limited operation', () => {
  test('called too often by one address, is 429 with Retry-After, and 200 for others', async () => {
    const get = await start();
    for (let index = 0; index < 3; index += 1) {
      const { status, headers } = await get('/api/ui/report');
      expect(status).toBe(200);
      expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    }
    const refused = await get('/api/ui/report');
    expect([refused.status, refused.json['code']]).toEqual([429, 'too_many_attempts']);
    const wait = Number(refused.headers['retry-after']);
    expect(Number.isInteger(wait) && wait > 50 && wait <= 60).toBe(true);
    expect((await get('/api/ui/report', '198.51.100.2')).status).toBe(200);
    expect((await get('/api/ui/export')).status).toBe(200);
  });

  test('after its window, is 200 again', async () => {
    const get = await start();
    await get('/api/ui/export');
    expect((await get('/api/ui/export')).headers['retry-after']).toBe('1');
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect((await get('/api/ui/export')).status).toBe(200);
  });

  test('called from one IPv6 /64 network, counts its addresses as one', async () => {
    const get = await start();
    await get('/api/ui/export', '2001:db8::1');
    expect((await get('/api/ui/export', '2001:db8::2')).status).toBe(429);
  });

  test('from a page of another site, is 403 and not counted, but links and pictures are 200', async () => {
    const get = await start();
    const foreign = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    for (let index = 0; index < 4; index += 1) {
      const refused = await get('/api/ui/report', undefined, foreign);
      expect([refused.status, refused.json['code']]).toEqual([403, 'csrf_rejected']);
    }
    expect((await get('/api/ui/report', undefined, link)).status).toBe(200);
    expect((await get('/api/ui/crop', undefined, foreign)).status).toBe(200);
    expect((await get('/data/recordings/a.jpg', undefined, foreign)).status).toBe(200);
  });

  test('called without permission, does not count', async () => {
    let admin = 'hash';
    const passwords = {
      current: () => ({ admin, contributor: '', idleMinutes: 30 }),
      pending: () => undefined,
      refresh: async () => undefined,
    };
    const get = await start({ passwords });
    for (let index = 0; index < 3; index += 1) expect((await get('/api/ui/guarded')).status).toBe(403);
    admin = '';
    expect((await get('/api/ui/guarded')).status).toBe(200);
  });
});

test('media, read 200 times at once, are never limited', async () => {
  const get = await start();
  const responses = await Promise.all(Array.from({ length: 200 }, () => get('/data/recordings/a.mp4')));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
});

async function startWith(headersTimeoutMs?: number): Promise<TestGateway> {
  const query = await startTestService((request, response) => {
    request.resume();
    response.end('done');
  });
  const gateway = await startTestGateway({
    services: { query: query.url },
    ...(headersTimeoutMs && { headersTimeoutMs }),
  });
  closers.push(query.close, gateway.close);
  return gateway;
}

test('headers, sent one byte at a time, are 408 and the connection closes', async () => {
  const { port, url } = await startWith(300);
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let text = '';
  socket.on('data', (part: string) => {
    text += part;
  });
  socket.on('error', () => undefined);
  socket.write('GET /api/ui/things HTTP/1.1\r\nHost: hub\r\nX-Slow: ');
  const drip = setInterval(() => socket.write('a'), 20);
  await once(socket, 'close');
  clearInterval(drip);
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
  expect((await sendRequest(`${url}/api/ui/things`)).status).toBe(200);
});

test('headers, of more than 16 KiB, are 431', async () => {
  const { url } = await startWith();
  const headers = { 'x-large': 'x'.repeat(20_000) };
  expect((await sendRequest(`${url}/api/ui/things`, { headers })).status).toBe(431);
});

test('a Content-Length, above every limit, is 413', async () => {
  const { url } = await startWith();
  const options = { method: 'POST', headers: { 'content-length': '17000001' }, body: 'x'.repeat(17_000_001) };
  const response = await sendRequest(`${url}/api/ui/things`, options);
  expect([response.status, response.json['code']]).toEqual([413, 'payload_too_large']);
});
