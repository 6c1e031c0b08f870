import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startGateway } from '@birdhub/gateway';
import { readContract } from '@birdhub/gateway/contract';
import type { RunningService } from '@birdhub/shared/app';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contractFile } from '../../scripts/hub-contract.js';

const services = ['ingest', 'query', 'reports', 'system'] as const;
const { operations } = readContract(readFileSync(contractFile, 'utf8'));
const servers: Server[] = [];
let gateway: RunningService;
let database: TestDatabase;

/** Starts a service that echoes its name, the request and the caller. */
async function startEcho(name: string): Promise<string> {
  const server = createServer((request, response) => {
    const { 'x-hub-caller': caller, 'x-hub-internal': secret } = request.headers;
    request.resume();
    response.setHeader(
      'x-echo',
      JSON.stringify({ name, target: `${request.method} ${request.url}`, caller, secret }),
    );
    response.end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const urls = await Promise.all(
    services.map(async (name) => [`${name.toUpperCase()}_URL`, await startEcho(name)] as const),
  );
  database = await createTestDatabase();
  gateway = await startGateway({
    DATABASE_URL: database.url,
    ...Object.fromEntries(urls),
    LOG_LEVEL: 'silent',
    INTERNAL_SECRET: 's3cret',
    BASE_PATH: '/hub/',
  });
});
afterAll(async () => {
  await gateway.close();
  await database.drop();
  for (const server of servers) server.close().closeAllConnections();
});

const forwarded = operations.filter(({ service }) => service !== 'gateway');

test('the contract, behind the gateway, has many operations', () => {
  expect(forwarded.length).toBeGreaterThan(12);
});

test.each(forwarded)(
  '$method $path, without passwords, reaches $service with its caller',
  async (operation) => {
    const { method, path, service, security } = operation;
    const target = path.replace('{path}', '2026/a.mp4').replace(/\{\w+\}/g, '7');
    const response = await fetch(`${gateway.url}/hub${target}?a=1`, { method });
    const isProcessors = security.some((requirement) => 'processor' in requirement);
    expect(JSON.parse(response.headers.get('x-echo') ?? '{}')).toEqual({
      name: service,
      target: `${method} ${target}?a=1`,
      caller: isProcessors ? 'processor' : 'admin',
      secret: 's3cret',
    });
  },
);

test.each(operations)(
  '$method $path, with a method that the path does not have, returns 405',
  async ({ path }) => {
    const target = path.replace(/\{\w+\}/g, '7');
    const response = await fetch(`${gateway.url}/hub${target}`, { method: 'OPTIONS' });
    expect(response.status).toBe(405);
    const known = operations.filter((operation) => operation.path === path).map(({ method }) => method);
    for (const method of known) expect(response.headers.get('allow')).toContain(method);
  },
);
