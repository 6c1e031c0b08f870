import { afterEach, describe, expect, test } from 'vitest';
import { startTestGateway, testContract } from './testing/gateway.js';
import { sendRequest, startTestService } from './testing/http.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(options: Partial<Parameters<typeof startTestGateway>[0]> = {}) {
  const gateway = await startTestGateway({ services: {}, ...options });
  closers.push(gateway.close);
  return gateway.url;
}

async function startReady(conditions: object, secret = 's3cret'): Promise<string> {
  const service = await startTestService((request, response) => {
    const isOurs = request.headers['x-hub-internal'] === secret && request.url === '/internal/readiness';
    response.writeHead(isOurs ? 200 : 403, { 'content-type': 'application/json' });
    response.end(JSON.stringify(conditions));
  });
  closers.push(service.close);
  return service.url;
}

describe('GET /api/ui/health', () => {
  test('with every service down, is 200', async () => {
    const { status, json, headers } = await sendRequest(`${await start()}/api/ui/health`);
    expect([status, json]).toEqual([200, { status: 'ok' }]);
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('GET /api/ui/readiness', () => {
  const well = { database: 'ok', broker: 'ok' };

  async function readiness(query: object, system: object = well) {
    const ready = await startReady(well);
    const services = {
      ingest: ready,
      reports: ready,
      query: await startReady(query),
      system: await startReady(system),
    };
    return sendRequest(`${await start({ services, internalSecret: 's3cret' })}/api/ui/readiness`);
  }

  const allOk = { database: 'ok', broker: 'ok', ingest: 'ok', query: 'ok', reports: 'ok', system: 'ok' };

  test('with every service ready, is 200 ok', async () => {
    const { status, json } = await readiness({ database: 'ok', broker: 'not_used' });
    expect([status, json]).toEqual([200, { status: 'ok', checks: allOk }]);
  });

  test('with the broker down, is 200 degraded', async () => {
    const { status, json } = await readiness(well, { database: 'ok', broker: 'error' });
    expect([status, json]).toEqual([200, { status: 'degraded', checks: { ...allOk, broker: 'error' } }]);
  });

  test('with one service without its database, is 503', async () => {
    const { status, json } = await readiness({ database: 'error', broker: 'ok' });
    expect([status, json]).toEqual([503, { status: 'error', checks: { ...allOk, database: 'error' } }]);
  });

  test('with a service that hangs, is 503 and names it', async () => {
    const hanging = await startTestService(() => undefined);
    closers.push(hanging.close);
    const ready = await startReady(well);
    const services = { ingest: ready, query: hanging.url, reports: ready, system: ready };
    const url = await start({ services, internalSecret: 's3cret' });
    const { status, json } = await sendRequest(`${url}/api/ui/readiness`);
    expect([status, json]).toEqual([503, { status: 'error', checks: { ...allOk, query: 'error' } }]);
  });

  test('before any service is up, is 503 with an error for every check', async () => {
    const { status, json } = await sendRequest(`${await start()}/api/ui/readiness`);
    const checks = Object.fromEntries(Object.keys(allOk).map((name) => [name, 'error']));
    expect([status, json]).toEqual([503, { status: 'error', checks }]);
  });
});

describe('GET /openapi.yaml', () => {
  test.each(['/openapi.yaml', '/api/ui/openapi.yaml'])(
    '%s with a matching If-None-Match, is 304',
    async (path) => {
      const url = await start();
      const first = await sendRequest(url + path);
      expect(first).toMatchObject({ status: 200, text: testContract });
      expect(first.headers['content-type']).toBe('text/yaml; charset=utf-8');
      const headers = { 'if-none-match': `"x", ${first.headers.etag}` };
      expect(await sendRequest(url + path, { headers })).toMatchObject({ status: 304, text: '' });
      expect((await sendRequest(url + path, { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
    },
  );
});

describe('GET /openapi.yaml below a base path', () => {
  const contractText = `servers:\n  - url: /\n    description: This hub\n${testContract}`;

  test('with and without a trusted proxy, names the full path of the hub as its server', async () => {
    const url = await start({ contractText, basePath: '/hub', trustedProxies: '127.0.0.1' });
    const plain = await sendRequest(`${url}/hub/openapi.yaml`);
    expect(plain.text).toContain('  - url: /hub\n');
    const headers = { 'x-forwarded-prefix': '/birds' };
    const forwarded = await sendRequest(`${url}/hub/openapi.yaml`, { headers });
    expect(forwarded.text).toContain('  - url: /birds/hub\n');
    expect(forwarded.headers.etag).not.toBe(plain.headers.etag);
  });
});

describe('GET /docs', () => {
  const contractPage = '<base href="/" /><div id="contract"></div>';

  test('with the page built, is served below the base path, and is 304 when requested again', async () => {
    const url = await start({ contractPage, basePath: '/hub' });
    const first = await sendRequest(`${url}/hub/docs`);
    expect(first).toMatchObject({ status: 200, text: contractPage.replace('href="/"', 'href="/hub/"') });
    expect(first.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringMatching(/script-src 'self'(;|$)/),
    });
    const headers = { 'if-none-match': String(first.headers.etag) };
    expect((await sendRequest(`${url}/hub/docs`, { headers })).status).toBe(304);
  });

  test('without the page, is 404', async () => {
    const { status, json } = await sendRequest(`${await start()}/docs`);
    expect([status, json['code']]).toEqual([404, 'route_not_found']);
  });
});

describe('GET /unknowns', () => {
  test('with parameters, redirects to the timeline’s review page', async () => {
    const { status, headers } = await sendRequest(`${await start()}/unknowns?date=2026-05-01&review=0`);
    expect([status, headers.location]).toEqual([302, '/timeline?review=1&date=2026-05-01']);
  });

  test('behind a trusted proxy that strips a prefix, redirects below prefix and base path', async () => {
    const url = await start({ basePath: '/hub', trustedProxies: '127.0.0.1' });
    const headers = { 'x-forwarded-prefix': '/birds' };
    expect((await sendRequest(`${url}/hub/unknowns`, { headers })).headers.location).toBe(
      '/birds/hub/timeline?review=1',
    );
    expect((await sendRequest(`${url}/unknowns`, { headers })).status).toBe(404);
  });

  test('with a prefix from an untrusted peer, redirects without it', async () => {
    const headers = { 'x-forwarded-prefix': '/evil' };
    const response = await sendRequest(`${await start()}/unknowns`, { headers });
    expect(response.headers.location).toBe('/timeline?review=1');
  });
});
