import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningService } from '@birdhub/shared/app';
import { ChangeNotifier } from '@birdhub/shared/db';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startGateway } from './start.js';
import { securityOf, testContract } from './testing/gateway.js';
import { checkAccess, storePasswords } from './testing/guarded-hub.js';
import { sendRequest, startTestService, type TestService } from './testing/http.js';

const guarded = `
  /api/ui/managed: { post: { operationId: manage, x-hub-service: query, security: ${securityOf('admin')} } }
`;
let folder: string;
let database: TestDatabase;
let service: TestService;
const running: RunningService[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hub-gateway-'));
  database = await createTestDatabase();
  service = await startTestService((_request, response) => response.end('done'));
});
afterAll(async () => {
  await service.close();
  await database.drop();
  await rm(folder, { recursive: true });
});
afterEach(async () => {
  for (const gateway of running.splice(0)) await gateway.close();
});

async function start(env: NodeJS.ProcessEnv = {}, contract = testContract + guarded): Promise<string> {
  const contractFile = join(folder, 'openapi.yaml');
  await writeFile(contractFile, contract);
  const names = ['INGEST_URL', 'QUERY_URL', 'REPORTS_URL', 'SYSTEM_URL'];
  const gateway = await startGateway({
    ...Object.fromEntries(names.map((name) => [name, service.url])),
    CONTRACT_FILE: contractFile,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'silent',
    ...env,
  });
  running.push(gateway);
  return gateway.url;
}

describe('a gateway that starts', () => {
  test('without its database, serves open operations and refuses guarded ones with 503', async () => {
    const url = await start({ DATABASE_URL: 'postgres://127.0.0.1:9/none' });
    expect((await sendRequest(`${url}/api/ui/health`)).status).toBe(200);
    expect((await sendRequest(`${url}/api/ui/readiness`)).status).toBe(503);
    expect((await sendRequest(`${url}/api/ui/things`)).status).toBe(200);
    const refused = await sendRequest(`${url}/api/ui/managed`, { method: 'POST' });
    expect([refused.status, refused.json['code']]).toEqual([503, 'starting']);
  });

  test('with its database, has read the passwords before its first request', async () => {
    await storePasswords(database, { admin: '', contributor: '' });
    expect(await checkAccess(await start())).toEqual({ unlocked: true, role: 'admin' });
    await storePasswords(database, { admin: 'adm1n', contributor: '' });
    expect(await checkAccess(await start())).toEqual({ unlocked: false });
  });

  test.each([
    [{}, 421],
    [{ TRUSTED_PROXIES: '127.0.0.1' }, 200],
    [{ TRUSTED_HOSTS: 'birds.example' }, 421],
    [{ TRUSTED_HOSTS: 'evil.example' }, 200],
  ])(
    'with %j, an unknown host that a proxy on this machine forwards under another name, is %i',
    async (env, status) => {
      const headers = { host: 'evil.example', 'x-forwarded-host': 'birds.example' };
      expect((await sendRequest(`${await start(env)}/api/ui/things`, { headers })).status).toBe(status);
    },
  );

  test.each([
    ['an origin that is none', { CORS_ORIGINS: 'birds.example' }, undefined, 'CORS_ORIGINS: birds.example'],
    ['a name that is none', { TRUSTED_HOSTS: 'https://birds.example' }, undefined, 'TRUSTED_HOSTS: https:'],
    [
      'an operation without a rule',
      {},
      guarded.replace(/, security: .*]/, ''),
      'has no operationId, x-hub-service or security',
    ],
    ['a rule that nobody knows', {}, guarded.replace('admin', 'owner'), 'matches no access rule'],
  ])('with %s, fails', async (_, env, operation, message) => {
    await expect(start(env, testContract + (operation ?? ''))).rejects.toThrow(message);
  });
});

test('two gateways, after a password is set elsewhere, both require it', async () => {
  await storePasswords(database, { admin: '', contributor: '' });
  const urls = [await start(), await start()];
  for (const url of urls) expect(await checkAccess(url)).toMatchObject({ unlocked: true });
  await storePasswords(database, { admin: 'adm1n', contributor: '' });
  new ChangeNotifier(database.pool, pino({ level: 'silent' })).notify({ kind: 'settings' });
  await vi.waitFor(async () => {
    for (const url of urls) expect(await checkAccess(url)).toEqual({ unlocked: false });
  }, 1_000);
});

test('two gateways, after a token is revoked at one, both refuse it', async () => {
  await storePasswords(database, { admin: '', contributor: '' });
  const [one = '', other = ''] = [await start(), await start()];
  for (let round = 0; round < 5; round += 1) {
    const created = await sendRequest(`${one}/api/ui/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Program', scopes: ['read'] }),
    });
    const headers = { authorization: `Bearer ${created.json['token']}` };
    const read = async (url: string) => (await sendRequest(`${url}/api/ui/things`, { headers })).status;
    for (const url of [one, other, one, other]) expect(await read(url)).toBe(200);
    const revoked = await sendRequest(`${other}/api/ui/tokens/${created.json['id']}`, { method: 'DELETE' });
    expect(revoked.status).toBe(200);
    expect([await read(one), await read(other)]).toEqual([401, 401]);
    await database.pool.query('TRUNCATE unlock_attempt');
  }
});
