import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type RequestListener } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '@birdhub/shared/app';
import { createMetrics } from '@birdhub/shared/metrics';
import { pino } from 'pino';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startTestGateway } from '../testing/gateway.js';
import { sendRequest, startTestService } from '../testing/http.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(query: RequestListener | string, timeoutMs = 5_000) {
  const service = typeof query === 'string' ? undefined : await startTestService(query);
  const system = await startTestService((_request, response) => response.end('fine'));
  const services = { query: service?.url ?? String(query), system: system.url };
  const gateway = await startTestGateway({ services, timeoutMs });
  closers.push(system.close, gateway.close);
  if (service) closers.push(service.close);
  return { gateway, service, things: `${gateway.url}/api/ui/things` };
}

const unavailable = { status: 502, json: { code: 'upstream_unavailable' } };

describe('a service', () => {
  test('that is down, is 502 with Retry-After, and other services are 200', async () => {
    const { gateway, things } = await start('http://127.0.0.1:9');
    const response = await sendRequest(things);
    expect(response).toMatchObject(unavailable);
    expect(response.headers['retry-after']).toBe('2');
    expect(response.json['request_id']).toBe(response.headers['x-request-id']);
    expect(await sendRequest(things, { method: 'POST', body: 'x'.repeat(100_000) })).toMatchObject(
      unavailable,
    );
    expect(await sendRequest(`${gateway.url}/api/ui/status`)).toMatchObject({ status: 200, text: 'fine' });
    expect(await sendRequest(`${gateway.url}/api/ui/health`)).toMatchObject({ status: 200 });
  });

  test('that is down, after a large body on a kept connection, is 502 and the next request is 200', async () => {
    const { gateway, things } = await start('http://127.0.0.1:9');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    closers.push(async () => agent.destroy());
    const large = await sendRequest(things, { method: 'POST', body: 'x'.repeat(16_000_000), agent });
    expect(large).toMatchObject(unavailable);
    expect(await sendRequest(`${gateway.url}/api/ui/status`, { agent })).toMatchObject({
      status: 200,
      text: 'fine',
    });
  });

  test('that resets the connection, is 502, after one retry for a read and none for a write', async () => {
    const { service, things } = await start((request) => request.socket.resetAndDestroy());
    expect(await sendRequest(things)).toMatchObject(unavailable);
    expect(service?.requests).toHaveLength(2);
    expect(await sendRequest(things, { method: 'POST', body: 'x' })).toMatchObject(unavailable);
    expect(service?.requests).toHaveLength(3);
  });

  test('that closes a kept connection, receives the read again', async () => {
    let count = 0;
    const { things } = await start((request, response) => {
      count += 1;
      if (count === 2) request.socket.destroy();
      else response.end(`answer ${count}`);
    });
    expect((await sendRequest(things)).text).toBe('answer 1');
    expect((await sendRequest(things)).text).toBe('answer 3');
  });

  test('that does not respond in time, is 504 and its connection closes', async () => {
    let isClosed = false;
    const { things } = await start((_request, response) => {
      response.on('close', () => {
        isClosed = true;
      });
    }, 1_000);
    const answer = await sendRequest(things);
    expect(answer).toMatchObject({ status: 504, json: { code: 'upstream_timeout' } });
    expect(answer.headers).not.toHaveProperty('retry-after');
    await vi.waitFor(() => expect(isClosed).toBe(true));
  });

  test('that responds in time but slowly, is read to the end', async () => {
    const { things } = await start((_request, response) => {
      response.write('first, ');
      setTimeout(() => response.end('last'), 2_500);
    }, 1_000);
    expect((await sendRequest(things)).text).toBe('first, last');
  });

  test('that speaks no HTTP, is 502', async () => {
    const { things } = await start((request) => void request.socket.end('SSH-2.0-OpenSSH\r\n'));
    expect(await sendRequest(things)).toMatchObject(unavailable);
  });

  test.each([
    ['with a length', { 'content-length': '100' }],
    ['in chunks', {}],
  ])('that fails in the middle of a response %s, breaks the connection of the client', async (_, headers) => {
    const { things } = await start((request, response) => {
      response.writeHead(200, headers);
      response.write('half');
      setTimeout(() => request.socket.destroy(), 50);
    });
    await expect(sendRequest(things)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('that rejects a large body at once, keeps the client’s connection open after the 413', async () => {
    const app = createApp({
      log: pino({ level: 'silent' }),
      metrics: createMetrics('query'),
      bodyLimit: 1_000,
    });
    app.post('/api/ui/things', () => 'taken');
    app.get('/api/ui/things', () => 'still here');
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    closers.push(() => app.close());
    const { things } = await start(url);
    const headers = { 'content-type': 'application/json' };
    for (let i = 0; i < 5; i += 1) {
      const response = await sendRequest(things, { method: 'POST', headers, body: 'x'.repeat(16_000_000) });
      expect(response).toMatchObject({ status: 413, json: { code: 'payload_too_large' } });
    }
    expect((await sendRequest(things)).text).toBe('still here');
  });

  test('that comes back, is 200 again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'birdhub-gateway-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const address = join(folder, 'query.sock');
    const first = await startTestService((_request, response) => response.end('one'), address);
    const { things } = await start(first.url);
    expect((await sendRequest(things)).text).toBe('one');
    await first.close();
    expect(await sendRequest(things)).toMatchObject(unavailable);
    const second = await startTestService((_request, response) => response.end('two'), address);
    closers.push(second.close);
    await vi.waitFor(async () => expect((await sendRequest(things)).text).toBe('two'), 5_000);
  });
});

describe('a client', () => {
  test('that sends headers larger than 16 KB, is refused', async () => {
    const { things } = await start((_request, response) => response.end('x'));
    const answer = await sendRequest(things, { headers: { 'x-large': 'x'.repeat(20_000) } });
    expect(answer).toMatchObject({ status: 431, json: { code: 'invalid_request' } });
    expect(answer.json['request_id']).toBe(answer.headers['x-request-id']);
  });

  test('that smuggles with two lengths, is refused', async () => {
    const { gateway, service } = await start((_request, response) => response.end('x'));
    const socket = new Socket().connect(gateway.port, '127.0.0.1');
    socket.write(
      'POST /api/ui/things HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    socket.write('0\r\n\r\nGET /api/ui/things HTTP/1.1\r\nHost: x\r\n\r\n');
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1.1 400/);
    expect(service?.requests).toHaveLength(0);
    socket.destroy();
  });
});
