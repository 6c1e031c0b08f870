import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, utimes } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { dirname, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type PictureOutcome, posterFile } from '@birdhub/domain/media';
import { aRecording, testAuthor } from '@birdhub/testing';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { countOpenFiles } from '../testing/measurements.js';

const film = randomBytes(3 * 1024 * 1024);
const modified = new Date('2026-05-01T09:00:00.500Z');

describe('the video of a recording', () => {
  let query: TestQuery;
  let address: string;
  let videoId: number;
  const url = (suffix = 'stream', id = videoId) => `${address}/api/ui/videos/${id}/${suffix}`;
  const ask = (headers: Record<string, string> = {}, suffix = 'stream', method = 'GET') =>
    fetch(url(suffix), { headers, method });
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

  beforeAll(async () => {
    query = await createTestQuery();
    const file = await query.writeFile('2026/video.mp4', film);
    await utimes(file, modified, modified);
    const start = Date.UTC(2026, 4, 1, 8, 30, 5);
    ({ videoId } = await query.post(aRecording({ start, videoPath: 'data/recordings/2026/video.mp4' })));
    address = await query.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    await expect.poll(() => countOpenFiles(query.recordingsDir)).toBe(0);
  });
  afterAll(() => query.close());

  it.each([
    ['old.mov', 200, undefined],
    ['dashcam.TS', 200, undefined],
    ['old.mpg', 200, undefined],
    ['phone.3gp', 200, undefined],
    ['dawn.aiff', 200, undefined],
    ['birds.db', 404, 'media_missing'],
    ['config.yml', 404, 'media_missing'],
    ['extensionless', 404, 'media_missing'],
  ])('named %s, is %i', async (name, status, code) => {
    await query.writeFile(`named/${name}`, film.subarray(0, 100));
    const start = Date.UTC(2026, 4, 2, 8);
    const { videoId: id } = await query.post(aRecording({ start, videoPath: `named/${name}` }));
    for (const suffix of ['stream', 'download']) {
      const response = await fetch(url(suffix, id));
      expect(response.status).toBe(status);
      if (status === 200) expect((await bytesOf(response)).length).toBe(100);
      else expect(await response.json()).toMatchObject({ code });
    }
  });

  it('without a range, is sent whole', async () => {
    const response = await ask();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(film.length),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'last-modified': 'Fri, 01 May 2026 09:00:00 GMT',
      etag: expect.stringMatching(/^"[\w-]+"$/),
    });
    expect(film.equals(await bytesOf(response))).toBe(true);
  });

  it.each([
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, film.length - 1],
    ['bytes=-100', film.length - 100, film.length - 1],
    ['bytes=3000000-99999999', 3_000_000, film.length - 1],
  ])('with %s, is sent in part', async (range, first, last) => {
    const response = await ask({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${first}-${last}/${film.length}`);
    expect(response.headers.get('content-length')).toBe(String(last - first + 1));
    expect(film.subarray(first, last + 1).equals(await bytesOf(response))).toBe(true);
  });

  it.each([
    ['wav', 'audio/wav'],
    ['mp3', 'audio/mpeg'],
    ['flac', 'audio/flac'],
    ['ogg', 'audio/ogg'],
    ['opus', 'audio/ogg'],
    ['m4a', 'audio/mp4'],
    ['aac', 'audio/aac'],
  ])('as sound in a file of %s, is %s, whole and in ranges', async (extension, type) => {
    const path = `2026/song.${extension}`;
    await query.writeFile(path, film);
    const { videoId: id } = await query.post(aRecording({ start: Date.UTC(2026, 4, 2, 8), videoPath: path }));
    const whole = await fetch(url('stream', id));
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, type]);
    expect(film.equals(await bytesOf(whole))).toBe(true);
    const files = [url('stream', id), `${address}/data/recordings/${path}`, url('download', id)];
    for (const file of files) {
      const part = await fetch(file, { headers: { range: 'bytes=10-19' } });
      expect([part.status, part.headers.get('content-type')]).toEqual([206, type]);
      expect(film.subarray(10, 20).equals(await bytesOf(part))).toBe(true);
    }
    const detail = (await query.get(`/api/ui/videos/${id}`)).body;
    expect([detail.media_kind, detail.poster_url]).toEqual(['audio', `/api/ui/videos/${id}/poster`]);
  });

  it('with a range past the end, is 416 with the length of the file', async () => {
    const response = await ask({ range: `bytes=${film.length}-` });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe(`bytes */${film.length}`);
    expect(await response.json()).toMatchObject({ code: 'range_not_satisfiable' });
  });

  it.each(['bytes=0-1,5-6', 'bytes=9-1', 'chapters=1-2'])('with %s, is sent whole', async (range) => {
    const response = await ask({ range });
    expect([response.status, (await bytesOf(response)).length]).toEqual([200, film.length]);
  });

  it('with HEAD, has only the headers, with and without a range', async () => {
    for (const headers of [{}, { range: 'bytes=0-9' }]) {
      const response = await ask(headers, 'stream', 'HEAD');
      expect(response.status).toBe(200);
      expect(response.headers.get('content-length')).toBe(String(film.length));
      expect((await bytesOf(response)).length).toBe(0);
    }
  });

  it('with a matching If-None-Match or If-Modified-Since, is 304', async () => {
    const etag = String((await ask({}, 'stream', 'HEAD')).headers.get('etag'));
    for (const headers of [{ 'if-none-match': etag }, { 'if-modified-since': modified.toUTCString() }]) {
      const response = await ask(headers as Record<string, string>);
      expect([response.status, response.headers.get('etag')]).toEqual([304, etag]);
      expect((await bytesOf(response)).length).toBe(0);
    }
  });

  it('with If-Range, is a part of the same file and the whole of another', async () => {
    const etag = String((await ask({}, 'stream', 'HEAD')).headers.get('etag'));
    const asked = { range: 'bytes=0-9' };
    const same = await ask({ ...asked, 'if-range': etag });
    const other = await ask({ ...asked, 'if-range': '"other"' });
    expect([same.status, (await bytesOf(same)).length]).toEqual([206, 10]);
    expect([other.status, (await bytesOf(other)).length]).toEqual([200, film.length]);
  });

  it('replaced by another file of the same length, has another tag', async () => {
    const { videoId: other } = await query.post(
      aRecording({ start: 1_770_000_000_000, videoPath: 'swap.mp4' }),
    );
    const tag = async () => (await fetch(url('stream', other), { method: 'HEAD' })).headers.get('etag');
    await query.writeFile('swap.mp4', 'one');
    const before = await tag();
    await rm(await query.writeFile('swap.mp4', 'two'));
    await query.writeFile('swap.mp4', 'two');
    expect(await tag()).not.toBe(before);
  });

  it('as an empty file, is sent empty', async () => {
    const { videoId: empty } = await query.post(
      aRecording({ start: 1_771_000_000_000, videoPath: 'empty.mp4' }),
    );
    await query.writeFile('empty.mp4', '');
    const response = await fetch(url('stream', empty));
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '0']);
    expect((await fetch(url('stream', empty), { headers: { range: 'bytes=0-' } })).status).toBe(416);
  });

  it('after the caller disconnects, has its file closed', async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      await new Promise<void>((resolve, reject) => {
        const request = httpRequest(url(), (response) => {
          response.once('data', () => response.destroy());
          response.once('close', resolve);
        });
        request.once('error', reject).end();
      });
    }
    await expect.poll(() => countOpenFiles(query.recordingsDir)).toBe(0);
    expect((await ask({ range: 'bytes=0-1' })).status).toBe(206);
  });

  it('as a download, is an attachment named by local time and camera', async () => {
    const response = await ask({ range: 'bytes=0-1' }, 'download');
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="2026-05-01_083005_garden.mp4"',
    );
    expect(film.subarray(0, 2).equals(await bytesOf(response))).toBe(true);
  });

  it.each([
    ['pending', 503, 'media_pending', '5'],
    ['missing', 404, 'media_missing', null],
    ['purged', 410, 'media_purged', null],
    ['ready', 404, 'media_missing', null],
  ])('without a file and stored as %s, is %i %s', async (media, status, code, retryAfter) => {
    const start = 1_772_000_000_000 + code.length + status;
    const { videoId: id } = await query.post(aRecording({ start, videoPath: `${media}.mp4` }));
    await query.database.pool.query('UPDATE video SET media = $2 WHERE id = $1', [id, media]);
    for (const suffix of ['stream', 'download']) {
      const response = await fetch(url(suffix, id));
      expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter]);
      expect(await response.json()).toMatchObject({ code });
    }
  });

  it('protected by the settings, requires an unlocked session', async () => {
    await query.setSettings({ general: { require_auth_for_video_stream: true } });
    const statusFor = async (caller: string) =>
      (await ask({ 'x-hub-caller': caller, range: 'bytes=0-1' })).status;
    expect([await statusFor('viewer'), await statusFor('contributor'), await statusFor('admin')]).toEqual([
      403, 206, 206,
    ]);
    expect(await (await ask({ 'x-hub-caller': 'viewer' })).json()).toMatchObject({ code: 'unlock_required' });
    await query.setSettings({});
  });
});

describe('pictures of a recording', () => {
  let query: TestQuery;
  let hour = 0;
  const asked: number[] = [];
  /** The outcome of a request to create pictures. */
  let makePictures: (videoId: number) => Promise<PictureOutcome> = async () => 'unavailable';

  beforeAll(async () => {
    query = await createTestQuery({ pictures: { request: requestPictures } });
  });
  afterEach(async () => {
    asked.length = 0;
    await expect.poll(() => countOpenFiles(query.recordingsDir)).toBe(0);
  });
  afterAll(() => query.close());

  function requestPictures(videoId: number): Promise<PictureOutcome> {
    asked.push(videoId);
    return makePictures(videoId);
  }
  async function post(
    media = 'ready',
    spectrogramPath: string | null = null,
    videoPath?: string,
  ): Promise<number> {
    hour += 1;
    const start = Date.UTC(2026, 4, 1, hour);
    const { videoId } = await query.post({ start, spectrogramPath, ...(videoPath && { videoPath }) });
    await query.database.pool.query('UPDATE video SET media = $2 WHERE id = $1', [videoId, media]);
    return videoId;
  }
  const ask = (videoId: number, what: string, headers: Record<string, string> = {}) =>
    query.get(`/api/ui/videos/${videoId}/${what}`, headers);
  const keepPoster = (videoId: number) =>
    query.writeFile(relative(query.recordingsDir, posterFile(query.recordingsDir, videoId)), 'a picture');

  it('with a poster, are sent as JPEG, and 304 with a matching If-None-Match', async () => {
    const id = await post();
    await keepPoster(id);
    const { status, headers } = await ask(id, 'poster');
    expect([status, headers['content-type'], headers['content-length']]).toEqual([200, 'image/jpeg', '9']);
    const again = await ask(id, 'poster', { 'if-none-match': String(headers['etag']) });
    expect(again.status).toBe(304);
  });

  it('with a spectrogram in the recordings folder, are sent in its type', async () => {
    await query.writeFile('a/spectrogram_100.png', 'a picture');
    const id = await post('ready', 'data/recordings/a/spectrogram_100.png');
    const { status, headers } = await ask(id, 'spectrogram');
    expect([status, headers['content-type']]).toEqual([200, 'image/png']);
  });

  it.each(['notes.txt', 'film.mp4', 'lost.jpg'])('with a spectrogram named %s, are 404', async (path) => {
    if (path !== 'lost.jpg') await query.writeFile(path, 'x');
    const { status, body } = await ask(await post('ready', path), 'spectrogram');
    expect([status, body.code]).toEqual([404, 'media_missing']);
  });

  it.each([
    ['pending', 503, 'media_pending', '5'],
    ['missing', 404, 'media_missing', undefined],
    ['ready', 404, 'media_missing', undefined],
    ['purged', 410, 'media_purged', undefined],
  ])('without files, for a %s recording, are %i %s', async (media, expected, code, retryAfter) => {
    const id = await post(media);
    for (const what of ['poster', 'spectrogram']) {
      const { status, body, headers } = await ask(id, what);
      expect([status, body.code, headers['retry-after']]).toEqual([expected, code, retryAfter]);
    }
  });

  it('with a width, are a smaller WebP, and another one when the poster changes', async () => {
    const id = await post('ready');
    const path = relative(query.recordingsDir, posterFile(query.recordingsDir, id));
    const paint = (background: string) =>
      sharp({ create: { width: 1280, height: 720, channels: 3, background } })
        .jpeg()
        .toBuffer();
    await query.writeFile(path, await paint('red'));
    const sized = (headers = {}) =>
      query.app.inject({ url: `/api/ui/videos/${id}/poster?width=320`, headers });
    const colour = async (bytes: Buffer) => {
      const { channels } = await sharp(bytes).stats();
      return channels.map(({ mean }) => Math.round(mean / 255)).join();
    };
    const red = await sized();
    const { format, width, height } = await sharp(red.rawPayload).metadata();
    expect([red.headers['content-type'], format, width, height]).toEqual(['image/webp', 'webp', 320, 180]);
    expect(await colour(red.rawPayload)).toBe('1,0,0');
    expect((await sized({ 'if-none-match': red.headers['etag'] })).statusCode).toBe(304);
    await query.writeFile(path, await paint('blue'));
    expect(await colour((await sized({ 'if-none-match': red.headers['etag'] })).rawPayload)).toBe('0,0,1');
    expect((await query.get(`/api/ui/videos/${id}/poster?width=300`)).body.details[0].path).toBe('width');
  });

  it('with a poster not yet created, have it created first and sent', async () => {
    await query.writeFile('a.mp4', 'film');
    const id = await post('ready', null, 'a.mp4');
    makePictures = async () => {
      await keepPoster(id);
      return 'made';
    };
    expect((await ask(id, 'poster')).status).toBe(200);
    expect((await ask(id, 'poster')).status).toBe(200);
    expect(asked).toEqual([id]);
  });

  it('with a spectrogram not yet created, have it created first and sent', async () => {
    await query.writeFile('b.mp4', 'film');
    const id = await post('ready', null, 'b.mp4');
    makePictures = async () => {
      await query.writeFile('b.jpg', 'a picture');
      await query.writer.saveSpectrogram(id, 'b.jpg');
      return 'made';
    };
    const { status, headers } = await ask(id, 'spectrogram');
    expect([status, headers['content-type']]).toEqual([200, 'image/jpeg']);
  });

  it.each([
    ['late', 503, 'media_pending'],
    ['unavailable', 503, 'media_pending'],
    ['unmade', 404, 'media_missing'],
    ['made', 404, 'media_missing'],
  ] as const)('with the creation %s, are %i %s', async (outcome, status, code) => {
    await query.writeFile('c.mp4', 'film');
    const id = await post('ready', null, 'c.mp4');
    makePictures = async () => outcome;
    for (const what of ['poster', 'spectrogram']) {
      const response = await ask(id, what);
      expect([response.status, response.body.code]).toEqual([status, code]);
      const pending = [response.body.video_id, response.headers['retry-after']];
      expect(pending).toEqual(status === 503 ? [id, '5'] : [undefined, undefined]);
    }
  });

  it('for a missing or purged file, are not created', async () => {
    for (const media of ['pending', 'missing', 'purged'])
      await ask(await post(media, null, 'nowhere.mp4'), 'poster');
    await query.writeFile('d.mp4', 'film');
    await ask(await post('purged', null, 'd.mp4'), 'poster');
    expect(asked).toEqual([]);
  });

  it('for an unknown or deleted recording, are 404 or 410', async () => {
    const id = await post();
    await query.writer.remove(id, testAuthor);
    for (const what of ['poster', 'spectrogram']) {
      expect((await ask(id, what)).body.code).toBe('recording_deleted');
      expect((await ask(999_999, what)).body.code).toBe('video_not_found');
    }
  });

  it('protected by the settings, require an unlocked session', async () => {
    const id = await post();
    await keepPoster(id);
    await query.setSettings({ general: { require_auth_for_video_stream: true } });
    expect((await ask(id, 'poster', { 'x-hub-caller': 'viewer' })).body.code).toBe('unlock_required');
    expect((await ask(id, 'poster', { 'x-hub-caller': 'contributor' })).status).toBe(200);
    await query.setSettings({});
  });
});

it('clients that disconnect at any moment of a request for a resized picture, log no error', async () => {
  const logged: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void logged.push(line) });
  const query = await createTestQuery({ log });
  const { videoId } = await query.post();
  await query.database.pool.query(`UPDATE video SET media = 'ready'`);
  const poster = posterFile(query.recordingsDir, videoId);
  await mkdir(dirname(poster), { recursive: true });
  const create = { width: 64, height: 48, channels: 3 as const, background: 'red' };
  const picture = await sharp({ create }).jpeg().toBuffer();
  const address = await query.app.listen({ host: '127.0.0.1', port: 0 });
  let disconnected = 0;
  for (let after = 0; after < 100; after += 1) {
    // A new picture has no resized copies.
    await rename(await query.writeFile('new.jpg', picture), poster);
    const client = new AbortController();
    const request = `${address}/api/ui/videos/${videoId}/poster?width=160`;
    const response = fetch(request, { signal: client.signal }).catch(() => (disconnected += 1));
    await pause(after / 10);
    client.abort();
    await response;
  }
  await query.close();
  expect(disconnected).toBeGreaterThan(0);
  expect(logged).toEqual([]);
});
