import { countStatements } from '@birdhub/shared/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ask } from '../testing/ask.js';
import { startTestGateway, testContract } from '../testing/gateway.js';
import { checkAccess, type GuardedHub, openGuardedHub } from '../testing/guarded-hub.js';
import { storePasswords } from '../testing/passwords.js';
import { startTestService, type TestService } from '../testing/service.js';

const guarded = (id: string, security: string) =>
  `{ operationId: ${id}, x-hub-service: query, security: ${security} }`;
const contractText = `${testContract}
  /api/ui/settings: { patch: { operationId: changeSettings, x-hub-service: system, security: [{ session: [admin] }] } }
  /api/ui/reviewed: { post: ${guarded('review', '[{ session: [contributor] }]')} }
  /api/ui/managed: { post: ${guarded('manage', '[{ session: [admin] }]')} }
  /api/ui/fed: { post: ${guarded('feed', '[{ session: [admin] }, { mcp: [] }]')} }
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
  query.requests.length = 0;
});

async function start(options: Parameters<GuardedHub['start']>[0] = {}): Promise<string> {
  const services = { query: query.url, system: query.url };
  const gateway = await hub.start({ services, contractText, mcpToken: 't0ken', ...options });
  return gateway.url;
}

const post = (url: string, headers = {}) => ask(url, { method: 'POST', headers });
const callers = () => query.requests.map(({ headers }) => headers['x-hub-caller']);

describe('what a service is told of a caller', () => {
  test('of each kind, is who it is, without what it proved that with', async () => {
    const url = await start();
    await ask(`${url}/api/ui/things`);
    await ask(`${url}/api/ui/things`, { headers: { cookie: 'hub_session=guess' } });
    await ask(`${url}/api/ui/things`, { headers: { authorization: 'Basic eDp5' } });
    await ask(`${url}/api/ui/things`, { headers: { authorization: 'Bearer t0ken' } });
    await post(`${url}/api/ui/reviewed`, { cookie: await hub.cookieOf('contributor') });
    await post(`${url}/api/ui/managed`, { cookie: await hub.cookieOf('admin') });
    await post(`${url}/api/ui/fed`, { authorization: 'bearer t0ken' });
    expect(callers()).toEqual(['viewer', 'viewer', 'viewer', 'viewer', 'contributor', 'admin', 'mcp']);
    for (const { headers } of query.requests) {
      expect(headers).not.toHaveProperty('cookie');
      expect(headers).not.toHaveProperty('authorization');
    }
  });

  test('of a session at one gateway, holds at the other, and ends at both at once', async () => {
    const [one, other] = [await start(), await start()];
    const cookie = await hub.cookieOf('admin');
    expect((await post(`${one}/api/ui/managed`, { cookie })).status).toBe(200);
    expect((await post(`${other}/api/ui/managed`, { cookie })).status).toBe(200);
    await post(`${other}/api/ui/settings/logout`, { cookie });
    expect((await post(`${one}/api/ui/managed`, { cookie })).json['code']).toBe('unlock_required');
  });
});

describe('a refusal', () => {
  test('of a large body, comes before the body is read', async () => {
    const url = await start();
    const headers = { 'content-length': '1000000', expect: '100-continue' };
    const answer = await ask(`${url}/api/ui/managed`, {
      method: 'POST',
      headers,
      body: 'x'.repeat(1_000_000),
    });
    expect([answer.status, answer.json['code']]).toEqual([403, 'unlock_required']);
    expect(query.requests).toHaveLength(0);
  });

  test.each(['/api/ui/things', '/api/ui/health', '/api/ui/settings/check-access', '/unknowns'])(
    'of a wrong token, at %s, with a valid cookie too, is 401 with the scheme',
    async (path) => {
      const url = await start();
      const headers = { authorization: 'Bearer wrong', cookie: await hub.cookieOf('admin') };
      const answer = await ask(url + path, { headers });
      expect([answer.status, answer.json['code']]).toEqual([401, 'invalid_token']);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    },
  );

  test('of any token, where none is configured, is 401', async () => {
    const url = await start({ mcpToken: undefined });
    expect((await post(`${url}/api/ui/fed`, { authorization: 'Bearer ' })).status).toBe(401);
    expect((await post(`${url}/api/ui/fed`, { authorization: 'Bearer undefined' })).status).toBe(401);
  });

  test('of another site, with a session, is 403, and without one is not', async () => {
    const url = await start({ corsOrigins: new Set(['https://app.example']) });
    const cookie = await hub.cookieOf('admin');
    const headers = { cookie, origin: 'https://evil.example' };
    expect((await post(`${url}/api/ui/managed`, headers)).json['code']).toBe('csrf_rejected');
    const allowed = { cookie, origin: 'https://app.example', 'sec-fetch-site': 'cross-site' };
    expect((await post(`${url}/api/ui/managed`, allowed)).status).toBe(200);
    expect((await post(`${url}/api/ui/things`, { origin: 'https://evil.example' })).status).toBe(200);
  });

  test('of a name that a proxy hides, goes by the name that the trusted proxy tells', async () => {
    const cookie = await hub.cookieOf('admin');
    const headers = { cookie, origin: 'https://birds.example', 'x-forwarded-host': 'birds.example' };
    const trusting = await start({ trustedProxies: '127.0.0.1' });
    expect((await post(`${trusting}/api/ui/managed`, headers)).status).toBe(200);
    expect((await post(`${await start()}/api/ui/managed`, headers)).status).toBe(403);
  });
});

describe('what it costs', () => {
  test('a hub without passwords, and who brings nothing, is not worth a statement; a cookie is worth one', async () => {
    const url = await start();
    const cookie = await hub.cookieOf('admin');
    const read = (headers = {}) => ask(`${url}/api/ui/things`, { headers });
    expect(await countStatements(hub.database.pool, () => read())).toBe(0);
    expect(await countStatements(hub.database.pool, () => read({ cookie }))).toBe(1);
    await hub.set({ admin: '', contributor: '' });
    expect(await countStatements(hub.database.pool, () => read({ cookie }))).toBe(0);
    expect(callers()).toEqual(['viewer', 'admin', 'admin']);
  });
});

describe('the passwords', () => {
  test('changed through this gateway, hold for the request after', async () => {
    await hub.set({ admin: '', contributor: '' });
    const system = await startTestService(async (_request, response) => {
      await storePasswords(hub.database, { admin: 'adm1n', contributor: '' });
      response.writeHead(200, { 'x-hub-bell': 'system:1', 'x-hub-settings': '2' }).end();
    });
    const url = await start({ services: { query: query.url, system: system.url } });
    expect((await post(`${url}/api/ui/managed`)).status).toBe(200);
    expect((await ask(`${url}/api/ui/settings`, { method: 'PATCH' })).status).toBe(200);
    expect((await post(`${url}/api/ui/managed`)).json['code']).toBe('unlock_required');
    await system.close();
  });

  test('not known yet, reads pass as those of a viewer, and what is guarded is 503', async () => {
    const passwords = { now: () => undefined, pending: () => undefined, refresh: async () => undefined };
    const url = await start({ passwords });
    expect((await ask(`${url}/api/ui/things`)).status).toBe(200);
    expect(callers()).toEqual(['viewer']);
    const answer = await post(`${url}/api/ui/managed`);
    expect([answer.status, answer.json['code'], answer.headers['retry-after']]).toEqual([
      503,
      'starting',
      '2',
    ]);
  });

  test('the database away, a session is 503, and who brings nothing is served', async () => {
    const gateway = await startTestGateway({
      services: { query: query.url },
      contractText,
      passwords: hub.passwords,
    });
    const cookie = 'hub_session=any';
    const answer = await ask(`${gateway.url}/api/ui/things`, { headers: { cookie } });
    expect([answer.status, answer.json['code']]).toEqual([503, 'database_unavailable']);
    expect((await ask(`${gateway.url}/api/ui/things`)).status).toBe(200);
    expect((await ask(`${gateway.url}/api/ui/health`, { headers: { cookie } })).status).toBe(200);
    expect(await checkAccess(gateway.url, cookie)).toEqual({ unlocked: false });
    await gateway.close();
  });
});
