import { connect } from 'node:net';
import { countStatements } from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { securityOf, startTestGateway, testContract } from '../testing/gateway.js';
import { checkAccess, type GuardedHub, openGuardedHub, storePasswords } from '../testing/guarded-hub.js';
import { sendRequest, startTestService, type TestService } from '../testing/http.js';

const guarded = (id: string, security: string) =>
  `{ operationId: ${id}, x-hub-service: query, security: ${security} }`;
const contractText = `${testContract}
  /api/ui/settings: { patch: { operationId: changeSettings, x-hub-service: system, security: ${securityOf('admin')} } }
  /api/ui/reviewed: { post: ${guarded('review', securityOf('contributor'))} }
  /api/ui/managed: { post: ${guarded('manage', securityOf('admin'))} }
  /api/ui/fed: { post: ${guarded('feed', securityOf('adminOrMcp'))} }
`;

let hub: GuardedHub;
let query: TestService;

beforeAll(async () => {
  hub = await openGuardedHub();
  query = await startTestService((request, response) => {
    request.resume();
    response.end('done');
  });
});
afterAll(async () => {
  await hub.close();
  await query.close();
});
beforeEach(async () => {
  await hub.set({ admin: 'adm1n', contributor: 'c0ntributor' });
  await hub.database.pool.query('DELETE FROM unlock_attempt');
  query.requests.length = 0;
});

async function start(options: Parameters<GuardedHub['start']>[0] = {}): Promise<string> {
  const services = { query: query.url, system: query.url };
  const gateway = await hub.start({ services, contractText, mcpToken: 't0ken', ...options });
  return gateway.url;
}

const post = (url: string, headers = {}) => sendRequest(url, { method: 'POST', headers });
const callers = () => query.requests.map(({ headers }) => headers['x-hub-caller']);

describe('x-hub-caller', () => {
  test('for each kind of client, is its role, and cookie and token are not forwarded', async () => {
    const url = await start();
    await sendRequest(`${url}/api/ui/things`);
    await sendRequest(`${url}/api/ui/things`, { headers: { cookie: 'hub_session=guess' } });
    await sendRequest(`${url}/api/ui/things`, { headers: { authorization: 'Basic eDp5' } });
    await sendRequest(`${url}/api/ui/things`, { headers: { authorization: 'Bearer t0ken' } });
    await post(`${url}/api/ui/reviewed`, { cookie: await hub.cookieOf('contributor') });
    await post(`${url}/api/ui/managed`, { cookie: await hub.cookieOf('admin') });
    await post(`${url}/api/ui/fed`, { authorization: 'bearer t0ken' });
    expect(callers()).toEqual(['viewer', 'viewer', 'viewer', 'viewer', 'contributor', 'admin', 'mcp']);
    for (const { headers } of query.requests) {
      expect(headers).not.toHaveProperty('cookie');
      expect(headers).not.toHaveProperty('authorization');
    }
  });

  test('with a session opened at one gateway, is its role at both, until logout at either', async () => {
    const [one, other] = [await start(), await start()];
    const cookie = await hub.cookieOf('admin');
    expect((await post(`${one}/api/ui/managed`, { cookie })).status).toBe(200);
    expect((await post(`${other}/api/ui/managed`, { cookie })).status).toBe(200);
    await post(`${other}/api/ui/settings/logout`, { cookie });
    expect((await post(`${one}/api/ui/managed`, { cookie })).json['code']).toBe('unlock_required');
  });
});

describe('a request', () => {
  test('with a large body and no permission, is rejected before the body is read', async () => {
    const url = await start();
    const headers = { 'content-length': '1000000', expect: '100-continue' };
    const response = await sendRequest(`${url}/api/ui/managed`, {
      method: 'POST',
      headers,
      body: 'x'.repeat(1_000_000),
    });
    expect([response.status, response.json['code']]).toEqual([403, 'unlock_required']);
    expect(query.requests).toHaveLength(0);
  });

  test.each(['/api/ui/things', '/api/ui/health', '/api/ui/settings/check-access', '/unknowns'])(
    'with a wrong token, at %s, is 401 with the scheme, even with a valid cookie',
    async (path) => {
      const url = await start();
      const headers = { authorization: 'Bearer wrong', cookie: await hub.cookieOf('admin') };
      const response = await sendRequest(url + path, { headers });
      expect([response.status, response.json['code']]).toEqual([401, 'invalid_token']);
      expect(response.headers['www-authenticate']).toBe('Bearer');
    },
  );

  test('after five wrong tokens within a minute, is 429 at both gateways, even with the right token', async () => {
    const [one, other] = [
      await start({ trustedProxies: '127.0.0.1' }),
      await start({ trustedProxies: '127.0.0.1' }),
    ];
    const show = (url: string, token: string, from = '203.0.113.1') =>
      sendRequest(`${url}/api/ui/things`, {
        headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': from },
      });
    for (let count = 0; count < 5; count += 1) expect((await show(one, 'guess')).status).toBe(401);
    const responses = [await show(one, 'guess'), await show(one, 't0ken'), await show(other, 'guess')];
    for (const { status, json, headers } of responses) {
      expect([status, json['code']]).toEqual([429, 'too_many_attempts']);
      const wait = Number(headers['retry-after']);
      expect(Number.isInteger(wait) && wait > 0 && wait <= 60).toBe(true);
    }
    expect((await show(other, 't0ken')).status).toBe(429);
    expect((await show(one, 't0ken', '203.0.113.2')).status).toBe(200);
    const without = { headers: { 'x-forwarded-for': '203.0.113.1' } };
    expect((await sendRequest(`${one}/api/ui/things`, without)).status).toBe(200);
  });

  test('with any token, when none is configured, is 401', async () => {
    const url = await start({ mcpToken: undefined });
    expect((await post(`${url}/api/ui/fed`, { authorization: 'Bearer ' })).status).toBe(401);
    expect((await post(`${url}/api/ui/fed`, { authorization: 'Bearer undefined' })).status).toBe(401);
  });

  test('with a session, is 403 from another site and 200 from an allowed origin', async () => {
    const url = await start({ corsOrigins: new Set(['https://app.example']) });
    const cookie = await hub.cookieOf('admin');
    const headers = { cookie, origin: 'https://evil.example' };
    expect((await post(`${url}/api/ui/managed`, headers)).json['code']).toBe('csrf_rejected');
    const allowed = { cookie, origin: 'https://app.example', 'sec-fetch-site': 'cross-site' };
    expect((await post(`${url}/api/ui/managed`, allowed)).status).toBe(200);
  });

  test.each([
    ['/api/ui/things', { origin: 'https://evil.example' }],
    ['/api/ui/things', { origin: 'null' }],
    ['/api/ui/things', { 'sec-fetch-site': 'cross-site' }],
    ['/api/ui/things', { 'sec-fetch-site': 'same-site' }],
    ['/api/ui/managed', { origin: 'https://evil.example', authorization: 'Bearer t0ken' }],
    ['/api/ui/settings/verify-password', { origin: 'https://evil.example' }],
    ['/api/processor/videos', { origin: 'https://evil.example' }],
  ])(
    'from another site, to %s with %j and without a cookie on an open hub, is 403',
    async (path, headers) => {
      await hub.set({ admin: '', contributor: '' });
      const response = await post((await start()) + path, headers);
      expect([response.status, response.json['code']]).toEqual([403, 'csrf_rejected']);
      expect(query.requests).toHaveLength(0);
    },
  );

  test.each([{}, { 'sec-fetch-site': 'none' }, { 'sec-fetch-site': 'same-origin' }])(
    'from a client with %j, is not rejected',
    async (headers) => {
      expect((await post(`${await start()}/api/ui/things`, headers)).status).toBe(200);
    },
  );

  test('from the hub’s own page, is not rejected', async () => {
    const url = await start();
    expect((await post(`${url}/api/ui/things`, { origin: url })).status).toBe(200);
  });

  test('with an origin behind a proxy, is compared with the host that a trusted proxy forwards', async () => {
    const cookie = await hub.cookieOf('admin');
    const headers = { cookie, origin: 'https://birds.example', 'x-forwarded-host': 'birds.example' };
    const trusting = await start({ trustedProxies: '127.0.0.1' });
    expect((await post(`${trusting}/api/ui/managed`, headers)).status).toBe(200);
    expect((await post(`${await start()}/api/ui/managed`, headers)).status).toBe(403);
  });
});

describe('the Host header', () => {
  const unknown = 'evil.example';
  const read = async (url: string, headers: Record<string, string>, path = '/api/ui/things') => {
    const response = await sendRequest(url + path, { headers });
    return response.status === 200 ? 200 : [response.status, response.json['code']];
  };

  test('with an unlisted name, at any path and method, is 421 that names TRUSTED_HOSTS', async () => {
    const url = await start();
    for (const path of ['/api/ui/things', '/api/ui/health', '/openapi.yaml', '/', '/nothing']) {
      expect(await read(url, { host: unknown }, path), path).toEqual([421, 'unknown_host']);
    }
    const response = await post(`${url}/api/ui/things`, { host: unknown });
    expect([response.status, response.json['error']]).toEqual([
      421,
      expect.stringContaining('TRUSTED_HOSTS'),
    ]);
    expect(query.requests).toHaveLength(0);
  });

  test('with an unlisted name, in a preflight of an allowed origin, is 421', async () => {
    const origin = 'https://app.example';
    const url = await start({ corsOrigins: new Set([origin]) });
    const headers = { host: unknown, origin, 'access-control-request-method': 'POST' };
    const response = await sendRequest(`${url}/api/ui/things`, { method: 'OPTIONS', headers });
    expect(response.status).toBe(421);
  });

  test.each(['localhost', '127.0.0.1:8080', '192.168.1.4', '[::1]:80', 'hub', 'hub.local', 'birds.example'])(
    'with a private or listed name, %s, is 200',
    async (host) => {
      expect(await read(await start({ trustedHosts: 'birds.example' }), { host })).toBe(200);
    },
  );

  test('forwarded by a named proxy, is 200 for a valid name and 421 otherwise', async () => {
    const url = await start({ trustedProxies: '127.0.0.1' });
    const forwarded = 'x-forwarded-host';
    expect(await read(url, { host: unknown, [forwarded]: 'birds.example' })).toBe(200);
    for (const name of ['', 'a b', '"><script>', 'birds.example,']) {
      expect(await read(url, { host: unknown, [forwarded]: name }), name).toEqual([421, 'unknown_host']);
    }
  });

  test('forwarded by a proxy that is not named, is 421', async () => {
    const byDefault = await start({ trustedProxies: '127.0.0.1', isNamedProxy: () => false });
    const stranger = await start({ trustedProxies: '192.0.2.1' });
    const headers = { host: unknown, 'x-forwarded-host': 'localhost' };
    for (const url of [byDefault, stranger]) expect(await read(url, headers)).toEqual([421, 'unknown_host']);
  });

  test.each([
    ['twice', 'Host: localhost\r\nHost: evil.example', 400],
    ['twice, unknown first', 'Host: evil.example\r\nHost: localhost', 400],
    ['as none of HTTP/1.1', 'X-Other: 1', 400],
    ['as nothing', 'Host:', 421],
    ['with a user', 'Host: localhost@evil.example', 421],
    ['with a path', 'Host: localhost/evil.example', 421],
  ])('given %s, is refused', async (_, lines, status) => {
    const socket = connect(Number(new URL(await start()).port), '127.0.0.1');
    socket.write(`GET /api/ui/things HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`);
    const [head = ''] = Buffer.concat(await socket.toArray())
      .toString()
      .split('\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(query.requests).toHaveLength(0);
  });
});

describe('statements per request', () => {
  test('for a read, are none without passwords or without a cookie, and one with a cookie', async () => {
    const url = await start();
    const cookie = await hub.cookieOf('admin');
    const read = (headers = {}) => sendRequest(`${url}/api/ui/things`, { headers });
    expect(await countStatements(hub.database.pool, () => read())).toBe(0);
    expect(await countStatements(hub.database.pool, () => read({ cookie }))).toBe(1);
    await hub.set({ admin: '', contributor: '' });
    expect(await countStatements(hub.database.pool, () => read({ cookie }))).toBe(0);
    expect(callers()).toEqual(['viewer', 'admin', 'admin']);
  });
});

describe('passwords', () => {
  test('changed through this gateway, apply to the next request', async () => {
    await hub.set({ admin: '', contributor: '' });
    const system = await startTestService(async (_request, response) => {
      await storePasswords(hub.database, { admin: 'adm1n', contributor: '' });
      response.writeHead(200, { 'x-hub-consistency-token': 'system:1', 'x-hub-settings': '2' }).end();
    });
    const url = await start({ services: { query: query.url, system: system.url } });
    expect((await post(`${url}/api/ui/managed`)).status).toBe(200);
    expect((await sendRequest(`${url}/api/ui/settings`, { method: 'PATCH' })).status).toBe(200);
    expect((await post(`${url}/api/ui/managed`)).json['code']).toBe('unlock_required');
    await system.close();
  });

  test('before they are read, open operations run as viewer and guarded ones are 503', async () => {
    const passwords = { current: () => undefined, pending: () => undefined, refresh: async () => undefined };
    const url = await start({ passwords });
    expect((await sendRequest(`${url}/api/ui/things`)).status).toBe(200);
    expect(callers()).toEqual(['viewer']);
    const response = await post(`${url}/api/ui/managed`);
    expect([response.status, response.json['code'], response.headers['retry-after']]).toEqual([
      503,
      'starting',
      '2',
    ]);
  });

  test('with the database down, a request with a cookie is 503 and one without is 200', async () => {
    const gateway = await startTestGateway({
      services: { query: query.url },
      contractText,
      passwords: hub.passwords,
    });
    const cookie = 'hub_session=any';
    const response = await sendRequest(`${gateway.url}/api/ui/things`, { headers: { cookie } });
    expect([response.status, response.json['code']]).toEqual([503, 'database_unavailable']);
    expect((await sendRequest(`${gateway.url}/api/ui/things`)).status).toBe(200);
    expect((await sendRequest(`${gateway.url}/api/ui/health`, { headers: { cookie } })).status).toBe(200);
    expect(await checkAccess(gateway.url, cookie)).toEqual({ unlocked: false });
    await gateway.close();
  });
});
