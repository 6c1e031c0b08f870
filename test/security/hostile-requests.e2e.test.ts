import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestHub } from '@birdhub/testing/hub';
import { beforeAll, describe, expect, it } from 'vitest';
import { inOneProcess, startHubIn, useDataFolder } from '../e2e/fixtures/temporary-hub.js';
import { operations } from './fixtures/contract-operations.js';
import { exchange, type HttpResponse } from './fixtures/exchange.js';
import { sendRaw } from './fixtures/send-raw.js';

const folder = useDataFolder();
const secretText = 'nobody may read this';
let hub: TestHub;

beforeAll(async () => {
  hub = await startHubIn(folder, {
    ...inOneProcess,
    TRUSTED_PROXIES: '192.0.2.1/32',
    TRUSTED_HOSTS: 'hub.example',
  });
  mkdirSync(hub.recordingsDir, { recursive: true });
  writeFileSync(join(folder.path, 'data', 'secret.mp4'), secretText);
  writeFileSync(join(hub.recordingsDir, 'seen.png'), 'seen');
});

const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  exchange(hub.baseUrl, {
    method,
    path,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
const textOf = ({ body }: HttpResponse) => body.toString();
const codeOf = (response: HttpResponse): unknown => JSON.parse(textOf(response)).code;

const climbs = [
  '../',
  '..%2f',
  '%2e%2e/',
  '%2e%2e%2f',
  '..%5c',
  '..\\',
  '....//',
  '.%00./',
  '%252e%252e%252f',
  '..;/',
  '%c0%ae%c0%ae/',
];

describe('path traversal', () => {
  it('with a harmless path, reads the file', async () => {
    expect(textOf(await send('GET', '/data/recordings/seen.png'))).toBe('seen');
  });

  it.each(climbs)('with %s, reads nothing outside the recordings and the UI', async (climb) => {
    const targets = ['data/recordings/', 'data/recordings/2026/', 'assets/', 'icons/', '', 'api/ui/'];
    const goals = ['secret.mp4', 'etc/passwd', 'package.json', '.env'];
    for (const target of targets) {
      for (const goal of goals) {
        const path = `/${target}${climb.repeat(target.split('/').length + 6)}${goal}`;
        const response = await send('GET', path);
        expect(textOf(response), path).not.toMatch(/nobody may read|root:|"workspaces"|DATABASE_URL/);
        expect(response.status, path).toBeGreaterThanOrEqual(400);
      }
    }
  });

  it.each(['../../x.mp4', '/etc/passwd', 'a/../../x.mp4', 'a\\..\\..\\x.mp4', 'a\0.mp4', 'C:\\x.mp4', '..'])(
    'in the path of a posted recording, %j, is refused with its field',
    async (path) => {
      const times = { start_time: '2026-05-01T11:00:00Z', end_time: '2026-05-01T11:00:10Z' };
      const body = { processor_version: 'x', ...times, video_path: path, species: [] };
      const response = await send('POST', '/api/processor/videos', body);
      expect([response.status, JSON.parse(textOf(response)).details?.[0]?.path]).toEqual([
        400,
        '/video_path',
      ]);
    },
  );
});

describe('an integer in a path or a query', () => {
  const integers = operations.flatMap((operation) =>
    operation.parameters
      .filter(({ schema }) => schema.type === 'integer')
      .map((parameter) => ({ ...operation, parameter })),
  );

  const ids = integers.filter(({ parameter: { name } }) => name === 'id' || name.endsWith('_id'));

  it.each([
    ...['0x10', '%2016', '16%20', '%0916', '1e3', '%2B5', '1.0'].map((text) => [text, integers] as const),
    // Of a number such as an hour, a leading zero is accepted.
    ['016', ids] as const,
  ])('spelled %s, returns 400 with the parameter at every route', async (spelling, spelled) => {
    expect(spelled.length).toBeGreaterThan(30);
    for (const { method, path, parameter } of spelled) {
      const isInPath = parameter.in === 'path';
      const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
        isInPath && name === parameter.name ? spelling : '1',
      );
      const target = isInPath ? filled : `${filled}?${parameter.name}=${spelling}`;
      const response = await send(method, target);
      const named = JSON.parse(textOf(response)).details?.map((detail: { path: string }) => detail.path);
      // Other parameters of the route may be required.
      expect([response.status, named?.includes(parameter.name)], `${method} ${target}`).toEqual([400, true]);
    }
  });
});

describe('a host', () => {
  it.each(['evil.example', 'localhost.evil.example', '203.0.113.9', 'evil.example:80'])(
    'that is not a name of the hub, %s, gets 421 at every path',
    async (host) => {
      for (const path of ['/', '/api/ui/timeline', '/api/ui/health', '/data/recordings/seen.png']) {
        const text = await sendRaw(
          hub.baseUrl,
          `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Host: localhost\r\nConnection: close\r\n\r\n`,
        );
        expect(text, path).toMatch(/^HTTP\/1\.1 421 /);
        expect(text).toContain('"code":"unknown_host"');
      }
    },
  );

  it.each(['localhost', '127.0.0.1', '192.168.1.9', '[::1]', 'hub', 'hub.local', 'hub.example'])(
    'that is private or listed, %s, is answered',
    async (host) => {
      const head = `GET /api/ui/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      expect(await sendRaw(hub.baseUrl, head)).toMatch(/^HTTP\/1\.1 200 /);
    },
  );
});

describe('a page of another site', () => {
  const motion = '/api/processor/notify/motion';

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('with %j, changes nothing on an open hub', async (headers: Record<string, string>) => {
    for (const [method, path] of [
      ['POST', motion],
      ['POST', '/api/ui/birdfood'],
      ['PATCH', '/api/ui/settings'],
      ['DELETE', '/api/ui/videos/1'],
    ] as const) {
      const response = await send(method, path, undefined, headers);
      expect([response.status, codeOf(response)], path).toEqual([403, 'csrf_rejected']);
    }
    expect((await send('POST', motion)).status).toBe(200);
  });
});

describe('a header', () => {
  const raw = (...lines: string[]) =>
    sendRaw(hub.baseUrl, `GET /unknowns?a=1 HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);

  it.each([
    'X-Request-Id: a\r X-Injected: 1',
    'X-Request-Id: a\n X-Injected: 1',
    'Host: x\0y',
    'X-Request-Id: \x01',
    'Bad Name: x',
  ])('that contains another one, %j, does not set it', async (line) => {
    const response = await raw('Host: hub', line);
    expect(response).toMatch(/^HTTP\/1\.1 (?:302|400) /);
    expect(response).not.toMatch(/^x-injected/im);
  });

  it.each(['%0d%0aX-Injected:%201', '%0aX-Injected:%201', '%E5%98%8A%E5%98%8DX-Injected:%201', '%00'])(
    'made of a query, %s, does not break out of its line',
    async (text) => {
      for (const path of [
        `/unknowns?${text}=${text}`,
        `/unknowns?review=${text}`,
        `/api/ui/species/1/visits?limit=1&cursor=${text}`,
      ]) {
        const response = await send('GET', path);
        expect(response.headers).not.toHaveProperty('x-injected');
        expect(response.status, path).toBeLessThan(500);
      }
    },
  );

  it.each(['evil.example', 'evil.example/a', 'hub"><script>', 'a b', ''])(
    'that names another host, %j, is in no address that the hub returns',
    async (host) => {
      const response = await raw(
        'Host: hub.example',
        `X-Forwarded-Host: ${host}`,
        'X-Forwarded-Prefix: //evil.example',
        'X-Forwarded-Proto: https',
      );
      expect(response).toMatch(/^location: \/timeline\?review=1&a=1\r$/im);
      expect(response).not.toMatch(/evil|<script/i);
    },
  );

  it('with two lengths, or a length and chunks, is refused as request smuggling', async () => {
    for (const lines of [
      'Content-Length: 4\r\nContent-Length: 5',
      'Content-Length: 4\r\nTransfer-Encoding: chunked',
    ]) {
      const response = await sendRaw(
        hub.baseUrl,
        `POST /api/processor/notify/motion HTTP/1.1\r\nHost: x\r\n${lines}\r\n\r\n0\r\n\r\n`,
      );
      expect(response).toMatch(/^HTTP\/1\.1 400 /);
    }
  });
});

describe('the endpoint of a push subscription', () => {
  const keys = {
    p256dh: 'BIPUL12DLfytvTajnryr2PRdAgXS3HGKiLqndGcJGabyhHheJYlNGCeXl1dn18gSJ1WAkAPIxr4gK0_dQds4yiI',
    auth: 'FPssNDTKnInHVndSTdbKFw',
  };

  it.each([
    'http://push.example/a',
    'https://127.0.0.1/a',
    'https://localhost/a',
    'https://localhost./a',
    'https://[::1]/a',
    'https://[::ffff:7f00:1]/a',
    'https://[64:ff9b::a00:1]/a',
    'https://169.254.169.254/latest/meta-data',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://0x7f000001/',
    'https://127.1/',
    'https://１２７.0.0.1/',
    'https://user:pass@10.0.0.1/',
    'https://push.example@192.168.0.1/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'https://0.0.0.0/',
    'https://100.64.0.1/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
  ])('%s, is refused', async (endpoint) => {
    const response = await send('POST', '/api/ui/push/subscribe', { subscription: { endpoint, keys } });
    expect([response.status, codeOf(response)]).toEqual([400, 'invalid_request']);
  });
});
