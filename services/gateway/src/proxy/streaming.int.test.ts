import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestGateway, type TestGateway, testContract } from '../testing/gateway.js';
import { startTestService, type TestService } from '../testing/http.js';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const megabyte = 1024 * 1024;
const chunk = randomBytes(megabyte);
const pieces = 50;
const expectedHash = createHash('sha256');
for (let i = 0; i < pieces; i += 1) expectedHash.update(chunk);
const expected = expectedHash.digest('hex');

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(listener: (request: IncomingMessage, response: ServerResponse) => void) {
  const service: TestService = await startTestService(listener);
  closers.push(service.close);
  const gateway: TestGateway = await startTestGateway({ services: { query: service.url } });
  closers.push(gateway.close);
  const open = (method = 'GET') => {
    const sent = httpRequest(`${gateway.url}/api/ui/things`, { method, agent: false });
    sent.on('error', () => undefined);
    return sent;
  };
  return { service, gateway, open };
}

/** The same megabyte fifty times, with a count of those read. */
function fiftyMegabytes() {
  let taken = 0;
  const stream = Readable.from(
    (function* () {
      for (; taken < pieces; taken += 1) yield chunk;
    })(),
    { highWaterMark: 1, objectMode: true },
  );
  return { stream, taken: () => taken };
}

async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(stream, hash);
  return hash.digest('hex');
}

/** Waits until a number has not changed for a while. */
async function settled(value: () => number): Promise<number> {
  for (let last = -1; ; await pause(300)) {
    if (value() === last) return last;
    last = value();
  }
}

describe('back-pressure', () => {
  test('a response of 50 MB, a client that does not read, stops the service until it reads', async () => {
    const source = fiftyMegabytes();
    const { open } = await start((_request, response) => void pipeline(source.stream, response));
    const sent = open().end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(await settled(source.taken)).toBeLessThan(pieces - 10);
    expect(await hashOf(response)).toBe(expected);
    expect(source.taken()).toBe(pieces);
  });

  test('a body of 50 MB, a service that does not read, stops the client until it reads', async () => {
    const source = fiftyMegabytes();
    const hashes: Promise<string>[] = [];
    let read = () => undefined as unknown;
    const { open } = await start((request, response) => {
      read = () => {
        const hash = hashOf(request);
        hashes.push(hash);
        return hash.then((value) => response.end(value));
      };
    });
    const sent = open('POST');
    const sending = pipeline(source.stream, sent);
    expect(await settled(source.taken)).toBeLessThan(pieces - 10);
    const answer = once(sent, 'response');
    read();
    await sending;
    const [response] = (await answer) as [IncomingMessage];
    expect(Buffer.concat(await response.toArray()).toString()).toBe(expected);
  });

  test('a response of 50 MB, a client that reads at once, takes less than 30 MB of buffers', async () => {
    const { open } = await start((_request, response) => void pipeline(fiftyMegabytes().stream, response));
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    let looks = 0;
    let pieceBytes = 0;
    const [response] = (await once(open().end(), 'response')) as [IncomingMessage];
    response.on('data', (part: Buffer) => {
      pieceBytes += part.length;
      if (pieceBytes < 5 * megabyte) return;
      pieceBytes = 0;
      looks += 1;
      // Without this, unreferenced buffers might not be collected during so short a test.
      collectGarbage();
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    });
    expect(await hashOf(response)).toBe(expected);
    expect(looks).toBeGreaterThan(5);
    expect(most).toBeLessThan(30 * megabyte);
  });

  test('the first event of an event stream, arrives while the response continues', async () => {
    const { open } = await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    });
    const sent = open().end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const [data] = (await once(response, 'data')) as [Buffer];
    expect(data.toString()).toBe('data: 1\n\n');
    sent.destroy();
  });
});

describe('a client that goes away', () => {
  async function goneAt(moment: 'before the response' | 'during the response' | 'during its body') {
    let isGone = false;
    const { service, open } = await start((request, response) => {
      response.on('close', () => {
        isGone = !response.writableFinished;
      });
      request.resume();
      if (moment === 'during the response') response.write('begin');
    });
    const sent = open(moment === 'during its body' ? 'POST' : 'GET');
    if (moment === 'during its body') sent.write('x'.repeat(200_000));
    else sent.end();
    if (moment === 'during the response') await once(sent, 'response');
    await vi.waitFor(() => expect(service.requests).toHaveLength(1));
    sent.destroy();
    await vi.waitFor(() => expect(isGone).toBe(true), 3_000);
  }

  test.each(['before the response', 'during the response', 'during its body'] as const)(
    '%s, closes the connection to the service',
    goneAt,
  );

  test('before the response, does not keep the next client from being served', async () => {
    let count = 0;
    const { open } = await start((_request, response) => {
      count += 1;
      if (count > 1) response.end('second');
    });
    const first = open().end();
    await vi.waitFor(() => expect(count).toBe(1));
    first.destroy();
    const [response] = (await once(open().end(), 'response')) as [IncomingMessage];
    expect(Buffer.concat(await response.toArray()).toString()).toBe('second');
  });
});

describe('ranges', () => {
  test('a range request, has its headers passed on, and its status and headers returned', async () => {
    const { service, gateway } = await start((_request, response) => {
      response.writeHead(206, {
        'content-range': 'bytes 2-4/10',
        'content-length': '3',
        'accept-ranges': 'bytes',
        etag: '"strong"',
      });
      response.end('cde');
    });
    const answer = await fetch(`${gateway.url}/data/recordings/a.mp4`, {
      headers: { range: 'bytes=2-4', 'if-range': '"strong"' },
    });
    expect(answer.status).toBe(206);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-range': 'bytes 2-4/10',
      'content-length': '3',
      'accept-ranges': 'bytes',
      etag: '"strong"',
    });
    expect(await answer.text()).toBe('cde');
    expect(service.requests[0]?.headers).toMatchObject({ range: 'bytes=2-4', 'if-range': '"strong"' });
  });
});

const responses = `responses: { '200': { content: { text/event-stream: { schema: { type: string } } } } }`;
const contractText = `${testContract}
  /api/ui/events: { get: { operationId: listen, x-hub-service: query, security: [], ${responses} } }
`;

/** More than the connections that a service has for its other responses. */
const many = 300;

describe('event streams', () => {
  let service: TestService;
  let gateway: TestGateway;
  let open: Set<ServerResponse>;

  beforeEach(async () => {
    open = new Set();
    service = await startTestService((request, response) => {
      if (request.url !== '/api/ui/events') return response.end('{}');
      open.add(response);
      response.once('close', () => open.delete(response));
      return response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 1\n\n');
    });
    gateway = await startTestGateway({ services: { query: service.url }, contractText });
  });
  afterEach(async () => {
    await gateway.close();
    await service.close();
  });

  async function listen() {
    const request = get(`${gateway.url}/api/ui/events`, { agent: false });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject);
    });
    let text = '';
    let hasEnded = false;
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    response.once('end', () => {
      hasEnded = true;
    });
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    return { text: () => text, hasEnded: () => hasEnded, leave: () => request.destroy() };
  }

  test('with an event from the service, reach the client at once', async () => {
    const client = await listen();
    await vi.waitUntil(() => client.text() === 'retry: 1\n\n');
    for (const response of open) response.write('id: 1\ndata: {}\n\n');
    await vi.waitUntil(() => client.text().endsWith('id: 1\ndata: {}\n\n'));
    client.leave();
    await vi.waitUntil(() => open.size === 0);
  });

  test('by the hundred, leave the other routes their connections', async () => {
    const clients = await Promise.all(Array.from({ length: many }, listen));
    await vi.waitUntil(() => open.size === many);
    const response = await fetch(`${gateway.url}/api/ui/things`);
    expect(response.status).toBe(200);
    for (const client of clients) client.leave();
  });

  test('when the gateway stops, end for the clients and for the services', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, listen));
    await gateway.stop();
    await vi.waitUntil(() => clients.every((client) => client.hasEnded()));
    await vi.waitUntil(() => open.size === 0);
  });
});
