import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ask } from '../testing/ask.js';
import { startTestGateway, type TestGateway } from '../testing/gateway.js';
import { startTestService, type TestService } from '../testing/service.js';

let query: TestService;
let gateway: TestGateway;

beforeEach(async () => {
  query = await startTestService((request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ url: request.url }));
  });
  gateway = await startTestGateway({ services: { query: query.url } });
});
afterEach(() => Promise.all([gateway.close(), query.close()]));

const seen = () => query.requests.at(-1)?.headers ?? {};

describe('routes', () => {
  test('a known path, another method, is 405 with Allow', async () => {
    const { status, headers, json } = await ask(`${gateway.url}/api/ui/things/1`, { method: 'PATCH' });
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, DELETE']);
    expect(json).toMatchObject({ code: 'method_not_allowed', request_id: headers['x-request-id'] });
    const options = await ask(`${gateway.url}/api/processor/videos`, { method: 'OPTIONS' });
    expect([options.status, options.headers.allow]).toEqual([405, 'POST']);
    expect(query.requests).toHaveLength(0);
  });

  test.each(['/api/ui/nothing', '/internal/readiness', '/api/ui', '/api/ui/things/1/2', '//api/ui/things'])(
    'an unknown path, %s, is 404 and reaches nobody',
    async (path) => {
      const { status, json } = await ask(`${gateway.url}${path}`);
      expect([status, json['code']]).toEqual([404, 'route_not_found']);
      expect(query.requests).toHaveLength(0);
    },
  );

  test('below a base path, routes answer there only and services see their own paths', async () => {
    const below = await startTestGateway({
      services: { query: query.url },
      basePath: '/hub',
      trustedProxies: '127.0.0.0/8',
    });
    try {
      const headers = { 'x-forwarded-prefix': '/birds' };
      const { status, json } = await ask(`${below.url}/hub/api/ui/things?a=1`, { headers });
      expect([status, json['url']]).toEqual([200, '/api/ui/things?a=1']);
      expect(seen()['x-forwarded-prefix']).toBe('/birds/hub');
      const without = await ask(`${below.url}/hub/api/ui/things`);
      expect([without.status, seen()['x-forwarded-prefix']]).toEqual([200, '/hub']);
      for (const path of ['/api/ui/things', '/h%75b/api/ui/things', '/hubapi/ui/things', '/']) {
        expect((await ask(`${below.url}${path}`)).status).toBe(404);
      }
    } finally {
      await below.close();
    }
  });

  test('a contract, an operation of a service that is none, stops the gateway from starting', async () => {
    const contractText = `
info: { version: 1.0.0 }
paths: { /x: { get: { operationId: getX, security: [], x-hub-service: weather } } }`;
    await expect(startTestGateway({ services: {}, contractText })).rejects.toThrow('getX to weather');
  });
});
