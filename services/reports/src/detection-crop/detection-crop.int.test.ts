import { execFile } from 'node:child_process';
import { copyFile, readdir, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { PictureOutcome } from '@birdhub/domain/media';
import { findStoredCrop, listStoredCrops } from '@birdhub/domain/media';
import type { Frame, PostedDetection } from '@birdhub/domain/recordings';
import { aDetection, aRecording } from '@birdhub/testing';
import exifr from 'exifr';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeClip, rotateClip } from '../testing/clips.js';
import { createTestReports, type TestReports } from '../testing/create-test-reports.js';

/** ffmpeg takes long for long media while other tests run. */
const decodingMs = 120_000;

/** Grey; from 1 s to 2 s its lower right quarter is red, from 2 s to the end at 4 s its upper left is green. */
const scene = [
  'color=gray:s=640x480:r=25:d=4',
  "drawbox=x=320:y=240:w=320:h=240:color=red:t=fill:enable='between(t,0.99,1.97)'",
  "drawbox=x=0:y=0:w=320:h=240:color=lime:t=fill:enable='gte(t,1.99)'",
].join(',');
const [red, green, gray] = ['4,0,0', '0,4,0', '2,2,2'];

const at = (t: number, ...bbox: Frame['bbox']): Frame => ({ t, bbox });
const lowerRight = at(1.5, 0.6, 0.6, 0.9, 0.9);
const upperLeft = at(2.5, 0.1, 0.1, 0.4, 0.4);

const run = promisify(execFile);

describe('GET /detections/:id/crop', () => {
  let reports: TestReports;
  let posted = 0;
  const nobody = async (): Promise<PictureOutcome> => 'unavailable';
  /** The outcome of a request to the picture queue. */
  let makePictures: (videoId: number) => Promise<PictureOutcome> = nobody;
  const fileOf = (name: string) => join(reports.dataDir, 'recordings', name);

  /** Posts a recording of a file with one detection; returns the ids of both. */
  async function postBoth(videoPath: string, given: Partial<PostedDetection>, cameraId = `${posted}`) {
    posted += 1;
    const start = Date.UTC(2026, 4, 1, 8) + posted * 3_600_000;
    const detections = [aDetection({ endOffset: 4, ...given })];
    const recording = aRecording({ start, videoPath, cameraId, detections });
    const { videoId } = await reports.writer.post(recording, 'test');
    const { rows } = await reports.database.pool.query<{ id: number }>(
      'SELECT id FROM detection WHERE video_id = $1',
      [videoId],
    );
    return { id: rows[0]?.id ?? 0, videoId, recording };
  }
  const post = async (...given: Parameters<typeof postBoth>) => (await postBoth(...given)).id;

  const get = (id: number | string, query = '', headers: Record<string, string> = {}) =>
    reports.app.inject({ url: `/api/ui/detections/${id}/crop${query}`, headers });

  /** Size and, in quarters of full light, the colour of a picture. */
  async function look(id: number, query = '') {
    const response = await get(id, query);
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/jpeg']);
    const picture = sharp(response.rawPayload);
    const { width, height, exif, icc, space } = await picture.metadata();
    expect({ exif, icc, space }).toEqual({ exif: undefined, icc: undefined, space: 'srgb' });
    const { channels } = await picture.stats();
    return [width, height, channels.map(({ mean }) => Math.round(mean / 64)).join()];
  }

  async function refusal(id: number | string) {
    const response = await get(id);
    return [response.statusCode, response.json().code, response.json().error];
  }

  beforeAll(async () => {
    reports = await createTestReports({ pictures: { request: (videoId) => makePictures(videoId) } });
    await makeClip(fileOf('scene.mp4'), scene, ['-g', '60', '-bf', '2']);
  });
  afterAll(() => reports.close());

  it('with metadata, has time and place, and the name when it is certain', async () => {
    await reports.setSettings({
      secrets: { latitude: '51.50741', longitude: '-0.12782' },
      science: { coordinate_digits: 1 },
      general: { timezone: 'Europe/Berlin' },
      ui: { unknown_confidence_threshold: 0.5 },
    });
    const read = async (confidence: number) => {
      const response = await get(
        await post('scene.mp4', { frames: [lowerRight], confidence }),
        '?metadata=1',
        { 'x-hub-caller': 'contributor' },
      );
      return exifr.parse(response.rawPayload, { xmp: true, iptc: true });
    };
    expect(await read(0.9)).toMatchObject({
      latitude: expect.closeTo(51.5, 6),
      longitude: expect.closeTo(-0.1, 6),
      OffsetTimeOriginal: '+02:00',
      ObjectName: 'Parus major',
    });
    expect(await read(0.2)).not.toHaveProperty('ObjectName');
    await reports.setSettings({});
  });

  it('with metadata, has its own tag, and is refused with a width and for viewers', async () => {
    const id = await post('scene.mp4', { frames: [lowerRight] });
    const contributor = { 'x-hub-caller': 'contributor' };
    const tagOf = async (query: string) => (await get(id, query, contributor)).headers.etag;
    const before = await tagOf('?metadata=1');
    await reports.setSettings({ secrets: { latitude: '51.5', longitude: '0' } });
    expect(new Set([before, await tagOf('?metadata=1'), await tagOf('')]).size).toBe(3);
    await reports.setSettings({});
    expect((await get(id, '?metadata=1&width=160')).json().code).toBe('invalid_request');
    for (const headers of [{ 'x-hub-caller': 'viewer' }, { 'x-hub-caller': 'mcp' }, {}])
      expect((await get(id, '?metadata=1', headers)).json().code).toBe('unlock_required');
  });

  it('of a detection with boxes, shows the largest with a margin', async () => {
    const small = at(2.5, 0.1, 0.1, 0.2, 0.2);
    const id = await post('scene.mp4', { frames: [small, lowerRight] });
    // From 0.555 to 0.945 of the picture.
    expect(await look(id)).toEqual([250, 188, red]);
  });

  it('with a width, is the same picture as a smaller WebP, cached until the box changes', async () => {
    const { id, videoId } = await postBoth('scene.mp4', { frames: [lowerRight] });
    const sized = await get(id, '?width=160');
    const { format, width, height } = await sharp(sized.rawPayload).metadata();
    expect([sized.statusCode, sized.headers['content-type'], format, width, height]).toEqual([
      200,
      'image/webp',
      'webp',
      160,
      120,
    ]);
    expect(sized.headers['content-disposition']).toMatch(/\.webp"/);
    const folder = dirname((await findStoredCrop(reports.dataDir, videoId, id)) ?? '');
    const copies = async () => (await readdir(folder)).filter((file) => file.endsWith('.webp'));
    const [kept] = await copies();
    expect(kept).toMatch(/\.160\.webp$/);
    const etag = String(sized.headers['etag']);
    expect((await get(id, '?width=160', { 'if-none-match': etag })).statusCode).toBe(304);
    expect((await get(id, '?width=320', { 'if-none-match': etag })).statusCode).toBe(200);
    await reports.database.pool.query('UPDATE detection_track SET frames = $2 WHERE detection_id = $1', [
      id,
      JSON.stringify([upperLeft]),
    ]);
    await get(id, '?width=160');
    expect(await copies()).toHaveLength(1);
    expect(await copies()).not.toEqual([kept]);
  });

  it.each(['0', '161', '1e3', '160,320'])('with the width %s, is refused', async (width) => {
    const response = await get(await post('scene.mp4', {}), `?width=${width}`);
    expect([response.statusCode, response.json().details[0].path]).toEqual([400, 'width']);
  });

  it('of an unmeasured picture, measures the crop on its first request, but not the whole frame', async () => {
    const { pool } = reports.database;
    const id = await post('scene.mp4', { frames: [lowerRight] });
    const measured = async () =>
      (
        await pool.query(
          'SELECT width, height, seconds, area FROM detection_picture WHERE detection_id = $1',
          [id],
        )
      ).rows;
    await get(id, '?full=1');
    expect(await measured()).toEqual([]);
    await get(id);
    await vi.waitFor(async () =>
      expect(await measured()).toEqual([
        { width: 250, height: 188, seconds: 1.5, area: expect.closeTo(0.09, 4) },
      ]),
    );
  });

  it('of an unmeasured picture, announces a change of its recording after measuring', async () => {
    const { id, recording } = await postBoth('scene.mp4', { frames: [lowerRight] });
    const span = { from: recording.start, to: recording.end };
    await get(id);
    await vi.waitFor(() => expect(reports.changes).toContainEqual({ kind: 'recordings', ...span }));
  });

  it.each([
    ['several of a size, is the first of them', [upperLeft, lowerRight], [250, 188, green]],
    [
      'a box at the rim and beyond, is what the picture has of it',
      [at(1.5, 0.8, 0.8, 1.04, 1.04)],
      [152, 114, red],
    ],
    [
      'a small box in a corner, is 64 pixels wide and high',
      [at(2.5, -0.05, -0.05, 0.02, 0.02)],
      [64, 64, green],
    ],
    ['a frame beyond the end, is the last', [at(9, 0.1, 0.1, 0.4, 0.4)], [250, 188, green]],
    ['a frame between two of the video, is the nearer', [at(0.97, 0.6, 0.6, 0.9, 0.9)], [250, 188, gray]],
    ['a frame just before one of the video, is that one', [at(0.99, 0.6, 0.6, 0.9, 0.9)], [250, 188, red]],
  ])('%s', async (_, frames, seen) => {
    expect(await look(await post('scene.mp4', { frames }))).toEqual(seen);
  });

  it('without a box, is the whole frame of the middle', async () => {
    expect(await look(await post('scene.mp4', { endOffset: 1.5 }))).toEqual([640, 480, gray]);
  });

  it('with ?full=1, is the whole frame of the box', async () => {
    const id = await post('scene.mp4', { frames: [at(0.5, 0.6, 0.6, 0.9, 0.9)] });
    expect(await look(id, '?full=1')).toEqual([640, 480, gray]);
    expect(await look(id, '?full=0')).toEqual([250, 188, gray]);
  });

  it('when the settings protect recordings, requires a session for whole frames, but not for crops', async () => {
    const boxed = await post('scene.mp4', { frames: [at(0.5, 0.6, 0.6, 0.9, 0.9)] });
    const whole = await post('scene.mp4', { endOffset: 1.5 });
    const huge = await post('scene.mp4', { frames: [at(0.5, 0, 0, 1, 1)] });
    await reports.setSettings({ general: { require_auth_for_video_stream: true } });
    const statusFor = async (caller: string, id: number, query = '') =>
      (await get(id, query, { 'x-hub-caller': caller })).statusCode;
    const found = await Promise.all(
      ['viewer', 'mcp', 'contributor', 'admin'].map(async (caller) => [
        await statusFor(caller, boxed, '?full=1'),
        await statusFor(caller, boxed, '?full=yes'),
        await statusFor(caller, whole),
        await statusFor(caller, huge),
        await statusFor(caller, boxed),
      ]),
    );
    const refused = (await get(boxed, '?full=1')).json();
    const unmodified = await get(boxed, '?full=1', { 'if-none-match': '*' });
    await reports.setSettings({});
    const [forStrangers, forFriends] = [
      [403, 403, 403, 403, 200],
      [200, 200, 200, 200, 200],
    ];
    expect(found).toEqual([forStrangers, forStrangers, forFriends, forFriends]);
    expect([refused.code, unmodified.statusCode]).toEqual(['unlock_required', 403]);
  });

  it('of two cameras with the same times, is from the right video of each', async () => {
    await makeClip(fileOf('feeder/blue.mp4'), 'color=blue:s=320x240:r=10:d=2');
    const frames = [at(1.5, 0.6, 0.6, 0.9, 0.9)];
    expect(await look(await post('scene.mp4', { frames }, 'two'))).toEqual([250, 188, red]);
    expect((await look(await post('feeder/blue.mp4', { frames }, 'one')))[2]).toBe('0,0,4');
  });

  it('of a rotated video, is cut as displayed', async () => {
    await copyFile(fileOf('scene.mp4'), fileOf('turned.mp4'));
    await rotateClip(fileOf('turned.mp4'), 480);
    const id = await post('turned.mp4', { frames: [at(1.5, 0.1, 0.6, 0.4, 0.9)] });
    expect(await look(id)).toEqual([188, 250, red]);
    expect((await look(id, '?full=1')).slice(0, 2)).toEqual([480, 640]);
  });

  it('of a video of few frames at odd times, is from the nearest', async () => {
    await makeClip(fileOf('odd.mp4'), `${scene},select='eq(n,0)+eq(n,30)+eq(n,72)+eq(n,99)'`, [
      '-vsync',
      'vfr',
    ]);
    const seenAt = async (t: number, box: Frame['bbox']) =>
      (await look(await post('odd.mp4', { frames: [at(t, ...box)] })))[2];
    expect(await seenAt(1.6, lowerRight.bbox)).toBe(red);
    expect(await seenAt(0.5, lowerRight.bbox)).toBe(gray);
    expect(await seenAt(2.3, upperLeft.bbox)).toBe(green);
  });

  it('of a truncated video, is from its remaining part', { timeout: decodingMs }, async () => {
    const noisy = `${scene},noise=alls=20:allf=t`;
    await makeClip(fileOf('cut.mp4'), noisy, ['-movflags', '+faststart', '-g', '25']);
    const { size } = await stat(fileOf('cut.mp4'));
    await truncate(fileOf('cut.mp4'), Math.round(size * 0.7));
    expect((await look(await post('cut.mp4', { frames: [lowerRight] })))[2]).toBe(red);
    expect((await look(await post('cut.mp4', { frames: [at(3.9, ...upperLeft.bbox)] })))[2]).toBe(green);
  });

  it.each([
    ['empty.mp4', ''],
    ['text.mp4', 'not a video'],
    ['list.mp4', '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nscene.mp4\n#EXT-X-ENDLIST\n'],
    ['concat.mp4', 'ffconcat version 1.0\nfile scene.mp4\n'],
  ])('of %s, is refused', async (name, content) => {
    await writeFile(fileOf(name), content);
    expect(await refusal(await post(name, { frames: [lowerRight] }))).toEqual([
      409,
      'media_missing',
      'There is no picture: the file of its recording cannot be decoded.',
    ]);
  });

  it('of a video without an index, is refused', async () => {
    await copyFile(fileOf('scene.mp4'), fileOf('no-index.mp4'));
    await truncate(fileOf('no-index.mp4'), 2_000);
    expect((await refusal(await post('no-index.mp4', { frames: [lowerRight] }))).slice(0, 2)).toEqual([
      409,
      'media_missing',
    ]);
  });

  it('of a link out of the recordings folder, is refused', async () => {
    const outside = join(reports.dataDir, 'outside.mp4');
    await copyFile(fileOf('scene.mp4'), outside);
    await symlink(outside, fileOf('link.mp4'));
    expect((await refusal(await post('link.mp4', {}))).slice(0, 2)).toEqual([409, 'media_missing']);
  });

  it.each(['pending', 'missing', 'purged'])('of a %s recording, is 409 with the reason', async (media) => {
    const { id, videoId } = await postBoth(`${media}.mp4`, {});
    await reports.database.pool.query('UPDATE video SET media = $1 WHERE id = $2', [media, videoId]);
    const [status, code, error] = await refusal(id);
    expect([status, code]).toEqual([409, 'media_missing']);
    expect(error).toMatch(
      { pending: /not arrived/, missing: /missing/, purged: /free space/ }[media] ?? /never/,
    );
  });

  it.each(['wav', 'mp3', 'flac', 'ogg', 'opus', 'm4a', 'aac'])(
    'of a sound in a file of %s, is its part of the spectrogram, cached',
    async (extension) => {
      const name = `song.${extension}`;
      await run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'sine=f=3000:d=4', fileOf(name)]);
      const heard = { source: 'audio' as const, startOffset: 1, endOffset: 2 };
      const { id, videoId } = await postBoth(name, heard);
      const response = await get(id);
      expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/jpeg']);
      expect(await sharp(response.rawPayload).metadata()).toMatchObject({ width: 640, height: 360 });
      expect([...(await listStoredCrops(reports.dataDir, videoId))]).toEqual([
        expect.stringMatching(new RegExp(`^${id}-sound-.+\\.jpg$`)),
      ]);
      const again = await get(id, '', { 'if-none-match': String(response.headers.etag) });
      expect(again.statusCode).toBe(304);
    },
  );

  it('of a sound in a video without audio, is refused', async () => {
    const response = await get(await post('scene.mp4', { source: 'audio' }));
    expect([response.statusCode, response.json()]).toMatchObject([409, { reason: 'damaged' }]);
  });

  it('when the settings protect recordings, refuses sounds to viewers', async () => {
    await run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'sine=d=4', fileOf('guarded.wav')]);
    const id = await post('guarded.wav', { source: 'audio' });
    await reports.setSettings({ general: { require_auth_for_video_stream: true } });
    expect((await get(id, '', { 'x-hub-caller': 'viewer' })).statusCode).toBe(403);
    await reports.setSettings({});
  });

  it.each([
    ['999999999', 404, 'detection_not_found'],
    ['x', 400, 'invalid_request'],
    ['0', 400, 'invalid_request'],
  ])('of the detection %s, is %i %s', async (id, status, code) => {
    expect((await refusal(id)).slice(0, 2)).toEqual([status, code]);
  });

  it('as a file, is named by species and local time', async () => {
    await reports.setSettings({ general: { timezone: 'Asia/Tokyo' } });
    const { id, recording } = await postBoth('scene.mp4', { speciesName: 'Sýkora a/b' });
    const { headers } = await get(id);
    await reports.setSettings({});
    const stamp = new Date(recording.start + 9 * 3_600_000).toISOString().slice(11, 19).replaceAll(':', '');
    const day = new Date(recording.start + 9 * 3_600_000).toISOString().slice(0, 10);
    expect(headers['content-disposition']).toBe(
      `attachment; filename="S_kora_a_b_${day}_${stamp}.jpg"; filename*=UTF-8''S%C3%BDkora_a_b_${day}_${stamp}.jpg`,
    );
  });

  describe('with the picture queue', () => {
    afterEach(() => {
      makePictures = nobody;
    });

    it('a picture made in time, is sent and not made again', async () => {
      const { id, videoId } = await postBoth('scene.mp4', { frames: [lowerRight] });
      await get(id);
      const file = (await findStoredCrop(reports.dataDir, videoId, id)) ?? '';
      await rm(file);
      makePictures = async () => {
        await writeFile(file, 'made there');
        return 'made';
      };
      expect((await get(id)).body).toBe('made there');
    });

    it('a picture that takes longer, is 503 with Retry-After and runs no program here', async () => {
      const { id, videoId } = await postBoth('scene.mp4', { frames: [lowerRight] });
      makePictures = async () => 'late';
      const response = await get(id);
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5']);
      expect(response.json()).toMatchObject({ code: 'media_pending', video_id: videoId });
      expect(await findStoredCrop(reports.dataDir, videoId, id)).toBeUndefined();
    });

    it('a picture that fails there, is tried here and the reason returned', async () => {
      await writeFile(fileOf('nothing.mp4'), 'nothing to play');
      const id = await post('nothing.mp4', { frames: [lowerRight] });
      makePictures = async () => 'unmade';
      const response = await get(id);
      expect([response.statusCode, response.json().reason]).toEqual([409, 'damaged']);
    });

    it('the whole frame of a detection with a box, is made here', async () => {
      const id = await post('scene.mp4', { frames: [lowerRight] });
      makePictures = async () => 'late';
      expect((await get(id, '?full=1')).statusCode).toBe(200);
    });
  });

  describe('when cached', () => {
    it('requested again, is the cached file', async () => {
      const { id, videoId } = await postBoth('scene.mp4', { frames: [lowerRight] });
      expect(await findStoredCrop(reports.dataDir, videoId, id)).toBeUndefined();
      const first = await get(id);
      const file = (await findStoredCrop(reports.dataDir, videoId, id)) ?? '';
      await writeFile(file, 'kept');
      const again = await get(id);
      expect([again.body, again.headers['etag']]).toEqual(['kept', first.headers['etag']]);
      expect(await readdir(dirname(file))).toHaveLength(1);
    });

    it('with a matching If-None-Match, is 304', async () => {
      const id = await post('scene.mp4', { frames: [lowerRight] });
      const etag = String((await get(id)).headers['etag']);
      const again = await get(id, '', { 'if-none-match': etag });
      expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', etag]);
      expect((await get(id, '?full=1', { 'if-none-match': etag })).statusCode).toBe(200);
    });

    it('after the video was replaced, is created again and the old file deleted', async () => {
      await copyFile(fileOf('scene.mp4'), fileOf('replaced.mp4'));
      const { id, videoId } = await postBoth('replaced.mp4', { frames: [lowerRight] });
      expect((await look(id))[2]).toBe(red);
      await makeClip(fileOf('replaced.mp4'), 'color=blue:s=640x480:r=10:d=4');
      expect((await look(id))[2]).toBe('0,0,4');
      const file = (await findStoredCrop(reports.dataDir, videoId, id)) ?? '';
      expect(await readdir(dirname(file))).toHaveLength(1);
    });

    it('after the box was posted again, is created again', async () => {
      const { id, recording } = await postBoth('scene.mp4', { trackId: '7', frames: [lowerRight] });
      expect((await look(id))[2]).toBe(red);
      const detections = [aDetection({ endOffset: 4, trackId: '7', frames: [upperLeft] })];
      await reports.writer.post({ ...recording, detections }, 'test');
      const { rows } = await reports.database.pool.query('SELECT id FROM detection WHERE track_id = $1', [
        '7',
      ]);
      expect((await look(rows[0].id))[2]).toBe(green);
    });

    it('requested eight times at once, is created once', async () => {
      const { id, videoId } = await postBoth('scene.mp4', { frames: [upperLeft] });
      const responses = await Promise.all(Array.from({ length: 8 }, () => get(id)));
      expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
      const file = (await findStoredCrop(reports.dataDir, videoId, id)) ?? '';
      expect(await readdir(dirname(file))).toHaveLength(1);
    });
  });
});
