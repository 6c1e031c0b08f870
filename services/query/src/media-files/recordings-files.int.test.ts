import { execFile } from 'node:child_process';
import { mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { countOpenFiles } from '../testing/measurements.js';

const old = new Date('2026-05-01T09:00:00Z');

describe('GET /data/recordings/*', () => {
  let query: TestQuery;
  let address: string;
  let outside: string;

  /** Sends the path unchanged; fetch would resolve the dots. */
  const get = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; body: string; headers: Record<string, unknown> }>((resolve, reject) => {
      const { hostname, port } = new URL(address);
      const request = httpRequest(
        { hostname, port, path: `/data/recordings/${path}`, headers },
        (response) => {
          let body = '';
          response.setEncoding('utf8').on('data', (chunk) => {
            body += chunk;
          });
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body, headers: response.headers }),
          );
        },
      );
      request.once('error', reject).end();
    });
  const writeOld = async (path: string, content: string) => {
    const file = await query.writeFile(path, content);
    await utimes(file, old, old);
    return file;
  };

  beforeAll(async () => {
    query = await createTestQuery();
    outside = `${query.recordingsDir}-outside`;
    await mkdir(outside);
    await writeFile(join(outside, 'secret.mp4'), 'secret');
    await writeFile(join(outside, 'secret.txt'), 'secret');
    address = await query.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    await expect.poll(() => countOpenFiles(query.recordingsDir)).toBe(0);
    await expect.poll(() => countOpenFiles(outside)).toBe(0);
  });
  afterAll(async () => {
    await query.close();
    await rm(outside, { recursive: true });
  });

  it('a video in the folder, is sent and cacheable for a year', async () => {
    await writeOld('2026/05/01/video.mp4', 'film');
    expect(await get('2026/05/01/video.mp4')).toMatchObject({
      status: 200,
      body: 'film',
      headers: {
        'content-type': 'video/mp4',
        'cache-control': 'private, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      },
    });
    expect(await get('2026/05/01/video.mp4', { range: 'bytes=1-2' })).toMatchObject({
      status: 206,
      body: 'il',
    });
  });

  it('a file that has just changed, is not cacheable', async () => {
    await query.writeFile('arriving.mp4', 'fi');
    expect((await get('arriving.mp4')).headers['cache-control']).toBe('no-cache');
    query.clock.advance(3_600_000);
    expect((await get('arriving.mp4')).headers['cache-control']).toMatch(/immutable/);
  });

  it('a picture, is cacheable only under the URL of its version, which changes with the picture', async () => {
    const path = '2026/05/01/spectrogram_100.jpg';
    await writeOld(path, 'first');
    const { videoId } = await query.post({ spectrogramPath: path });
    const addressOf = async () =>
      String((await query.get(`/api/ui/videos/${videoId}`)).body.spectrogram_url).replace(
        '/data/recordings/',
        '',
      );
    const cacheOf = async (asked: string) => (await get(asked)).headers['cache-control'];
    const first = await addressOf();
    expect(first).toMatch(/^2026\/05\/01\/spectrogram_100\.jpg\?v=[\w-]+$/);
    expect(await cacheOf(first)).toMatch(/immutable/);
    expect(await cacheOf(path)).toBe('no-cache');
    expect(await cacheOf(`${path}?v=other`)).toBe('no-cache');
    await query.writeFile(path, 'other');
    await query.writer.saveSpectrogram(videoId, path);
    await query.notify({ kind: 'everything' });
    query.clock.advance(3_600_000);
    const second = await addressOf();
    expect(second).not.toBe(first);
    expect((await get(second)).body).toBe('other');
    expect(await cacheOf(second)).toMatch(/immutable/);
    expect(await cacheOf(first)).toBe('no-cache');
  });

  it('a name with special characters, is found by its escaped path', async () => {
    await writeOld('Krmítko #1/50% ü.jpg', 'picture');
    expect(await get('Krm%C3%ADtko%20%231/50%25%20%C3%BC.jpg')).toMatchObject({
      status: 200,
      body: 'picture',
      headers: { 'content-type': 'image/jpeg' },
    });
  });

  it('a folder with the name of the public one, is not confused with it', async () => {
    await writeOld('data/recordings/inner.png', 'inner');
    expect((await get('data/recordings/inner.png')).body).toBe('inner');
    expect((await get('inner.png')).status).toBe(404);
  });

  it.each([
    '../secret.mp4',
    '..%2fsecret.mp4',
    '%2e%2e/secret.mp4',
    'a/../../secret.mp4',
    'a/%2e%2e%2f%2e%2e%2fsecret.mp4',
    '..%5csecret.mp4',
    '%2fetc%2fsecret.mp4',
    '/etc/secret.mp4',
    'a%00.mp4',
    './a.mp4',
    'a//b.mp4',
    '',
    'nothing.mp4',
    '2026/05/01',
    '2026/05/01/',
    '2026/05/01/video.mp4/',
    '2026/05/01/video.mp4/x.mp4',
    `${'a'.repeat(300)}.mp4`,
    `${'a/'.repeat(260)}a.mp4`,
  ])('%s, is 404', async (path) => {
    const name = outside.slice(outside.lastIndexOf('/') + 1);
    for (const tried of [path, path.replace('secret', `${name}/secret`)]) {
      const { status, body } = await get(tried);
      expect([status, JSON.parse(body).code]).toEqual([404, expect.stringMatching(/_not_found$/)]);
    }
  });

  it.each(['notes.txt', 'page.html', 'x.svg', 'no-extension', '.env', 'a.mp4.json', 'x.js'])(
    '%s, is 404 for its type',
    async (path) => {
      await query.writeFile(path, 'text');
      expect((await get(path)).status).toBe(404);
    },
  );

  it('links, are followed inside the folder only', async () => {
    const video = await writeOld('real.mp4', 'real');
    await symlink(video, join(query.recordingsDir, 'inside.mp4'));
    await symlink(join(outside, 'secret.mp4'), join(query.recordingsDir, 'out.mp4'));
    await symlink(outside, join(query.recordingsDir, 'folder'));
    await symlink(join(query.recordingsDir, 'loop.mp4'), join(query.recordingsDir, 'loop.mp4'));
    expect((await get('inside.mp4')).body).toBe('real');
    for (const path of ['out.mp4', 'folder/secret.mp4', 'loop.mp4'])
      expect((await get(path)).status).toBe(404);
  });

  it('a folder and a pipe named like a video, are 404', async () => {
    await mkdir(join(query.recordingsDir, 'folder.mp4'));
    await promisify(execFile)('mkfifo', [join(query.recordingsDir, 'pipe.mp4')]);
    expect((await get('folder.mp4')).status).toBe(404);
    expect((await get('pipe.mp4')).status).toBe(404);
  });

  it('videos and pictures, when the settings protect recordings, are refused to viewers', async () => {
    await writeOld('guarded.mp4', 'film');
    await writeOld('guarded.jpg', 'picture');
    await query.setSettings({ general: { require_auth_for_video_stream: true } });
    const viewer = { 'x-hub-caller': 'viewer' };
    expect(await get('guarded.mp4', viewer)).toMatchObject({ status: 403 });
    expect(await get('guarded.jpg', viewer)).toMatchObject({ status: 403 });
    expect(await get('guarded.jpg')).toMatchObject({ status: 403 });
    for (const caller of ['contributor', 'admin']) {
      expect(await get('guarded.mp4', { 'x-hub-caller': caller })).toMatchObject({ status: 200 });
      expect(await get('guarded.jpg', { 'x-hub-caller': caller })).toMatchObject({ status: 200 });
    }
    await query.setSettings({});
  });
});
