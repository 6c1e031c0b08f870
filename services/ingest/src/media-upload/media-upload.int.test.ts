import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { noteStorageState } from '@birdhub/domain/storage';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  aRecordingBody,
  createTestIngest,
  type TestIngest,
  type TestResponse,
} from '../testing/create-test-ingest.js';
import { sweepParts } from './upload-parts.js';
import { createTarget } from './upload-target.js';

const digest = (bytes: Buffer, name = 'sha256') => createHash(name).update(bytes).digest('base64');
const sha256 = (bytes: Buffer) => `sha-256=:${digest(bytes)}:`;

/** Bytes that begin as an MP4 file does; different each time. */
function aVideo(size = 5_000): Buffer {
  return Buffer.concat([Buffer.from('\0\0\0\x20ftypisom', 'latin1'), randomBytes(size - 12)]);
}

describe('PUT /media', () => {
  let ingest: TestIngest;
  let count = 0;

  beforeAll(async () => {
    ingest = await createTestIngest({ uploads: { maxUploadBytes: 100_000, spaceStepBytes: 20_000 } });
  });
  afterAll(() => ingest.close());

  /** A path that no other test uses. */
  const aPath = (name = 'video.mp4') => `2026/05/01/${++count}/${name}`;
  const fileOf = (path: string) => join(ingest.recordingsDir, path);
  const filesBeside = (path: string) =>
    existsSync(dirname(fileOf(path))) ? readdirSync(dirname(fileOf(path))).sort() : 'no folder';

  function put(path: string, body: Buffer | undefined, headers: object = {}): Promise<TestResponse> {
    const withType = { 'content-type': 'video/mp4', ...headers };
    return ingest.send('PUT', `/media/${path}`, body ?? Buffer.alloc(0), withType);
  }

  const putRange = (
    path: string,
    whole: Buffer,
    [from, to]: readonly [number, number],
    headers: object = {},
  ) =>
    put(path, whole.subarray(from, to), {
      'content-range': `bytes ${from}-${to - 1}/${whole.length}`,
      ...headers,
    });

  const stateOf = async (path: string) => {
    const { status, headers } = await ingest.send('HEAD', `/media/${path}`);
    return [status, headers['upload-offset'], headers['upload-length'], headers['upload-complete']];
  };

  describe('a whole file', () => {
    it('that is new, is 201 and stored under its final name only', async () => {
      const [path, video] = [aPath(), aVideo()];
      const { status, body } = await put(path, video, { 'content-digest': sha256(video) });
      const expected = { message: 'success', path: `data/recordings/${path}`, created: true };
      expect([status, body]).toEqual([201, { ...expected, received: 5_000, total: 5_000 }]);
      expect(readFileSync(fileOf(path)).equals(video)).toBe(true);
      expect(filesBeside(path)).toEqual(['video.mp4']);
      expect(await stateOf(path)).toEqual([200, '5000', '5000', '?1']);
    });

    it('that is sent again, is 200 and stored once', async () => {
      const [path, video] = [aPath(), aVideo()];
      await put(path, video);
      const again = await put(`data/recordings/${path}`, video, { 'content-digest': sha256(video) });
      expect([again.status, again.body.created]).toEqual([200, false]);
      expect(filesBeside(path)).toEqual(['video.mp4']);
    });

    it.each([
      ['of another length', aVideo(4_000)],
      ['of the same length', aVideo(5_000)],
    ])('that differs from the stored one, %s, is 409 and replaces nothing', async (_, other) => {
      const [path, video] = [aPath(), aVideo()];
      await put(path, video);
      const response = await put(path, other);
      expect([response.status, response.body.code]).toEqual([409, 'media_exists']);
      expect(readFileSync(fileOf(path)).equals(video)).toBe(true);
      expect(filesBeside(path)).toEqual(['video.mp4']);
    });

    it.each(['content-digest', 'repr-digest'])(
      'with a wrong %s, is 400 and stores nothing',
      async (header) => {
        const path = aPath();
        const response = await put(path, aVideo(), { [header]: sha256(aVideo()) });
        expect([response.status, response.body.code]).toEqual([400, 'digest_mismatch']);
        expect(response.body.details).toEqual([
          { path: header, message: 'does not match the received data' },
        ]);
        expect([filesBeside(path), (await stateOf(path))[0]]).toEqual(['no folder', 404]);
      },
    );

    it('with two digests, one of them wrong, is 400', async () => {
      const video = aVideo();
      const both = `${sha256(video)}, sha-512=:${digest(aVideo(), 'sha512')}:`;
      expect((await put(aPath(), video, { 'content-digest': both })).status).toBe(400);
    });

    it.each([
      ['content-digest', 'nonsense'],
      ['repr-digest', 'md5=:AAAA:'],
      ['content-range', 'bytes 1-2'],
      ['content-range', 'bytes 0-9/10'],
    ])('with a %s of %s, is 400 and names the header', async (header, value) => {
      const path = aPath();
      const response = await put(path, aVideo(), { [header]: value });
      expect([response.status, response.body.code]).toEqual([400, 'invalid_request']);
      expect(response.body.details).toMatchObject([{ path: header }]);
      expect(filesBeside(path)).toBe('no folder');
    });

    it('without bytes, is 400', async () => {
      expect((await put(aPath(), undefined)).body).toMatchObject({
        code: 'invalid_request',
        details: [{ path: 'body' }],
      });
    });

    it('declared as JSON, is stored unchanged', async () => {
      expect((await put(aPath(), aVideo(), { 'content-type': 'application/json' })).status).toBe(201);
    });

    it('that is compressed, is 415', async () => {
      const response = await put(aPath(), aVideo(), { 'content-encoding': 'gzip' });
      expect([response.status, response.body.code]).toEqual([415, 'media_type_unsupported']);
    });

    it.each([
      ['video.mp4', Buffer.from('<html>not a video</html>')],
      ['video.mp4', Buffer.from('x')],
      ['page.html', aVideo()],
      ['video', aVideo()],
      ['video.mp4.exe', aVideo()],
      ['picture.png', aVideo()],
    ])('%s whose content the hub does not serve, is 415 and stores nothing', async (name, content) => {
      const path = aPath(name);
      const response = await put(path, content);
      expect([response.status, response.body.code]).toEqual([415, 'media_type_unsupported']);
      expect(filesBeside(path)).toBe('no folder');
    });

    it('of the maximum size, is stored, and one byte more is 413', async () => {
      const path = aPath();
      expect((await put(aPath(), aVideo(100_000))).status).toBe(201);
      const response = await put(path, aVideo(100_001));
      expect([response.status, response.body.code]).toEqual([413, 'payload_too_large']);
      expect(filesBeside(path)).toBe('no folder');
    });
  });

  describe('a path', () => {
    it.each([
      // Encoded, as clients resolve plain dots themselves.
      '..%2fvideo.mp4',
      'a%2f..%2f..%2fvideo.mp4',
      '%2e%2e%2fvideo.mp4',
      '/etc/video.mp4',
      'a//video.mp4',
      '.%2fvideo.mp4',
      'a%5cvideo.mp4',
      'a%00.mp4',
      'a%0a.mp4',
      '',
      'folder/',
      'data/recordings/data/recordings/video.mp4',
      '.hidden.mp4',
      '.hidden/video.mp4',
      '.upload-0123456789abcdef.part',
      `${'n'.repeat(252)}.mp4`,
      `${'ü'.repeat(126)}.mp4`,
      `${'folder/'.repeat(80)}video.mp4`,
    ])('%s, is 400 and names the path', async (path) => {
      const response = await put(path, aVideo());
      expect([response.status, response.body.code]).toEqual([400, 'invalid_request']);
      expect(response.body.details).toMatchObject([{ path: 'path' }]);
      expect((await ingest.send('HEAD', `/media/${path}`)).status).toBe(400);
    });

    it('that leads through a link out of the folder, is 400 and nothing is created there', async () => {
      const outside = join(dirname(ingest.recordingsDir), 'outside');
      mkdirSync(outside);
      mkdirSync(ingest.recordingsDir, { recursive: true });
      symlinkSync(outside, fileOf('link'));
      symlinkSync(join(outside, 'nowhere'), fileOf('dangling'));
      for (const path of ['link/video.mp4', 'link/a/b/video.mp4', 'dangling/video.mp4']) {
        const response = await put(path, aVideo());
        expect([response.status, response.body.details]).toMatchObject([400, [{ path: 'path' }]]);
      }
      expect(readdirSync(outside)).toEqual([]);
    });

    it('that leads through a link inside the folder, is stored there', async () => {
      mkdirSync(fileOf('real'), { recursive: true });
      symlinkSync('real', fileOf('inner'));
      expect((await put('inner/a/video.mp4', aVideo())).status).toBe(201);
      expect(readdirSync(fileOf('real/a'))).toEqual(['video.mp4']);
    });

    it('whose name is a link or a folder, is 409', async () => {
      mkdirSync(fileOf('taken/folder.mp4'), { recursive: true });
      symlinkSync('/etc/passwd', fileOf('taken/link.mp4'));
      for (const path of ['taken/folder.mp4', 'taken/link.mp4']) {
        const response = await put(path, aVideo());
        expect([response.status, response.body.code]).toEqual([409, 'media_exists']);
      }
    });

    it('below a file, is 400', async () => {
      await put('file.mp4', aVideo());
      expect((await put('file.mp4/video.mp4', aVideo())).body.details).toMatchObject([{ path: 'path' }]);
    });

    it('of a recording that was deleted or purged, is 410', async () => {
      const [deleted, purged] = [aPath(), aPath()];
      await ingest.post('/videos', aRecordingBody({ video_path: purged }));
      await ingest.rows(`UPDATE video SET media = 'purged' WHERE video_path = $1`, [
        `data/recordings/${purged}`,
      ]);
      await ingest.rows(`INSERT INTO deleted_video (id, camera_id, video_path) VALUES (9999, 'garden', $1)`, [
        `data/recordings/${deleted}`,
      ]);
      expect((await put(purged, aVideo())).body.code).toBe('media_purged');
      expect((await put(deleted, aVideo())).body.code).toBe('recording_deleted');
      expect([filesBeside(purged), filesBeside(deleted)]).toEqual(['no folder', 'no folder']);
    });

    it('of a recording that is deleted during the upload, is 410 and leaves no file', async () => {
      const path = aPath();
      const { body: posted } = await ingest.post('/videos', aRecordingBody({ video_path: path }));
      async function* send() {
        yield aVideo();
        await ingest.writer.remove(posted.video_id, { role: 'admin', requestId: 'test' });
      }
      const upload = {
        path,
        body: Readable.from(send()),
        contentLength: undefined,
        range: undefined,
        bodyDigests: [],
        fileDigests: [],
        requestId: 'test',
        signal: new AbortController().signal,
      };
      await expect(ingest.uploads.receive(upload)).rejects.toMatchObject({ code: 'recording_deleted' });
      expect(filesBeside(path)).toBe('no folder');
    });
  });

  describe('a file in parts', () => {
    it('of any sizes, is 202 until it is complete and then identical', async () => {
      const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 4_999 }), { maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(cuts, async (chosen) => {
          const [path, video] = [aPath(), aVideo()];
          const ends = [...chosen.sort((a, b) => a - b), 5_000];
          let from = 0;
          for (const to of ends) {
            const part = video.subarray(from, to);
            const headers = { 'content-digest': sha256(part), 'repr-digest': sha256(video) };
            const response = await putRange(path, video, [from, to], headers);
            const isLast = to === 5_000;
            expect([response.status, response.body.received]).toEqual([isLast ? 201 : 202, to]);
            expect(await stateOf(path)).toEqual([200, String(to), '5000', isLast ? '?1' : '?0']);
            expect(existsSync(fileOf(path))).toBe(isLast);
            from = to;
          }
          expect(readFileSync(fileOf(path)).equals(video)).toBe(true);
          expect(filesBeside(path)).toEqual(['video.mp4']);
        }),
        { numRuns: 10 },
      );
    });

    it('with a part at a wrong offset, is 416 and returns the next offset', async () => {
      const [path, video] = [aPath(), aVideo()];
      await putRange(path, video, [0, 2_000]);
      for (const from of [0, 1_999, 2_001]) {
        const response = await putRange(path, video, [from, 3_000]);
        expect([response.status, response.body]).toMatchObject([
          416,
          { code: 'upload_offset_mismatch', received: 2_000, total: 5_000 },
        ]);
        expect(response.headers['upload-offset']).toBe('2000');
      }
      expect((await putRange(path, video, [2_000, 5_000])).status).toBe(201);
    });

    it('that begins in the middle, is 416 and leaves no folder', async () => {
      const path = aPath();
      expect((await putRange(path, aVideo(), [10, 20])).body).toMatchObject({ received: 0 });
      expect(filesBeside(path)).toBe('no folder');
    });

    it('with a wrong digest of one part, is 400 and keeps the previous parts', async () => {
      const [path, video] = [aPath(), aVideo()];
      await putRange(path, video, [0, 2_000]);
      const wrong = await putRange(path, video, [2_000, 4_000], { 'content-digest': sha256(video) });
      expect([wrong.status, wrong.body.code]).toEqual([400, 'digest_mismatch']);
      expect(await stateOf(path)).toEqual([200, '2000', '5000', '?0']);
    });

    it('with a wrong digest of the whole, is 400 and starts again', async () => {
      const [path, video] = [aPath(), aVideo()];
      await putRange(path, video, [0, 2_000]);
      const wrong = await putRange(path, video, [2_000, 5_000], { 'repr-digest': sha256(aVideo()) });
      expect([wrong.status, wrong.body.details]).toMatchObject([400, [{ path: 'repr-digest' }]]);
      expect((await stateOf(path))[0]).toBe(404);
      expect((await putRange(path, video, [0, 5_000])).status).toBe(201);
    });

    it('larger than the limit or than its type allows, is refused at its first part', async () => {
      const head = { 'content-range': 'bytes 0-4999/100001' };
      expect((await put(aPath(), aVideo(), head)).status).toBe(413);
      expect((await putRange(aPath(), randomBytes(5_000), [0, 2_000])).status).toBe(415);
    });

    it('whose type is only recognised later, is refused when it is complete', async () => {
      const [path, other] = [aPath(), Buffer.from('no video, for sure')];
      expect((await putRange(path, other, [0, 4])).status).toBe(202);
      expect((await putRange(path, other, [4, other.length])).status).toBe(415);
      expect((await stateOf(path))[0]).toBe(404);
    });

    it('an empty range, is 202 with the stored bytes', async () => {
      const [path, video] = [aPath(), aVideo()];
      const ask = () => put(path, undefined, { 'content-range': 'bytes */5000' });
      expect((await ask()).body).toMatchObject({ received: 0, total: 5_000 });
      await putRange(path, video, [0, 2_000]);
      expect((await ask()).body).toMatchObject({ received: 2_000, total: 5_000 });
      await putRange(path, video, [2_000, 5_000]);
      expect((await ask()).status).toBe(200);
    });

    it('whose last part is sent again, is 200, and 409 when it differs', async () => {
      const [path, video] = [aPath(), aVideo()];
      await put(path, video);
      expect((await putRange(path, video, [4_000, 5_000])).status).toBe(200);
      expect((await putRange(path, aVideo(), [4_000, 5_000])).status).toBe(409);
    });

    it('that is then sent whole, is stored and leaves no parts', async () => {
      const [path, video] = [aPath(), aVideo()];
      await putRange(path, video, [0, 2_000]);
      expect((await put(path, video)).status).toBe(201);
      expect(filesBeside(path)).toEqual(['video.mp4']);
    });

    it('that begins again with another length, starts again', async () => {
      const [path, video] = [aPath(), aVideo(6_000)];
      await putRange(path, aVideo(), [0, 2_000]);
      expect((await putRange(path, video, [0, 6_000])).status).toBe(201);
      expect(filesBeside(path)).toEqual(['video.mp4']);
    });
  });

  describe('a disk', () => {
    it('without space for the file, is 507 with Retry-After and stores nothing', async () => {
      const path = aPath();
      ingest.disk.freeBytes = 4_999;
      const response = await put(path, aVideo());
      ingest.disk.freeBytes = 1e15;
      expect([response.status, response.body.code, response.headers['retry-after']]).toEqual([
        507,
        'insufficient_storage',
        '60',
      ]);
      expect(filesBeside(path)).toBe('no folder');
    });

    const receive = (path: string, body: AsyncIterable<Buffer>, contentLength?: number) =>
      ingest.uploads.receive({
        path,
        body: Readable.from(body),
        contentLength,
        range: undefined,
        bodyDigests: [],
        fileDigests: [],
        requestId: 'test',
        signal: new AbortController().signal,
      });

    it.each([
      ['known', 40_000],
      ['unknown', undefined],
    ])('with a running upload of %s length, has only the rest for others', async (_, contentLength) => {
      const [path, other] = [aPath(), aPath()];
      const refused: number[] = [];
      async function* send() {
        yield aVideo(15_000);
        await expect.poll(() => filesBeside(path)).toHaveLength(1);
        ingest.disk.freeBytes = 30_000;
        refused.push((await put(other, aVideo(29_000))).status);
        ingest.disk.freeBytes = 1e15;
        yield randomBytes(25_000);
      }
      await receive(path, send(), contentLength);
      expect(refused).toEqual([507]);
      expect(filesBeside(other)).toBe('no folder');
      ingest.disk.freeBytes = 30_000;
      const { status } = await put(other, aVideo(29_000));
      ingest.disk.freeBytes = 1e15;
      expect(status).toBe(201);
    });

    it.each([
      ['known', 70_000],
      ['unknown', undefined],
    ])(
      'that others fill during an upload of %s length, is 507 and stores nothing',
      async (_, contentLength) => {
        const path = aPath();
        async function* send() {
          yield aVideo(10_000);
          await expect.poll(() => filesBeside(path)).toHaveLength(1);
          ingest.disk.freeBytes = 1_000;
          yield randomBytes(30_000);
          yield randomBytes(30_000);
        }
        const result = receive(path, send(), contentLength);
        await expect(result).rejects.toMatchObject({ code: 'insufficient_storage' });
        ingest.disk.freeBytes = 1e15;
        expect(filesBeside(path)).toBe('no folder');
      },
    );

    it('below the minimum free space, is 507 while uploads of a gigabyte wait for their recordings', async () => {
      await ingest.setSettings({ retention: { min_free_gb: 2 } });
      ingest.disk.freeBytes = 1.5e9;
      await ingest.rows(`INSERT INTO uploaded_file VALUES ('large.mp4', 999999000, now())`);
      await expect.poll(async () => (await put(aPath(), aVideo())).status).toBe(507);
      const [posted, ready] = [aPath(), aPath()];
      for (const path of [posted, ready]) await ingest.post('/videos', aRecordingBody({ video_path: path }));
      await ingest.rows(`UPDATE video SET media = 'ready' WHERE video_path = 'data/recordings/${ready}'`);
      expect((await put(posted, aVideo())).status).toBe(201);
      expect((await put(ready, aVideo())).status).toBe(507);
      await ingest.post('/videos', aRecordingBody({ video_path: 'large.mp4' }));
      expect((await put(aPath(), aVideo())).status).toBe(201);
      ingest.disk.freeBytes = 1e15;
    });

    it('below the minimum free space with nothing left to delete, is 507', async () => {
      await noteStorageState(ingest.database.pool, true);
      await ingest.setSettings({ retention: { min_free_gb: 2 } });
      ingest.disk.freeBytes = 1e9;
      await expect.poll(async () => (await put(aPath(), aVideo())).status).toBe(507);
      ingest.disk.freeBytes = 1e15;
      await noteStorageState(ingest.database.pool, false);
      await expect.poll(async () => (await put(aPath(), aVideo())).status).toBe(201);
    });
  });

  describe('a recording', () => {
    const announced = async (path: string) =>
      (
        await ingest.rows<{ payload: { path: string; bytes: number } }>(
          `SELECT payload FROM outbox WHERE subject = 'hub.v1.media.uploaded'`,
        )
      ).filter(({ payload }) => payload.path === path).length;

    it('posted before its file, is announced when the file arrives', async () => {
      const path = aPath();
      await ingest.post('/videos', aRecordingBody({ video_path: path }));
      await put(path, aVideo());
      expect(await announced(path)).toBe(1);
    });

    it('posted after its file, is announced at once', async () => {
      const path = aPath();
      await put(path, aVideo());
      expect(await announced(path)).toBe(0);
      expect((await ingest.post('/videos', aRecordingBody({ video_path: path }))).status).toBe(201);
    });

    it('already marked as ready, is not announced when its file is sent again', async () => {
      const [path, video] = [aPath(), aVideo()];
      await put(path, video);
      await ingest.post('/videos', aRecordingBody({ video_path: path }));
      await ingest.rows(`UPDATE video SET media = 'ready' WHERE video_path = $1`, [
        `data/recordings/${path}`,
      ]);
      expect((await put(path, video)).status).toBe(200);
      expect(await announced(path)).toBe(0);
    });
  });
});

describe('PUT /media, a file that no recording names', () => {
  let ingest: TestIngest;

  beforeAll(async () => {
    ingest = await createTestIngest({ uploads: { removalDelayMs: 300 } });
  });
  afterAll(() => ingest.close());

  it('after a week, is removed; posted files, later ones and files of other programs are kept', async () => {
    const names = ['unposted', 'posted', 'drawn', 'late', 'replaced', 'own'].map(
      (name) => `garden/${name}.jpg`,
    );
    const fileOf = (path: string) => join(ingest.recordingsDir, path);
    const picture = Buffer.concat([Buffer.from('\xff\xd8\xff\xe0', 'latin1'), randomBytes(100)]);
    for (const path of names.slice(0, 5))
      expect((await ingest.send('PUT', `/media/${path}`, picture)).status).toBe(201);
    writeFileSync(fileOf('garden/own.jpg'), 'x');
    writeFileSync(fileOf('garden/replaced.jpg'), 'another picture');
    await ingest.post(
      '/videos',
      aRecordingBody({
        video_path: 'garden/posted.jpg',
        spectrogram_path: 'data/recordings/garden/drawn.jpg',
      }),
    );
    await ingest.rows(
      `UPDATE uploaded_file SET uploaded_at = now() - interval '169 hours' WHERE path <> 'garden/late.jpg'`,
    );
    await ingest.rows(
      `UPDATE uploaded_file SET uploaded_at = now() - interval '167 hours' WHERE path = 'garden/late.jpg'`,
    );
    ingest.uploads.start();
    await expect.poll(() => existsSync(fileOf('garden/unposted.jpg'))).toBe(false);
    const listed = () => ingest.rows('SELECT path FROM uploaded_file');
    await expect.poll(listed).toEqual([{ path: 'garden/late.jpg' }]);
    expect(names.filter((path) => existsSync(fileOf(path)))).toEqual(names.slice(1));
  });

  it('that is uploaded again, waits from then on', async () => {
    const video = aVideo();
    await ingest.send('PUT', '/media/again.mp4', video);
    await ingest.rows(`UPDATE uploaded_file SET uploaded_at = '2026-01-01'`);
    expect((await ingest.send('PUT', '/media/again.mp4', video)).status).toBe(200);
    const sql = `SELECT uploaded_at > now() - interval '1 minute' AS "isNew" FROM uploaded_file WHERE path = 'again.mp4'`;
    expect(await ingest.rows(sql)).toEqual([{ isNew: true }]);
  });

  it('that is unfinished, is recorded with its received bytes until it is complete', async () => {
    const video = aVideo();
    const putRange = (from: number, to: number, headers: object = {}) =>
      ingest.send('PUT', '/media/parts/video.mp4', video.subarray(from, to), {
        'content-range': `bytes ${from}-${to - 1}/5000`,
        ...headers,
      });
    const recorded = () =>
      ingest.rows(
        `SELECT bytes, path ~ '^parts/[.]upload-' AS "isPart" FROM uploaded_file WHERE starts_with(path, 'parts/')`,
      );
    for (const at of [0, 2_000]) {
      expect((await putRange(at, at + 2_000)).status).toBe(202);
      expect(await recorded()).toEqual([{ bytes: at + 2_000, isPart: true }]);
    }
    expect((await putRange(4_000, 5_000, { 'content-digest': sha256(video) })).status).toBe(400);
    expect(await recorded()).toEqual([{ bytes: 4_000, isPart: true }]);
    expect((await putRange(4_000, 5_000)).status).toBe(201);
    expect(await recorded()).toEqual([{ bytes: 5_000, isPart: false }]);
  });

  it.each(['in parts', 'whole'])(
    'whose length changes and that then arrives %s, leaves no record of its parts',
    async (kind) => {
      const path = kind === 'whole' ? 'changed-whole/video.mp4' : 'changed-parts/video.mp4';
      const [first, second] = [aVideo(4_000), aVideo(5_000)];
      const putRange = (video: Buffer, from: number, to: number) =>
        ingest.send('PUT', `/media/${path}`, video.subarray(from, to), {
          'content-range': `bytes ${from}-${to - 1}/${video.length}`,
        });
      expect((await putRange(first, 0, 2_000)).status).toBe(202);
      if (kind === 'whole') await ingest.send('PUT', `/media/${path}`, second);
      else for (const from of [0, 2_500]) await putRange(second, from, from + 2_500);
      const sql = `SELECT path FROM uploaded_file WHERE starts_with(path, 'changed-${kind === 'whole' ? 'whole' : 'parts'}/')`;
      expect(await ingest.rows(sql)).toEqual([{ path }]);
    },
  );

  it('below a link, is not recorded, as it has several names', async () => {
    mkdirSync(join(ingest.recordingsDir, 'real'), { recursive: true });
    symlinkSync(join(ingest.recordingsDir, 'real'), join(ingest.recordingsDir, 'link'));
    expect((await ingest.send('PUT', '/media/link/video.mp4', aVideo())).status).toBe(201);
    expect(await ingest.rows(`SELECT path FROM uploaded_file WHERE path ~ '^(link|real)/'`)).toEqual([]);
  });
});

describe('PUT /media, a connection', () => {
  let ingest: TestIngest;
  let address: URL;

  beforeAll(async () => {
    ingest = await createTestIngest({
      uploads: { maxUploadBytes: 1_000_000, maxConcurrency: 2, idleTimeoutMs: 300 },
    });
    address = new URL(await ingest.listen());
  });
  afterAll(() => ingest.close());

  /** Sends the headers of a request and some of its body, and keeps the connection open. */
  function begin(path: string, body: Buffer, headers: readonly string[]): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(address.port), address.hostname, () => {
        const head = [`PUT /api/processor/media/${path} HTTP/1.1`, 'Host: hub', ...headers, '', ''].join(
          '\r\n',
        );
        socket.write(Buffer.concat([Buffer.from(head), body]), () => resolve(socket));
      });
      socket.once('error', reject);
    });
  }

  const namesIn = (folder: string) =>
    existsSync(join(ingest.recordingsDir, folder)) ? readdirSync(join(ingest.recordingsDir, folder)) : [];
  const send = (path: string, body: Buffer, headers: Record<string, string> = {}) =>
    fetch(new URL(`/api/processor/media/${path}`, address), { method: 'PUT', body, headers });
  const codeOf = async (response: Response) => ((await response.json()) as { code?: string }).code;

  it('that breaks during a whole file, leaves nothing', async () => {
    const socket = await begin('whole/video.mp4', aVideo(), ['Content-Length: 10000']);
    await expect.poll(() => namesIn('whole').length).toBe(1);
    socket.destroy();
    await expect.poll(() => existsSync(join(ingest.recordingsDir, 'whole'))).toBe(false);
  });

  it('that breaks during a range, keeps the received bytes to be continued', async () => {
    const video = aVideo(10_000);
    const headers = ['Content-Length: 10000', 'Content-Range: bytes 0-9999/10000'];
    const socket = await begin('range/video.mp4', video.subarray(0, 4_000), headers);
    const offset = async () => (await ingest.send('HEAD', '/media/range/video.mp4')).headers['upload-offset'];
    await expect.poll(offset).toBe('4000');
    socket.destroy();
    const rest = { 'content-range': 'bytes 4000-9999/10000', 'repr-digest': sha256(video) };
    const status = async () => (await send('range/video.mp4', video.subarray(4_000), rest)).status;
    await expect.poll(status).toBe(201);
    expect(namesIn('range')).toEqual(['video.mp4']);
  });

  it('that sends nothing for a while, is 408', async () => {
    const socket = await begin('idle/video.mp4', aVideo(), ['Content-Length: 10000']);
    const response = await new Promise<string>((resolve) =>
      socket.once('data', (data) => resolve(String(data))),
    );
    expect(response).toMatch(/^HTTP\/1\.1 408 /);
    socket.destroy();
    expect(namesIn('idle')).toEqual([]);
  });

  it('that uploads a file during another upload of it, is 409 until that has ended', async () => {
    const video = aVideo();
    const socket = await begin('two/video.mp4', aVideo(100), ['Content-Length: 10000']);
    await expect.poll(() => namesIn('two').length).toBe(1);
    const response = await send('two/video.mp4', video);
    expect([response.status, await codeOf(response)]).toEqual([409, 'upload_in_progress']);
    socket.destroy();
    await expect.poll(async () => (await send('two/video.mp4', video)).status).toBe(201);
  });

  it('that sends a known file again, keeps it from the first byte, and is 503 if it was removed meanwhile', async () => {
    const video = aVideo();
    expect((await send('known/video.mp4', video)).status).toBe(201);
    await ingest.rows(`UPDATE uploaded_file SET uploaded_at = '2026-01-01'`);
    const socket = await begin('known/video.mp4', video.subarray(0, 100), [
      'Content-Length: 5000',
      'Connection: close',
    ]);
    const response = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    const sql = `SELECT uploaded_at > now() - interval '1 minute' AS "isNew" FROM uploaded_file WHERE path = 'known/video.mp4'`;
    await expect.poll(() => ingest.rows(sql), { interval: 20 }).toEqual([{ isNew: true }]);
    rmSync(join(ingest.recordingsDir, 'known/video.mp4'));
    socket.write(video.subarray(100));
    expect(await response).toMatch(/^HTTP\/1\.1 503 /);
    expect((await send('known/video.mp4', video)).status).toBe(201);
  });

  it('with a chunked body, is stored, and 413 when it grows too large', async () => {
    const chunked = (body: Buffer) => {
      const stream = new ReadableStream({
        start(controller) {
          for (let at = 0; at < body.length; at += 50_000) controller.enqueue(body.subarray(at, at + 50_000));
          controller.close();
        },
      });
      const init = { method: 'PUT', body: stream, duplex: 'half' } as RequestInit;
      return fetch(new URL(`/api/processor/media/chunked/${body.length}.mp4`, address), init);
    };
    expect((await chunked(aVideo(200_000))).status).toBe(201);
    const response = await chunked(aVideo(1_000_001));
    expect([response.status, await codeOf(response)]).toEqual([413, 'payload_too_large']);
    expect(namesIn('chunked')).toEqual(['200000.mp4']);
  });

  it('with a chunked body that does not fit its range, is 400 and keeps none of it', async () => {
    for (const size of [1_000, 3_000]) {
      const body = aVideo(size).toString('latin1');
      const head = ['Transfer-Encoding: chunked', 'Content-Range: bytes 0-1999/5000', 'Connection: close'];
      const payload = Buffer.from(`${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`, 'latin1');
      const socket = await begin('fit/video.mp4', payload, head);
      const response = await new Promise<string>((resolve) =>
        socket.once('data', (data) => resolve(String(data))),
      );
      expect(response).toMatch(/^HTTP\/1\.1 400 /);
      socket.destroy();
    }
    await vi.waitUntil(() => namesIn('fit').length === 0);
  });
});

describe('createTarget', () => {
  it('for many uploads at once into a missing folder, succeeds for all of them', async () => {
    const root = mkdtempSync(join(tmpdir(), 'birdhub-places-'));
    for (let round = 0; round < 20; round += 1) {
      const names = Array.from({ length: 100 }, (_, index) => `a${round}/b/c/d/${index}.mp4`);
      const creating: ReturnType<typeof createTarget>[] = [];
      for (const name of names) {
        creating.push(createTarget(root, name));
        await new Promise(setImmediate);
      }
      const places = await Promise.all(creating);
      expect(new Set(places.map(({ folder }) => folder))).toEqual(new Set([join(root, `a${round}/b/c/d`)]));
    }
    rmSync(root, { recursive: true });
  });
});

describe('sweepParts', () => {
  let ingest: TestIngest;
  const file = '0123456789abcdef';
  const day = 86_400_000;

  beforeAll(async () => {
    ingest = await createTestIngest();
  });
  afterAll(() => ingest.close());

  it('with parts of ended processes and of yesterday, removes these only', async () => {
    const folder = join(ingest.recordingsDir, 'a/b');
    mkdirSync(folder, { recursive: true });
    const now = Date.now();
    const write = (name: string, ageMs = 0) => {
      writeFileSync(join(folder, name), 'x');
      utimesSync(join(folder, name), new Date(now - ageMs), new Date(now - ageMs));
    };
    write('video.mp4', 2 * day);
    write('.somebody-elses.part', 2 * day);
    write(`.upload-${file}-100.part`, day - 60_000);
    write(`.upload-${file}-200.part`, day + 60_000);
    // Parts of other machines: one written a minute ago, two silent for an hour.
    write(`.upload-${file}.00000000-7-abc.part`, 60_000);
    write(`.upload-${file}.00000001-7-abc.part`, 3_600_000);
    write(`.upload-${file}-300.00000001-7-abc.part`, 3_600_000);
    // Pictures of which a draft is made.
    write(`.upload-${file}.00000000-7-abc.part.jpg`, 60_000);
    write(`.upload-${file}.00000001-7-abc.part.jpg`, 3_600_000);
    expect(await sweepParts(ingest.recordingsDir, now, new AbortController().signal)).toBe(3);
    expect(readdirSync(folder).sort()).toEqual(
      [
        '.somebody-elses.part',
        `.upload-${file}-100.part`,
        `.upload-${file}-300.part`,
        `.upload-${file}.00000000-7-abc.part`,
        `.upload-${file}.00000000-7-abc.part.jpg`,
        'video.mp4',
      ].sort(),
    );
  });

  it('without a folder, does nothing', async () => {
    expect(await sweepParts('/nowhere/at/all', Date.now(), new AbortController().signal)).toBe(0);
  });
});
