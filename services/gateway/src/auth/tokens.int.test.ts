import { callerTokenHeader, callerTokenOf } from '@birdhub/shared/app';
import { countStatements } from '@birdhub/testing';
import { manualClock } from '@birdhub/testing/clocks';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { securityOf, testContract } from '../testing/gateway.js';
import { checkAccess, type GuardedHub, openGuardedHub } from '../testing/guarded-hub.js';
import { sendRequest, startTestService, type TestResponse, type TestService } from '../testing/http.js';
import { AccessTokens, createTokenText, isTokenText } from './tokens.js';
import { maxTokens } from './tokens.store.js';

const guarded = (id: string, rule: Parameters<typeof securityOf>[0]) =>
  `{ operationId: ${id}, x-hub-service: query, security: ${securityOf(rule)} }`;
const contractText = `${testContract}
  /api/ui/exported: { get: ${guarded('export', 'contributorRead')} }
  /api/ui/reviewed: { post: ${guarded('review', 'contributor')} }
  /api/ui/managed: { post: ${guarded('manage', 'admin')} }
  /api/ui/fed: { post: ${guarded('feed', 'adminOrMcp')} }
  /api/ui/report: { get: { operationId: report, x-hub-service: query, security: [], x-hub-limit: { max: 30, window_seconds: 60 } } }
`;

const log = pino({ level: 'silent' });
const clock = manualClock(Date.now());
let hub: GuardedHub;
let query: TestService;
let tokens: AccessTokens;
let isListening = true;
let url: string;
let admin: { cookie: string };

beforeAll(async () => {
  hub = await openGuardedHub();
  query = await startTestService((request, response) => {
    request.resume();
    response.end('done');
  });
  tokens = new AccessTokens({ prisma: hub.database.prisma, log, isListening: () => isListening, clock });
  const services = { query: query.url, ingest: query.url };
  url = (
    await hub.start({
      services,
      contractText,
      tokens,
      mcpToken: 't0ken',
      trustedProxies: '127.0.0.1',
      internalSecret: 'between us',
    })
  ).url;
});
afterAll(async () => {
  await tokens.settled();
  await hub.close();
  await query.close();
});
beforeEach(async () => {
  await tokens.settled();
  await hub.set({ admin: 'adm1n', contributor: 'c0ntributor' });
  await hub.database.pool.query('TRUNCATE unlock_attempt, access_token, activity_log');
  tokens.forget();
  isListening = true;
  query.requests.length = 0;
  admin = { cookie: await hub.cookieOf('admin') };
});

const place = () => `${url}/api/ui/tokens`;
const send = (method: string, target: string, headers = {}, body?: object) =>
  sendRequest(target, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
const create = (body: object, headers: object = admin) => send('POST', place(), headers, body);

async function createToken(given: object = {}): Promise<{ id: number; token: string }> {
  const created = await create({ name: 'Program', scopes: ['admin'], ...given });
  expect([created.status, created.text]).toEqual([201, expect.stringContaining('token')]);
  return created.json as { id: number; token: string };
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const manage = (headers: object) => send('POST', `${url}/api/ui/managed`, headers);
const list = async () =>
  (JSON.parse((await sendRequest(place(), { headers: admin })).text) as Record<string, unknown>[]) ?? [];
const codeOf = ({ status, json }: TestResponse) => (status < 300 ? status : json['code']);
const activity = async () =>
  (
    await hub.database.pool.query<{ type: string; data: object }>(
      'SELECT type, data FROM activity_log ORDER BY id',
    )
  ).rows;

describe('POST /tokens', () => {
  test('returns the token once, and stores only its hash', async () => {
    const created = await create({ name: ' Garden ', scopes: ['processor', 'read'], cameras: ['garden'] });
    expect(created.status).toBe(201);
    expect(created.headers['cache-control']).toBe('no-store');
    const { id, token, ...rest } = created.json;
    expect([rest, isTokenText(String(token))]).toEqual([{}, true]);
    expect(await list()).toEqual([
      {
        id,
        name: 'Garden',
        scopes: ['processor', 'read'],
        cameras: ['garden'],
        created_at: expect.any(String),
        expires_at: null,
        last_used_at: null,
        last_used_address: null,
      },
    ]);
    const { rows } = await hub.database.pool.query<{ text: string }>(
      'SELECT t::text AS text FROM access_token t UNION ALL SELECT a::text FROM activity_log a',
    );
    expect(rows.map(({ text }) => text).join()).not.toContain(String(token).slice(8));
    expect(await activity()).toEqual([
      {
        type: 'token_created',
        data: { by: 'admin', id, name: 'Garden', scopes: ['processor', 'read'] },
      },
    ]);
  });

  test('called twice, returns two different tokens of 256 bits', async () => {
    const made = [await createToken({ name: 'a' }), await createToken({ name: 'b' })];
    expect(new Set(made.map(({ token }) => token)).size).toBe(2);
    for (const { token } of made) {
      expect(Buffer.from(token.slice('birdhub_'.length), 'base64url')).toHaveLength(32);
    }
  });

  test.each([
    [{ name: '' }, '/name'],
    [{ name: '  ' }, '/name'],
    [{ name: 'x'.repeat(81) }, '/name'],
    [{ name: 'a\nb' }, '/name'],
    [{ name: 'a\u0000' }, '/name'],
    [{ name: 'a\u202eb' }, '/name'],
    [{ name: 7 }, '/name'],
    [{ scopes: [] }, '/scopes'],
    [{ scopes: ['owner'] }, '/scopes/0'],
    [{ scopes: ['read', 'read'] }, '/scopes/1'],
    [{ scopes: 'read' }, '/scopes'],
    [{ expires_at: 'soon' }, '/expires_at'],
    [{ expires_at: '2001-01-01T00:00:00Z' }, '/expires_at'],
    [{ expires_at: 4_000_000_000 }, '/expires_at'],
    [{ scopes: ['processor'], cameras: [] }, '/cameras'],
    [{ scopes: ['processor'], cameras: [''] }, '/cameras/0'],
    [{ scopes: ['processor'], cameras: ['a', 'b', 'a'] }, '/cameras/2'],
    [{ scopes: ['processor'], cameras: ['a\n'] }, '/cameras/0'],
    [{ scopes: ['read'], cameras: ['garden'] }, '/cameras'],
    [{ role: 'admin' }, '/role'],
  ])('with %j, is 400 that names %s, and creates nothing', async (given, path) => {
    const { status, json } = await create({ name: 'Program', scopes: ['read'], ...given });
    expect([status, json['code']]).toEqual([400, 'invalid_request']);
    expect(json['details']).toContainEqual(expect.objectContaining({ path }));
    expect(await list()).toEqual([]);
  });

  test('with the name of another token, also in another Unicode form, is 409 naming the field', async () => {
    await createToken({ name: 'Caf\u00e9' });
    const { status, json } = await create({ name: 'Cafe\u0301 ', scopes: ['read'] });
    expect([status, json['code']]).toEqual([409, 'token_name_taken']);
    expect(json['details']).toEqual([
      { path: '/name', code: 'name_of_token', message: 'is the name of another token' },
    ]);
  });

  test('with one name eight times at once, creates one token', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () => create({ name: 'One', scopes: ['read'] })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  test('beyond the maximum number of tokens, is 409', async () => {
    await hub.database.pool.query(
      `INSERT INTO access_token (name, token_hash, scopes)
       SELECT 'token ' || n, sha256(n::text::bytea), '{read}' FROM generate_series(1, $1) n`,
      [maxTokens - 1],
    );
    expect((await create({ name: 'last', scopes: ['read'] })).status).toBe(201);
    expect(codeOf(await create({ name: 'one more', scopes: ['read'] }))).toBe('too_many_tokens');
  });

  test.each(['GET', 'POST', 'DELETE'])('%s by anybody but the administrator, is refused', async (method) => {
    const { id, token } = await createToken({ scopes: ['processor', 'read', 'review', 'feeder'] });
    const body = method === 'POST' ? { name: 'b', scopes: ['admin'] } : undefined;
    const target = method === 'DELETE' ? `${place()}/${id}` : place();
    const refused = async (headers: object) => codeOf(await send(method, target, headers, body));
    expect(await refused({})).toBe('unlock_required');
    expect(await refused({ cookie: await hub.cookieOf('contributor') })).toBe('admin_required');
    expect(await refused(bearer('t0ken'))).toBe('admin_required');
    expect(await refused(bearer(token))).toBe('insufficient_scope');
    expect(await list()).toHaveLength(1);
  });

  test('by a page of another site, is 403 with the session of the administrator', async () => {
    const headers = { ...admin, origin: 'https://evil.example' };
    expect(codeOf(await create({ name: 'b', scopes: ['admin'] }, headers))).toBe('csrf_rejected');
  });
});

describe('DELETE /tokens/{id}', () => {
  test('with a token of an administrator, revokes at once and logs whose token did it', async () => {
    const { token } = await createToken({ name: 'Manager' });
    const { id, token: other } = await createToken({ name: 'Other' });
    expect((await manage(bearer(other))).status).toBe(200);
    const revoked = await send('DELETE', `${place()}/${id}`, bearer(token));
    expect([revoked.status, revoked.json]).toEqual([200, { message: 'success' }]);
    expect(codeOf(await manage(bearer(other)))).toBe('invalid_token');
    expect((await list()).map(({ name }) => name)).toEqual(['Manager']);
    expect((await activity()).at(-1)).toEqual({
      type: 'token_revoked',
      data: { by: 'admin', token: 'Manager', id, name: 'Other' },
    });
  });

  test.each(['999999', '9007199254740991'])('with the unknown id %s, is 404', async (id) => {
    expect(codeOf(await send('DELETE', `${place()}/${id}`, admin))).toBe('token_not_found');
  });

  test.each(['0', '-1', 'x', '1.5', '9007199254740993'])('with %s, which is no id, is 400', async (id) => {
    expect(codeOf(await send('DELETE', `${place()}/${id}`, admin))).toBe('invalid_request');
  });
});

describe('a request with a token', () => {
  test('in either header, is forwarded with its role and the token’s name, but not the token', async () => {
    const { token } = await createToken({ name: 'Küche ✓', scopes: ['processor'], cameras: ['a', 'b'] });
    const post = (headers: object) => send('POST', `${url}/api/processor/videos`, headers);
    expect((await post(bearer(token))).status).toBe(200);
    expect((await post({ 'x-processor-token': token })).status).toBe(200);
    for (const { headers } of query.requests) {
      expect(headers).toMatchObject({ 'x-hub-caller': 'processor', 'x-hub-internal': 'between us' });
      expect(callerTokenOf({ headers })).toEqual({ name: 'Küche ✓', cameras: ['a', 'b'] });
      expect(JSON.stringify(headers)).not.toContain(token);
    }
    expect(query.requests).toHaveLength(2);
  });

  test('with a forged token header and a processor secret, is forwarded with the secret only', async () => {
    await send('POST', `${url}/api/processor/videos`, {
      [callerTokenHeader]: 'bnVsbA',
      'x-processor-token': 'correct horse',
    });
    expect(query.requests[0]?.headers).not.toHaveProperty(callerTokenHeader);
    expect(query.requests[0]?.headers['x-processor-token']).toBe('correct horse');
  });

  test('and a session, has the permissions of the token only', async () => {
    const { token } = await createToken({ scopes: ['read'] });
    expect(codeOf(await manage({ ...bearer(token), ...admin }))).toBe('insufficient_scope');
    const refused = await manage(bearer(token));
    expect(refused.headers['www-authenticate']).toBe('Bearer error="insufficient_scope"');
    expect(refused.json['error']).toContain('admin');
    expect((await sendRequest(`${url}/api/ui/exported`, { headers: bearer(token) })).status).toBe(200);
    expect(query.requests.at(-1)?.headers['x-hub-caller']).toBe('reader');
  });

  test('on a hub without passwords, has the permissions of its scopes only', async () => {
    const { token } = await createToken({ scopes: ['feeder'] });
    await hub.set({ admin: '', contributor: '' });
    expect(codeOf(await manage(bearer(token)))).toBe('insufficient_scope');
    expect((await send('POST', `${url}/api/ui/fed`, bearer(token))).status).toBe(200);
    expect(query.requests.at(-1)?.headers['x-hub-caller']).toBe('feeder');
    expect((await manage({})).status).toBe(200);
  });

  test('created on a hub without passwords, by anybody or with another token, is marked for revocation', async () => {
    await createToken({ name: 'before' });
    await hub.set({ admin: '', contributor: '' });
    const { token } = await createToken({ name: 'open' });
    expect((await create({ name: 'next', scopes: ['read'] }, bearer(token))).status).toBe(201);
    const { rows } = await hub.database.pool.query('SELECT name, unprotected FROM access_token ORDER BY id');
    expect(rows).toEqual([
      { name: 'before', unprotected: false },
      { name: 'open', unprotected: true },
      { name: 'next', unprotected: true },
    ]);
  });

  test('created while the first password is set, without a session or by a revoked token, is refused', async () => {
    await hub.set({ admin: '', contributor: '' });
    const { token } = await createToken();
    expect((await manage(bearer(token))).status).toBe(200);
    // This gateway has not been notified yet.
    await hub.database.pool.query(
      `UPDATE setting SET value = jsonb_set(value, '{general,settings_password}', '"x"') WHERE key = 'hub'`,
    );
    await hub.database.pool.query('DELETE FROM access_token');
    expect(codeOf(await create({ name: 'a', scopes: ['admin'] }, {}))).toBe('unlock_required');
    expect(codeOf(await create({ name: 'b', scopes: ['admin'] }, bearer(token)))).toBe('invalid_token');
    expect((await hub.database.pool.query('SELECT FROM access_token')).rowCount).toBe(0);
  });

  test.each([
    [['admin'], { unlocked: true, role: 'admin' }],
    [['review', 'read'], { unlocked: true, role: 'contributor' }],
    [['read', 'feeder', 'processor'], { unlocked: false }],
  ])('with the scopes %j, has the check-access result %j', async (scopes, expected) => {
    const { token } = await createToken({ scopes });
    const target = `${url}/api/ui/settings/check-access`;
    expect((await sendRequest(target, { headers: bearer(token) })).json).toEqual(expected);
  });

  test('from a page of another site, is checked for its host but not for its origin', async () => {
    const { token } = await createToken();
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await manage({ ...bearer(token), ...foreign })).status).toBe(200);
    expect(
      (await sendRequest(`${url}/api/ui/report`, { headers: { ...bearer(token), ...foreign } })).status,
    ).toBe(200);
    expect((await sendRequest(`${url}/api/ui/report`, { headers: foreign })).json['code']).toBe(
      'csrf_rejected',
    );
    expect(codeOf(await manage({ ...bearer('t0ken'), ...foreign }))).toBe('csrf_rejected');
    expect(codeOf(await manage({ ...bearer(token), host: 'evil.example' }))).toBe('unknown_host');
  });

  test('that has expired, is 401 from that moment on', async () => {
    const expires_at = new Date(clock.now() + 3_600_000).toISOString();
    const { token } = await createToken({ expires_at });
    expect((await manage(bearer(token))).status).toBe(200);
    clock.advance(3_599_999);
    expect((await manage(bearer(token))).status).toBe(200);
    clock.advance(1);
    const refused = await manage(bearer(token));
    expect([refused.status, refused.json['code'], refused.headers['www-authenticate']]).toEqual([
      401,
      'invalid_token',
      'Bearer',
    ]);
    expect(await list()).toMatchObject([{ expires_at }]);
  });

  test.each(['authorization', 'x-processor-token'])(
    'that is unknown, in %s five times, is 401, then 429, but not for a valid token',
    async (header) => {
      const address = header === 'authorization' ? '203.0.113.8' : '203.0.113.9';
      const { token } = await createToken();
      const from = { 'x-forwarded-for': address };
      const given = (text: string) => ({
        [header]: header === 'authorization' ? `Bearer ${text}` : text,
        ...from,
      });
      for (let count = 0; count < 5; count += 1) {
        expect(codeOf(await manage(given(createTokenText())))).toBe('invalid_token');
      }
      expect(codeOf(await manage(given(createTokenText())))).toBe('too_many_attempts');
      expect(query.requests).toHaveLength(0);
      expect((await manage(given(token))).status).toBe(200);
      expect(codeOf(await manage(given(createTokenText())))).toBe('too_many_attempts');
    },
  );

  test('that resembles a valid one, is 401', async () => {
    const { token } = await createToken();
    const last = token.at(-1) === 'A' ? 'B' : 'A';
    const [, secret = ''] = token.split('birdhub_');
    const near = [
      `${token.slice(0, -1)}${last}`,
      secret,
      `${token}=`,
      token.toUpperCase(),
      `${token} ${token}`,
    ];
    for (const [at, text] of near.entries()) {
      const headers = { ...bearer(text), 'x-forwarded-for': `198.51.100.${at}` };
      expect([text, codeOf(await manage(headers))]).toEqual([text, 'invalid_token']);
    }
  });

  test('costs one look-up every few seconds, and one per request while notices may be missed', async () => {
    const { token } = await createToken();
    const headers = bearer(token);
    const { pool } = hub.database;
    await manage(headers);
    await tokens.settled();
    expect(await countStatements(pool, () => manage(headers))).toBe(0);
    clock.advance(5_001);
    expect(await countStatements(pool, () => manage(headers))).toBe(1);
    isListening = false;
    expect(await countStatements(pool, () => manage(headers))).toBe(1);
    expect(await countStatements(pool, () => manage(headers))).toBe(1);
  });

  test('that is revoked during its look-up, is not cached', async () => {
    const { token } = await createToken();
    const finding = tokens.find(token);
    tokens.forget();
    expect(await finding).toMatchObject({ name: 'Program' });
    await hub.database.pool.query('TRUNCATE access_token');
    expect(await tokens.find(token)).toBeUndefined();
  });

  test('is recorded with time and address, at most once a minute', async () => {
    const { token } = await createToken();
    const lastUse = async () => {
      await tokens.settled();
      const [row] = await list();
      return [row?.['last_used_at'], row?.['last_used_address']];
    };
    const useFrom = (address: string) => manage({ ...bearer(token), 'x-forwarded-for': address });
    await useFrom('203.0.113.20');
    const first = new Date(clock.now()).toISOString();
    expect(await lastUse()).toEqual([first, '203.0.113.20']);
    clock.advance(59_000);
    await useFrom('203.0.113.21');
    expect(await lastUse()).toEqual([first, '203.0.113.20']);
    clock.advance(1_001);
    await useFrom('203.0.113.21');
    expect(await lastUse()).toEqual([new Date(clock.now()).toISOString(), '203.0.113.21']);
  });

  test('is logged with its operation in the activity log, at most once an hour', async () => {
    const { token } = await createToken();
    await hub.database.pool.query('TRUNCATE activity_log');
    const use = async () => {
      await manage({ ...bearer(token), 'x-forwarded-for': '203.0.113.20' });
      await tokens.settled();
    };
    const row = (operation: string) => ({
      type: 'token_used',
      data: { token: 'Program', operation, address: '203.0.113.20' },
    });
    const managed = row('POST /api/ui/managed');
    await use();
    await use();
    expect(await activity()).toEqual([managed]);
    await send('POST', `${url}/api/ui/reviewed`, { ...bearer(token), 'x-forwarded-for': '203.0.113.20' });
    await tokens.settled();
    expect(await activity()).toEqual([managed, row('POST /api/ui/reviewed')]);
    clock.advance(3_600_001);
    await use();
    expect(await activity()).toEqual([managed, row('POST /api/ui/reviewed'), managed]);
  });

  test('is accepted, even when its use cannot be stored', async () => {
    const { token } = await createToken();
    const prisma = {
      accessToken: {
        findUnique: hub.database.prisma.accessToken.findUnique.bind(hub.database.prisma.accessToken),
        updateMany: () => Promise.reject(new Error('away')),
      },
      activityLog: { create: () => Promise.reject(new Error('away')) },
    } as never;
    const others = new AccessTokens({ prisma, log, isListening: () => true });
    const found = await others.find(token);
    if (!found) throw new Error('the token was not found');
    others.noteUse(found, '203.0.113.1', 'GET /');
    await others.settled();
  });
});

describe('an access token', () => {
  test('with the database down, is 503 and does not count as a failure', async () => {
    const gateway = await hub.start({
      services: { query: query.url },
      contractText,
      tokens: new AccessTokens({
        prisma: {
          accessToken: {
            findUnique: () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' })),
          },
        } as never,
        log,
        isListening: () => true,
      }),
    });
    const response = await sendRequest(`${gateway.url}/api/ui/things`, {
      headers: bearer(createTokenText()),
    });
    expect([response.status, response.json['code']]).toEqual([503, 'database_unavailable']);
    const { rows } = await hub.database.pool.query('SELECT FROM unlock_attempt');
    expect(rows).toEqual([]);
    expect(await checkAccess(gateway.url)).toEqual({ unlocked: false });
  });
});
