import { afterEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../testing/gateway.js';
import { sendRequest, startTestService } from '../testing/http.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(options: Partial<Parameters<typeof startTestGateway>[0]> = {}): Promise<string> {
  const query = await startTestService((request, response) => {
    request.resume();
    response.setHeader('vary', 'Accept').setHeader('x-content-type-options', 'other').end('{}');
  });
  const gateway = await startTestGateway({ services: { query: query.url }, ...options });
  closers.push(query.close, gateway.close);
  return gateway.url;
}

const policy =
  "default-src 'self';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data: blob: https:;" +
  "media-src 'self' blob: https:;font-src 'self' data:;connect-src 'self';worker-src 'self' blob:;" +
  "object-src 'none';base-uri 'self';form-action 'self';frame-ancestors 'self'";
const security = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'SAMEORIGIN',
};

describe('security headers', () => {
  test.each([
    ['forwarded', 200, '/api/ui/things'],
    ['of the gateway', 200, '/api/ui/health'],
    ['of a route that is not there', 404, '/api/ui/nothing'],
    ['of a service that is down', 502, '/api/ui/status'],
    ['to a malformed URL', 400, '/api/ui/%zz'],
  ])('of a response %s, %i, are set', async (_, status, path) => {
    const response = await sendRequest((await start()) + path);
    expect(response.status).toBe(status);
    expect(response.headers).toMatchObject(security);
    expect(response.headers).not.toHaveProperty('strict-transport-security');
    expect(response.headers).not.toHaveProperty('cross-origin-resource-policy');
  });

  test('over HTTPS, include HSTS without subdomains if a trusted proxy reports it, and none otherwise', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const trusting = await start({ trustedProxies: '127.0.0.1' });
    const name = 'strict-transport-security';
    expect((await sendRequest(`${trusting}/api/ui/things`, { headers })).headers[name]).toBe(
      'max-age=31536000',
    );
    expect((await sendRequest(`${trusting}/nothing`, { headers })).headers[name]).toBe('max-age=31536000');
    expect((await sendRequest(`${await start()}/api/ui/things`, { headers })).headers).not.toHaveProperty(
      name,
    );
  });
});

describe('CORS', () => {
  const origin = 'https://app.example';
  const preflight = {
    origin,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'x-a',
  };
  const startAllowing = () => start({ corsOrigins: new Set([origin, 'http://other.example']) });

  test.each(['/api/ui/things', '/api/ui/health', '/api/ui/nothing'])(
    'an allowed origin, at %s, may read the response with credentials',
    async (path) => {
      const { headers } = await sendRequest((await startAllowing()) + path, { headers: { origin } });
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        vary: expect.stringMatching(/^Origin/),
      });
      const exposed = String(headers['access-control-expose-headers']).toLowerCase();
      for (const name of [
        'etag',
        'link',
        'retry-after',
        'x-request-id',
        'content-disposition',
        'content-range',
        'warning',
      ]) {
        expect(exposed).toContain(name);
      }
    },
  );

  test('a forwarded response with Vary, keeps its value beside Origin', async () => {
    const { headers } = await sendRequest(`${await startAllowing()}/api/ui/things`, { headers: { origin } });
    expect(headers.vary).toBe('Origin, Accept');
  });

  test.each(['/api/ui/things', '/api/ui/settings/verify-password', '/data/recordings/a.mp4'])(
    'a preflight of an allowed origin, at %s, is 204',
    async (path) => {
      const response = await sendRequest((await startAllowing()) + path, {
        method: 'OPTIONS',
        headers: preflight,
      });
      expect(response.status).toBe(204);
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': 'x-a',
      });
    },
  );

  test.each(['https://evil.example', 'null', 'https://app.example.evil.example', 'http://app.example'])(
    'another origin, %s, is not allowed',
    async (other) => {
      const url = `${await startAllowing()}/api/ui/things`;
      const plain = await sendRequest(url, { headers: { origin: other } });
      expect([plain.status, plain.headers['access-control-allow-origin']]).toEqual([200, undefined]);
      expect(plain.headers.vary).toMatch(/^Origin/);
      const response = await sendRequest(url, {
        method: 'OPTIONS',
        headers: { ...preflight, origin: other },
      });
      expect([response.status, response.headers['access-control-allow-origin']]).toEqual([405, undefined]);
    },
  );

  test('any origin, when none is configured, is not allowed', async () => {
    const url = await start();
    const { headers } = await sendRequest(`${url}/api/ui/things`, { headers: { origin } });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(
      (await sendRequest(`${url}/api/ui/things`, { method: 'OPTIONS', headers: preflight })).status,
    ).toBe(405);
  });

  test('an error, for an allowed origin, is readable', async () => {
    const headers = { origin, authorization: 'Bearer wrong' };
    const response = await sendRequest(`${await startAllowing()}/api/ui/things`, { headers });
    expect(response.status).toBe(401);
    expect(response.headers['access-control-allow-origin']).toBe(origin);
  });
});
