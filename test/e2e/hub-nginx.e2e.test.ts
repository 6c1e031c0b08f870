import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestHub } from '@birdhub/testing/hub';
import { beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../support/find-program.js';
import { type Nginx, startNginx } from '../support/nginx.js';
import { openHttp2 } from './fixtures/http2-client.js';
import { childrenOf, residentMb } from './fixtures/linux-processes.js';
import { createCertificate } from './fixtures/self-signed-certificate.js';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

const program = findProgram('nginx');
const isPossible = process.platform === 'linux' && findProgram('openssl') !== undefined;
const password = 'a long password';
const mebibyte = 2 ** 20;
const json = { 'content-type': 'application/json' };
const recording = JSON.stringify({
  processor_version: '1',
  start_time: '2026-05-01T08:00:00Z',
  end_time: '2026-05-01T08:00:10Z',
  video_path: 'data/recordings/2026/05/01/080000/video.mp4',
  species: [{ species_name: 'Great Tit', confidence: 0.9, start_time: 0, end_time: 2, source: 'video' }],
});

describe.skipIf(!program || !isPossible)('the delivered nginx with HTTPS, before a hub at /birds', () => {
  const folder = useDataFolder();
  const nginxFolder = join(folder.path, 'nginx');
  const [mebibyteOfFile, fileMb] = [Buffer.alloc(mebibyte, 'a tit at the feeder '), 200];
  let hub: TestHub;
  let nginx: Nginx;
  let plainPort: number;
  let openFrom: (localAddress: string) => ReturnType<typeof openHttp2>;
  let birds: ReturnType<typeof openHttp2>;

  beforeAll(async () => {
    hub = await startHubIn(folder, { ...inOneProcess, BASE_PATH: '/birds', TRUSTED_PROXIES: '127.0.0.1' });
    const { certificate, key, ca } = createCertificate(folder.path);
    nginx = await startNginx({
      program: program ?? '',
      folder: nginxFolder,
      server: 'https.conf',
      ports: [8080, 8443],
      replaced: {
        'gateway:8080': new URL(hub.baseUrl).host,
        '/run/secrets/tls_certificate': certificate,
        '/run/secrets/tls_key': key,
      },
    });
    plainPort = nginx.portFor(8080);
    const secure = nginx.portFor(8443);
    openFrom = (localAddress) => openHttp2(`https://127.0.0.1:${secure}`, { ca, localAddress });
    birds = openFrom('127.0.0.2');
    const place = join(hub.recordingsDir, '2026/05/01/080000');
    mkdirSync(place, { recursive: true });
    for (let count = 0; count < fileMb; count += 1) appendFileSync(join(place, 'video.mp4'), mebibyteOfFile);
    return async () => {
      birds.close();
      await nginx.stop();
    };
  });

  const post = (path: string, body: string, headers = {}, client = birds) =>
    client.send({ ':method': 'POST', ':path': `/birds${path}`, ...json, ...headers }, body);
  const video = { ':path': '/birds/data/recordings/2026/05/01/080000/video.mp4' };

  it('for HTTP/2, serves the hub below its path and nowhere else', async () => {
    const response = await birds.send({ ':path': '/birds/api/ui/health' });
    expect([birds.protocol(), response.status, response.body.toString()]).toEqual([
      'h2',
      200,
      '{"status":"ok"}',
    ]);
    expect((await birds.send({ ':path': '/api/ui/health' })).status).toBe(404);
  });

  it('a public link, is logged without its token', async () => {
    await birds.send({ ':path': '/birds/s/token-of-a-link/media' });
    const log = () => readFileSync(join(nginxFolder, 'access.log'), 'utf8');
    await expect.poll(log).toContain('"path":"/birds/s/***/media"');
    expect(log()).not.toContain('token-of-a-link');
  });

  it('a path prefix of the client, is ignored', async () => {
    const page = await birds.send({ ':path': '/birds/', 'x-ingress-path': '/elsewhere' });
    expect(page.body.toString()).not.toContain('/elsewhere');
  });

  it('for plain HTTP, redirects to the same address with HTTPS', async () => {
    const response = await fetch(`http://127.0.0.1:${plainPort}/birds/?a=1`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([
      308,
      'https://127.0.0.1/birds/?a=1',
    ]);
  });

  it('for live events, passes each on at once', async () => {
    const { stream, headers } = await birds.start({ ':path': '/birds/api/ui/events' });
    expect(headers['content-type']).toMatch(/^text\/event-stream/);
    let received = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
    });
    expect((await post('/api/processor/videos', recording)).status).toBe(201);
    await expect.poll(() => received).toMatch(/^event: recording$/m);
    stream.close();
  });

  it('for a range of a video, returns 206 with these bytes', async () => {
    const response = await birds.send({ ...video, range: 'bytes=1048570-1048585' });
    expect([response.status, response.headers['content-range']]).toEqual([
      206,
      `bytes 1048570-1048585/${fileMb * mebibyte}`,
    ]);
    const expected = Buffer.concat([mebibyteOfFile.subarray(-6), mebibyteOfFile.subarray(0, 10)]);
    expect(response.body.equals(expected)).toBe(true);
  });

  it('for a stalled download of 200 MB, fills neither memory nor disk', async () => {
    const own = hub.processOf('services').process?.pid ?? 0;
    const pids = [own, ...childrenOf(nginx.pid)];
    const before = pids.map(residentMb);
    const { stream } = await birds.start(video);
    await pause(1500);
    const grown = pids.map((pid, index) => residentMb(pid) - (before[index] ?? 0));
    expect(Math.max(...grown)).toBeLessThan(48);
    const [all, expected] = [createHash('sha256'), createHash('sha256')];
    for await (const chunk of stream) all.update(chunk);
    for (let count = 0; count < fileMb; count += 1) expected.update(mebibyteOfFile);
    expect(all.digest('hex')).toBe(expected.digest('hex'));
    expect(readdirSync(join(nginxFolder, 'proxy'), { recursive: true })).toEqual([]);
  });

  it.each([
    [16 * mebibyte - 100, 400, 'invalid_request'],
    [17 * mebibyte, 413, 'payload_too_large'],
    [21 * mebibyte, 413, 'payload_too_large'],
  ])('for a post of %i bytes, returns %i %s', async (size, status, code) => {
    const body = JSON.stringify({ processor_version: 'a'.repeat(size - 24) });
    const response = await post('/api/processor/videos', body);
    const { error, request_id, ...rest } = JSON.parse(response.body.toString());
    expect([response.status, rest.code]).toEqual([status, code]);
    expect([typeof error, request_id]).toEqual(['string', response.headers['x-request-id']]);
  });

  it('for wrong passwords, counts by the real address and not by a claimed one', async () => {
    const settings = JSON.stringify({ general: { settings_password: password } });
    const set = await birds.send(
      { ':method': 'PATCH', ':path': '/birds/api/ui/settings', ...json },
      settings,
    );
    expect(set.status).toBe(200);
    const unlock = (word: string, claimed: string, client = birds) => {
      const body = JSON.stringify({ password: word });
      return post('/api/ui/settings/verify-password', body, { 'x-forwarded-for': claimed }, client);
    };
    for (let count = 1; count <= 5; count += 1) {
      expect((await unlock('wrong', `203.0.113.${count}`)).status).toBe(401);
    }
    expect((await unlock(password, '203.0.113.9')).status).toBe(429);
    const others = openFrom('127.0.0.3');
    const response = await unlock(password, '127.0.0.2', others);
    others.close();
    expect(response.status).toBe(200);
    expect(response.headers['set-cookie']?.[0]).toMatch(/; Path=\/birds.*; Secure/);
  });
});
