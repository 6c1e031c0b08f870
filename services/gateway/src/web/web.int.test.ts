import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../testing/gateway.js';

const script = `console.log('${'x'.repeat(2000)}')`;
const asBrowser = { accept: 'text/html,*/*;q=0.8' };
const running: TestGateway[] = [];
let webDir: string;

beforeAll(async () => {
  webDir = await mkdtemp(join(tmpdir(), 'birdhub-web-'));
  await mkdir(join(webDir, 'assets'));
  await writeFile(join(webDir, 'index.html'), '<base href="/" /><title>Birdhub</title>');
  await writeFile(join(webDir, 'service-worker.js'), 'self.registration');
  await writeFile(join(webDir, 'assets/index-abc.js'), script);
  await writeFile(join(webDir, 'assets/index-abc.js.gz'), gzipSync(script));
});
afterAll(() => rm(webDir, { recursive: true }));
afterEach(async () => {
  for (const gateway of running.splice(0)) await gateway.close();
});

async function start(options: { basePath?: string; trustedProxies?: string } = {}): Promise<string> {
  const gateway = await startTestGateway({ services: {}, webDir, ...options });
  running.push(gateway);
  return gateway.url;
}

describe('the UI', () => {
  test.each(['/', '/index.html', '/timeline?date=2026-05-04', '/videos/7'])(
    'at %s, is the page, with no-cache',
    async (path) => {
      const response = await fetch((await start()) + path, { headers: asBrowser });
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-cache']);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await response.text()).toContain('<base href="/" />');
    },
  );

  test('at the root, allows no inline script', async () => {
    const { headers } = await fetch(`${await start()}/`);
    expect(headers.get('content-security-policy')).toMatch(/script-src 'self'(;|$)/);
  });

  test('a file with a hash in its name, is immutable and compressed', async () => {
    const response = await fetch(`${await start()}/assets/index-abc.js`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await response.text()).toBe(script);
  });

  test('at the service worker, has no-cache', async () => {
    const response = await fetch(`${await start()}/service-worker.js`);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-cache']);
  });

  test.each(['/assets/gone-123.js', '/assets/index-abc.js.gz', '/api/ui/nothing', '/assets/../../x.txt'])(
    'at %s, is 404',
    async (path) => {
      const response = await fetch((await start()) + path, { headers: asBrowser });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'route_not_found' });
    },
  );

  test.each(['/hub', '/hub/', '/hub/species/3'])('below a base path, at %s, has it as base', async (path) => {
    const response = await fetch((await start({ basePath: '/hub' })) + path, { headers: asBrowser });
    expect(await response.text()).toContain('<base href="/hub/" />');
  });

  test('below a base path, has its files there and not at the root', async () => {
    const url = await start({ basePath: '/hub' });
    expect((await fetch(`${url}/hub/service-worker.js`)).status).toBe(200);
    expect((await fetch(`${url}/service-worker.js`)).status).toBe(404);
  });

  test('behind a proxy that strips a prefix, has it as base', async () => {
    const headers = { ...asBrowser, 'x-forwarded-prefix': '/garden' };
    const response = await fetch(`${await start({ trustedProxies: '127.0.0.1' })}/calendar`, { headers });
    expect(await response.text()).toContain('<base href="/garden/" />');
  });

  test('behind the ingress of Home Assistant, has its path as base, but not from an untrusted peer', async () => {
    const headers = { ...asBrowser, 'x-ingress-path': '/api/hassio_ingress/aB3' };
    const trusted = await fetch(`${await start({ trustedProxies: '127.0.0.1' })}/calendar`, { headers });
    expect(await trusted.text()).toContain('<base href="/api/hassio_ingress/aB3/" />');
    const other = await fetch(`${await start({ trustedProxies: '10.9.9.9' })}/calendar`, { headers });
    expect(await other.text()).toContain('<base href="/" />');
  });
});
