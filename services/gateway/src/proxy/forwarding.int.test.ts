import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, type RequestListener, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../testing/gateway.js';
import { sendRequest, startTestService, type TestService } from '../testing/http.js';

let query: TestService;
let ingest: TestService;
let gateway: TestGateway;

const answered = async (request: Parameters<Parameters<typeof startTestService>[0]>[0]) =>
  Buffer.concat(await request.toArray()).toString();

beforeEach(async () => {
  query = await startTestService(async (request, response) => {
    const body = await answered(request);
    response.setHeader('x-hub-consistency-token', 'origin:7').setHeader('content-type', 'application/json');
    const version = request.url?.match(/settings=(\d+)/)?.[1];
    if (version) response.setHeader('x-hub-settings', version);
    response.end(JSON.stringify({ url: request.url, method: request.method, body }));
  });
  ingest = await startTestService((_request, response) => {
    response.writeHead(201, {
      'x-hub-consistency-token': 'writer:3',
      connection: 'keep-alive, x-mine',
      'x-mine': '1',
    });
    response.end('{}');
  });
  const services = { query: query.url, ingest: ingest.url };
  gateway = await startTestGateway({ services, internalSecret: 's3cret', trustedHosts: 'hub.example' });
});
afterEach(() => Promise.all([gateway.close(), query.close(), ingest.close()]));

const seen = () => query.requests.at(-1)?.headers ?? {};

describe('forwarding', () => {
  test('an operation, with a query, reaches its service with the same target', async () => {
    const { status, json } = await sendRequest(`${gateway.url}/api/ui/things/4%2F5?a=%20b&a=c`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ url: '/api/ui/things/4%2F5?a=%20b&a=c', method: 'GET' });
  });

  test('a wildcard path, with slashes and escapes, reaches its service unchanged', async () => {
    const { json } = await sendRequest(`${gateway.url}/data/recordings/2026/05/%C3%A9t%C3%A9/a%20b.mp4`);
    expect(json['url']).toBe('/data/recordings/2026/05/%C3%A9t%C3%A9/a%20b.mp4');
  });

  test.each([
    ['GET', { 'accept-encoding': 'br' }, 200],
    ['GET', { 'accept-encoding': 'br', 'if-none-match': 'W/"a"', range: 'bytes=0-1' }, 304],
    ['HEAD', { 'accept-encoding': 'gzip, br;q=0.5' }, 200],
  ])(
    '%s %j, with a compressed response, returns it to the client unchanged',
    async (method, headers, status) => {
      const sent = {
        etag: 'W/"a"',
        vary: 'accept-encoding',
        ...(status === 200 && { 'content-encoding': 'br', 'content-length': '4' }),
      };
      const service = await startTestService((_request, response) => {
        response.writeHead(status, sent).end(status === 200 && method === 'GET' ? 'pack' : undefined);
      });
      const own = await startTestGateway({ services: { query: service.url } });
      onTestFinished(async () => void (await Promise.all([own.close(), service.close()])));
      const [response, body] = await new Promise<[IncomingMessage, Buffer]>((resolve, reject) => {
        const sending = request(`${own.url}/api/ui/things/1`, { method, headers }, async (answer) =>
          resolve([answer, Buffer.concat(await answer.toArray())]),
        );
        sending.on('error', reject).end();
      });
      expect(service.requests.at(-1)?.headers).toMatchObject(headers);
      expect([response.statusCode, body.toString()]).toEqual([
        status,
        status === 200 && method === 'GET' ? 'pack' : '',
      ]);
      expect(response.headers).toMatchObject({ ...sent, vary: expect.stringContaining('accept-encoding') });
    },
  );

  test('a post, with a body of any type, reaches its service unchanged', async () => {
    const headers = { 'content-type': 'text/strange; x=1', 'content-length': '11' };
    const { json } = await sendRequest(`${gateway.url}/api/ui/things`, {
      method: 'POST',
      headers,
      body: 'not: [json}',
    });
    expect(json).toMatchObject({ method: 'POST', body: 'not: [json}' });
    expect(seen()).toMatchObject(headers);
  });

  test('a post, without a body, reaches its service without one', async () => {
    const { json } = await sendRequest(`${gateway.url}/api/ui/things`, { method: 'POST' });
    expect(json).toMatchObject({ method: 'POST', body: '' });
  });

  test('a delete, with a body, reaches its service with it', async () => {
    const options = { method: 'DELETE', headers: { 'content-length': '7' }, body: '{"a":1}' };
    const { json } = await sendRequest(`${gateway.url}/api/ui/things/1`, options);
    expect(json).toMatchObject({ method: 'DELETE', body: '{"a":1}' });
  });

  test('HEAD of a GET route, has the headers of the service and no body', async () => {
    const { status, headers, text } = await sendRequest(`${gateway.url}/api/ui/things`, { method: 'HEAD' });
    expect([status, text]).toEqual([200, '']);
    expect(headers['content-type']).toBe('application/json');
    expect(query.requests[0]?.method).toBe('HEAD');
  });

  test('a request id, is kept when well-formed and replaced otherwise', async () => {
    const sane = await sendRequest(`${gateway.url}/api/ui/things`, { headers: { 'x-request-id': 'abc-1' } });
    expect([sane.headers['x-request-id'], seen()['x-request-id']]).toEqual(['abc-1', 'abc-1']);
    const strange = await sendRequest(`${gateway.url}/api/ui/things`, { headers: { 'x-request-id': 'a b' } });
    expect(strange.headers['x-request-id']).toMatch(/^[\w-]{36}$/);
    expect(seen()['x-request-id']).toBe(strange.headers['x-request-id']);
  });
});

describe('headers of a forwarded request', () => {
  test('forged internal and proxy headers, from an untrusted peer, are replaced', async () => {
    await sendRequest(`${gateway.url}/api/ui/things`, {
      headers: {
        host: 'hub.example',
        'x-hub-caller': 'root',
        'x-hub-internal': 'guess',
        'x-hub-anything': '1',
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-prefix': '/evil',
        forwarded: 'for=203.0.113.9',
      },
    });
    expect(seen()).toMatchObject({
      'x-hub-caller': 'admin',
      'x-hub-internal': 's3cret',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'hub.example',
    });
    for (const name of ['x-hub-anything', 'x-forwarded-prefix', 'forwarded'])
      expect(seen()).not.toHaveProperty(name);
  });

  test('forwarded client, protocol, host and prefix, from a trusted proxy, are passed on', async () => {
    const trusting = await startTestGateway({
      services: { query: query.url },
      trustedProxies: '127.0.0.0/8',
    });
    await sendRequest(`${trusting.url}/api/ui/things`, {
      headers: {
        'x-forwarded-for': '198.51.100.1, 203.0.113.9, 127.0.0.3',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'birds.example',
        'x-forwarded-prefix': '/birds/',
      },
    });
    await trusting.close();
    expect(seen()).toMatchObject({
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'birds.example',
      'x-forwarded-prefix': '/birds',
    });
  });

  test('a processor operation, for any client, has the caller processor', async () => {
    await sendRequest(`${gateway.url}/api/processor/videos`, {
      method: 'POST',
      headers: { 'x-processor-token': 't' },
    });
    expect(ingest.requests[0]?.headers).toMatchObject({
      'x-hub-caller': 'processor',
      'x-processor-token': 't',
    });
  });

  test('hop-by-hop headers, in both directions, are not forwarded', async () => {
    const headers = {
      connection: 'close, x-mine',
      'x-mine': '1',
      te: 'trailers',
      'proxy-authorization': 'Basic x',
    };
    const { headers: response } = await sendRequest(`${gateway.url}/api/processor/videos`, {
      method: 'POST',
      headers,
    });
    for (const name of ['x-mine', 'te', 'proxy-authorization']) {
      expect(ingest.requests[0]?.headers).not.toHaveProperty(name);
    }
    expect(ingest.requests[0]?.headers.connection).toBe('keep-alive');
    expect(response).not.toHaveProperty('x-mine');
    expect(response.connection).toBe('close');
  });
});

describe('consistency tokens', () => {
  test('a read after a write, carries the token of the write, which clients never see', async () => {
    await sendRequest(`${gateway.url}/api/ui/status`);
    const write = await sendRequest(`${gateway.url}/api/processor/videos`, { method: 'POST' });
    expect(write.status).toBe(201);
    expect(write.headers).not.toHaveProperty('x-hub-consistency-token');
    await sendRequest(`${gateway.url}/api/ui/things`);
    expect(seen()['x-hub-consistency-token']).toBe('writer:3');
    await sendRequest(`${gateway.url}/api/ui/things`);
    expect(seen()['x-hub-consistency-token']).toBe('writer:3,origin:7');
    await sendRequest(`${gateway.url}/api/ui/things`, { method: 'POST' });
    expect(seen()).not.toHaveProperty('x-hub-consistency-token');
  });

  test('after a change of the settings, all requests carry the new version', async () => {
    await sendRequest(`${gateway.url}/api/ui/status`);
    expect(seen()).not.toHaveProperty('x-hub-settings');
    const write = await sendRequest(`${gateway.url}/api/ui/things?settings=12`, { method: 'POST' });
    expect(write.headers).not.toHaveProperty('x-hub-settings');
    await sendRequest(`${gateway.url}/api/ui/things?settings=11`, { method: 'POST' });
    await sendRequest(`${gateway.url}/api/processor/videos`, { method: 'POST' });
    expect(ingest.requests[0]?.headers).toMatchObject({ 'x-hub-settings': '12' });
  });
});

describe('a service on a Unix socket', () => {
  test('that goes away and comes back, is 502 in between', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'birdhub-gateway-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'query.sock');
    const answer: RequestListener = ({ url }, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ url }));
    const first = await startTestService(answer, path);
    const hub = await startTestGateway({ services: { query: first.url }, trustedHosts: 'hub.example' });
    onTestFinished(() => hub.close());
    expect((await sendRequest(`${hub.url}/api/ui/things?a=1`)).json).toEqual({ url: '/api/ui/things?a=1' });
    await first.close();
    expect((await sendRequest(`${hub.url}/api/ui/things`)).status).toBe(502);
    const second = await startTestService(answer, path);
    onTestFinished(() => second.close());
    expect((await sendRequest(`${hub.url}/api/ui/things`)).status).toBe(200);
  });
});

describe('routes', () => {
  test('a known path with another method, is 405 with Allow', async () => {
    const { status, headers, json } = await sendRequest(`${gateway.url}/api/ui/things/1`, {
      method: 'PATCH',
    });
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, DELETE']);
    expect(json).toMatchObject({ code: 'method_not_allowed', request_id: headers['x-request-id'] });
    const options = await sendRequest(`${gateway.url}/api/processor/videos`, { method: 'OPTIONS' });
    expect([options.status, options.headers.allow]).toEqual([405, 'POST']);
    expect(query.requests).toHaveLength(0);
  });

  test.each(['/api/ui/nothing', '/internal/readiness', '/api/ui', '/api/ui/things/1/2', '//api/ui/things'])(
    'an unknown path, %s, is 404 and not forwarded',
    async (path) => {
      const { status, json } = await sendRequest(`${gateway.url}${path}`);
      expect([status, json['code']]).toEqual([404, 'route_not_found']);
      expect(query.requests).toHaveLength(0);
    },
  );

  test('below a base path, exist there only, and services receive paths without it', async () => {
    const below = await startTestGateway({
      services: { query: query.url },
      basePath: '/hub',
      trustedProxies: '127.0.0.0/8',
    });
    try {
      const headers = { 'x-forwarded-prefix': '/birds' };
      const { status, json } = await sendRequest(`${below.url}/hub/api/ui/things?a=1`, { headers });
      expect([status, json['url']]).toEqual([200, '/api/ui/things?a=1']);
      expect(seen()['x-forwarded-prefix']).toBe('/birds/hub');
      const without = await sendRequest(`${below.url}/hub/api/ui/things`);
      expect([without.status, seen()['x-forwarded-prefix']]).toEqual([200, '/hub']);
      for (const path of ['/api/ui/things', '/h%75b/api/ui/things', '/hubapi/ui/things', '/']) {
        expect((await sendRequest(`${below.url}${path}`)).status).toBe(404);
      }
    } finally {
      await below.close();
    }
  });

  test('of an unknown service in the contract, stop the gateway from starting', async () => {
    const contractText = `
info: { version: 1.0.0 }
paths: { /x: { get: { operationId: getX, security: [], x-hub-service: weather } } }`;
    await expect(startTestGateway({ services: {}, contractText })).rejects.toThrow(
      'getX to the unknown service weather',
    );
  });
});
