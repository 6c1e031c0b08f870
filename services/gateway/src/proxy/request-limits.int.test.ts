import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ask } from '../testing/ask.js';
import { startTestGateway, type TestGateway } from '../testing/gateway.js';
import { startTestService } from '../testing/service.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(headersTimeoutMs?: number): Promise<TestGateway> {
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

test('a client that sends its headers a letter at a time, is answered 408 and hung up on', async () => {
  const { port, url } = await start(300);
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
  expect((await ask(`${url}/api/ui/things`)).status).toBe(200);
});

test('headers of more than 16 KiB, are 431', async () => {
  const { url } = await start();
  const headers = { 'x-large': 'x'.repeat(20_000) };
  expect((await ask(`${url}/api/ui/things`, { headers })).status).toBe(431);
});

test('a body that no operation takes, by its length, is 413', async () => {
  const { url } = await start();
  const options = { method: 'POST', headers: { 'content-length': '17000001' }, body: 'x'.repeat(17_000_001) };
  const answer = await ask(`${url}/api/ui/things`, options);
  expect([answer.status, answer.json['code']]).toEqual([413, 'payload_too_large']);
});
