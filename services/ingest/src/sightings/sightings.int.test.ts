import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { writeCallerToken } from '@birdhub/shared/app';
import { createOutgoingGuard, createServiceGuard } from '@birdhub/shared/outgoing';
import { readExpectedState, readStoredState } from '@birdhub/testing';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Body, createTestIngest, type TestIngest, testNow } from '../testing/create-test-ingest.js';

const minute = 60_000;
const iso = (instant: number) => new Date(instant).toISOString();

/** A picture of 40 by 20 pixels, red on the left and blue on the right. */
async function aPicture(
  exif?: object,
  format: 'jpeg' | 'png' | 'webp' = 'jpeg',
  orientation?: number,
): Promise<Buffer> {
  const half = (background: string) =>
    sharp({ create: { width: 20, height: 20, channels: 3, background } })
      .png()
      .toBuffer();
  const image = sharp({ create: { width: 40, height: 20, channels: 3, background: '#ff0000' } });
  image.composite([{ input: await half('#0000ff'), left: 20, top: 0 }]);
  if (exif) image.withExif(exif);
  if (orientation) image.withMetadata({ orientation });
  return image.toFormat(format).toBuffer();
}

const base64Of = async (...given: Parameters<typeof aPicture>) =>
  (await aPicture(...given)).toString('base64');

const base64OfColour = async (background: string) =>
  (
    await sharp({ create: { width: 40, height: 20, channels: 3, background } })
      .jpeg()
      .toBuffer()
  ).toString('base64');

describe('POST /sightings', () => {
  let ingest: TestIngest;
  let count = 0;
  let server: Server;
  let serve: RequestListener = (_request, response) => response.end();
  let baseUrl: string;

  beforeAll(async () => {
    ingest = await createTestIngest({ pictures: { downloadTimeoutMs: 500 } });
    server = createServer((request, response) => serve(request, response)).listen(0);
    await vi.waitUntil(() => server.listening);
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await ingest.close();
  });

  /** A sighting half an hour ago, far from those of other tests. */
  const aSighting = (given: Body = {}): Body => ({
    species_name: 'Great Tit',
    time: iso(testNow - (++count + 30) * 30 * minute),
    camera_id: 'garden',
    ...given,
  });
  const post = (body: unknown, headers?: object) => ingest.post('/sightings', body, headers);
  const add = (body: unknown, headers: object = {}) =>
    ingest.send('POST', '/api/ui/sightings', body, { 'x-hub-caller': 'contributor', ...headers });
  const video = async (id: number) =>
    (
      await ingest.rows<Body & { video_path: string; start_time: Date; end_time: Date }>(
        'SELECT * FROM video WHERE id = $1',
        [id],
      )
    )[0];
  const detections = (id: number) =>
    ingest.rows<Body>('SELECT * FROM detection WHERE video_id = $1 ORDER BY id', [id]);
  const fileOf = async (id: number) =>
    join(ingest.recordingsDir, String((await video(id))?.video_path).replace('data/recordings/', ''));
  const draftsIn = (folder: string) =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.part'))
      : [];
  const refusal = async (body: unknown) => {
    const before = await ingest.countRows();
    const answer = await post(body);
    expect(await ingest.countRows()).toEqual(before);
    expect(draftsIn(ingest.recordingsDir)).toEqual([]);
    return [answer.status, ...(answer.body.details ?? []).map((detail: { path: string }) => detail.path)];
  };

  describe('without a medium', () => {
    it('with a species only, starts now, lasts a second, and awaits no file', async () => {
      const { status, body } = await post({ species_name: 'Wren' });
      expect([status, body]).toMatchObject([
        201,
        { message: 'success', created: true, detections: 1, dropped: 0, visits: [expect.any(Number)] },
      ]);
      const stored = await video(body.video_id);
      expect(stored).toMatchObject({ media: 'none', camera_id: '', note: null, extra: null });
      expect(stored?.start_time.getTime()).toBe(testNow);
      expect(stored?.end_time.getTime()).toBe(testNow + 1_000);
      expect(await detections(body.video_id)).toMatchObject([
        { source: 'video', confidence: 1, reviewed: false, detection_provider: null },
      ]);
      expect(existsSync(await fileOf(body.video_id))).toBe(false);
    });

    it('of several birds, is a visit of as many at once', async () => {
      const { body } = await post(aSighting({ count: 7 }));
      expect(body.detections).toBe(7);
      const visits = await ingest.rows(
        'SELECT max_simultaneous FROM species_visit WHERE id = $1',
        body.visits,
      );
      expect(visits).toEqual([{ max_simultaneous: 7 }]);
    });

    it('near a recording in time, joins its visit', async () => {
      const start = testNow - 5 * 60 * minute;
      const recording = await ingest.post('/videos', {
        processor_version: '1',
        start_time: iso(start),
        end_time: iso(start + 10_000),
        video_path: 'near/video.mp4',
        camera_id: 'garden',
        species: [{ species_name: 'Blue Tit', confidence: 0.9, start_time: 0, end_time: 10 }],
      });
      const { body } = await post(aSighting({ species_name: 'blue tit', time: iso(start + 30_000) }));
      expect(body.visits).toEqual(recording.body.visits);
    });

    it('with all fields, is stored as given', async () => {
      const time = testNow - 90 * minute;
      const { body } = await post(
        aSighting({
          time: iso(time).replace('Z', '+00:00'),
          end_time: iso(time + 60_000),
          confidence: 0.5,
          count: 2,
          source: 'audio',
          note: ' two on the roof\nsinging ',
        }),
      );
      expect(await video(body.video_id)).toMatchObject({
        camera_id: 'garden',
        note: 'two on the roof\nsinging',
      });
      const own = { confidence: 0.5, source: 'audio', start_offset: 0, end_offset: 60 };
      expect(await detections(body.video_id)).toMatchObject([own, own]);
    });

    it('with null for optional fields, is stored', async () => {
      const nothing = { end_time: null, confidence: null, count: null, source: null, image_base64: null };
      const more = { image_url: null, note: null, id: null, camera_id: null };
      expect((await post(aSighting({ ...nothing, ...more }))).status).toBe(201);
    });

    it('below the minimum confidence, is 200 and not stored', async () => {
      await ingest.setSettings({ detection: { min_confidence_to_store: 0.6 } });
      const before = await ingest.countRows();
      const { status, body } = await post(aSighting({ confidence: 0.5, count: 3 }));
      await ingest.setSettings({});
      expect([status, body]).toEqual([
        200,
        {
          message: 'below the minimum confidence, or noise',
          video_id: null,
          created: false,
          detections: 0,
          dropped: 3,
          visits: [],
        },
      ]);
      expect(await ingest.countRows()).toEqual(before);
    });

    it('on a full disk, is 503', async () => {
      await ingest.rows('UPDATE storage_state SET exhausted = true');
      ingest.disk.freeBytes = 0;
      await vi.waitUntil(async () => (await post(aSighting())).body.code === 'storage_full');
      ingest.disk.freeBytes = 1e15;
      await ingest.rows('UPDATE storage_state SET exhausted = false');
      await vi.waitUntil(async () => (await post(aSighting())).status === 201);
    });
  });

  describe('again', () => {
    it('with the same id, is 200, the same sighting and no change', async () => {
      const body = aSighting({ id: '../../etc/passwd\u00fc' });
      const first = await post(body);
      const before = await ingest.countRows();
      const again = await post(body);
      expect([first.status, again.status]).toEqual([201, 200]);
      expect(again.body).toEqual({ ...first.body, created: false });
      expect(await ingest.countRows()).toEqual(before);
      expect((await video(first.body.video_id))?.video_path).toMatch(
        /^data\/recordings\/sightings\/[0-9a-f]{2}\/[0-9a-f]{32}\.jpg$/,
      );
    });

    it('with the same id at once, is stored once', async () => {
      const body = aSighting({ id: 'at-once', image_base64: await base64Of() });
      const responses = await Promise.all(Array.from({ length: 5 }, () => post(body)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
      expect(new Set(responses.map((response) => response.body.video_id)).size).toBe(1);
      expect(draftsIn(ingest.recordingsDir)).toEqual([]);
    });

    it('with the same id and other content, replaces it', async () => {
      const body = aSighting({ id: 'other-content', count: 3 });
      const first = await post(body);
      const again = await post({ ...body, species_name: 'Robin', count: 1, note: 'after all' });
      expect([again.status, again.body.video_id]).toEqual([200, first.body.video_id]);
      expect(await video(first.body.video_id)).toMatchObject({ note: 'after all' });
      expect(await detections(first.body.video_id)).toMatchObject([{ posted_name: 'Robin' }]);
    });

    it('with an id and no time, keeps the time at which it was stored', async () => {
      const body = aSighting({ id: 'no-time' });
      const first = await post(body);
      const start = (await video(first.body.video_id))?.start_time;
      const { time: _, ...rest } = body;
      expect((await post({ ...rest, note: 'later' })).body.video_id).toBe(first.body.video_id);
      expect((await video(first.body.video_id))?.start_time).toEqual(start);
    });

    it('with the same id from another camera, is another sighting', async () => {
      const body = aSighting({ id: 'cameras' });
      const first = await post(body);
      const other = await post({ ...body, camera_id: 'balcony' });
      expect([other.status, other.body.video_id === first.body.video_id]).toEqual([201, false]);
    });

    it('with the same id from two cameras, keeps the picture of each', async () => {
      const [red, blue] = [await base64OfColour('#ff0000'), await base64OfColour('#0000ff')];
      const first = await post(aSighting({ id: '42', image_base64: red }));
      const other = await post(aSighting({ id: '42', image_base64: blue, camera_id: 'balcony' }));
      const colours = async (id: number) =>
        (await sharp(readFileSync(await fileOf(id))).stats()).channels.map(({ mean }) =>
          Math.round(mean / 255),
        );
      expect(await colours(first.body.video_id)).toEqual([1, 0, 0]);
      expect(await colours(other.body.video_id)).toEqual([0, 0, 1]);
    });

    it('stored before its path contained the camera, is recognised', async () => {
      const body = aSighting({ id: 'earlier', image_base64: await base64Of() });
      const first = await post(body);
      const name = createHash('sha256')
        .update(
          JSON.stringify([
            createHash('sha256')
              .update(JSON.stringify(['id', 'earlier']))
              .digest('hex'),
          ]),
        )
        .digest('hex')
        .slice(0, 32);
      const path = `data/recordings/sightings/${name.slice(0, 2)}/${name}.jpg`;
      await ingest.database.pool.query('UPDATE video SET video_path = $1 WHERE id = $2', [
        path,
        first.body.video_id,
      ]);
      expect((await post(body)).body).toEqual({ ...first.body, created: false });
    });

    it('without an id, is the same sighting if time and content are', async () => {
      const body = aSighting();
      const first = await post(body);
      expect((await post(body)).body).toEqual({ ...first.body, created: false });
      expect((await post({ ...body, count: 2 })).status).toBe(201);
    });

    it('without an id and a time, is a new one each time', async () => {
      const body = { species_name: 'Jay' };
      const [first, second] = [await post(body), await post(body)];
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(first.body.visits).toEqual(second.body.visits);
    });

    it('after its deletion, stores nothing', async () => {
      const body = aSighting({ id: 'deleted', image_base64: await base64Of() });
      const { body: first } = await post(body);
      await ingest.writer.remove(first.video_id, { role: 'admin', requestId: 'r' });
      const again = await post(body);
      expect([again.status, again.body]).toMatchObject([200, { deleted: true, detections: 0 }]);
    });
  });

  describe('with a picture', () => {
    it.each(['jpeg', 'png', 'webp'] as const)('of %s, is stored as a JPEG, its medium', async (format) => {
      const response = await post(aSighting({ image_base64: await base64Of(undefined, format) }));
      expect(response.status).toBe(201);
      expect(await video(response.body.video_id)).toMatchObject({ media: 'pending' });
      const stored = await sharp(readFileSync(await fileOf(response.body.video_id))).metadata();
      expect([stored.format, stored.width, stored.height]).toEqual(['jpeg', 40, 20]);
    });

    it('as a data URL with line breaks, is stored', async () => {
      const text = (await base64Of()).replace(/(.{76})/g, '$1\r\n');
      const response = await post(aSighting({ image_base64: `data:image/jpeg;base64,${text}` }));
      expect(response.status).toBe(201);
    });

    it('from a phone, is turned upright, dated by EXIF, and stripped of position and serial numbers', async () => {
      const exif = {
        IFD0: { Make: 'Secret', Model: 'Phone' },
        IFD2: {
          DateTimeOriginal: '2026:04:30 10:00:00',
          OffsetTimeOriginal: '+02:00',
          BodySerialNumber: '4711',
        },
        IFD3: { GPSLatitude: '52/1 30/1 0/1', GPSLatitudeRef: 'N' },
      };
      const picture = await aPicture(exif, 'jpeg', 6);
      const posted = await sharp(picture).metadata();
      expect([posted.orientation, posted.exif?.includes('4711')]).toEqual([6, true]);
      const body = { species_name: 'Nuthatch', image_base64: picture.toString('base64') };
      const { body: response } = await post(body);
      expect((await video(response.video_id))?.start_time).toEqual(new Date('2026-04-30T08:00:00Z'));
      const bytes = readFileSync(await fileOf(response.video_id));
      const stored = await sharp(bytes).metadata();
      expect([stored.width, stored.height, stored.exif, stored.orientation]).toEqual([
        20,
        40,
        undefined,
        undefined,
      ]);
      expect(['Secret', '4711', 'Exif', 'GPS'].filter((text) => bytes.includes(text))).toEqual([]);
      // The red left side is now at the top.
      const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      expect([Number(data[0]) > 200, Number(data.at(-1)) > 200]).toEqual([true, true]);
      expect((await post(body)).body).toEqual({ ...response, created: false });
    });

    it('without an EXIF offset, is dated in the time zone of the hub', async () => {
      await ingest.setSettings({ general: { timezone: 'Europe/Berlin' } });
      const image = await base64Of({ IFD2: { DateTimeOriginal: '2026:04:29 10:00:00' } });
      const { body } = await post({ species_name: 'Dunnock', image_base64: image });
      await ingest.setSettings({});
      expect((await video(body.video_id))?.start_time).toEqual(new Date('2026-04-29T08:00:00Z'));
    });

    it.each(['1980:01:01 00:00:00', '2031:01:01 00:00:00', '0000:00:00 00:00:00', 'yesterday'])(
      'whose camera time is %s, is dated now',
      async (time) => {
        const image = await base64Of({ IFD2: { DateTimeOriginal: time } });
        const { body } = await post({ species_name: 'Dunnock', image_base64: image });
        expect((await video(body.video_id))?.start_time).toEqual(new Date(testNow));
      },
    );

    it('that comes later, is added to the sighting, and kept when the next post has none', async () => {
      const body = aSighting({ id: 'later-picture' });
      const { body: first } = await post(body);
      await post({ ...body, image_base64: await base64Of() });
      expect(await video(first.video_id)).toMatchObject({ media: 'pending' });
      const bytes = readFileSync(await fileOf(first.video_id));
      await post({ ...body, note: 'no picture' });
      expect(await video(first.video_id)).toMatchObject({ media: 'pending', note: 'no picture' });
      expect(readFileSync(await fileOf(first.video_id))).toEqual(bytes);
      await post({ ...body, image_base64: await base64Of(undefined, 'jpeg', 3) });
      expect(readFileSync(await fileOf(first.video_id))).not.toEqual(bytes);
    });

    it('after the deletion of the sighting, is deleted too', async () => {
      const { body } = await post(aSighting({ image_base64: await base64Of() }));
      const removals = async () =>
        (await ingest.rows<{ path: string }>('SELECT path FROM file_removal WHERE path IS NOT NULL')).map(
          ({ path }) => join(ingest.recordingsDir, path),
        );
      const file = await fileOf(body.video_id);
      await ingest.writer.remove(body.video_id, { role: 'admin', requestId: 'r' });
      expect(await removals()).toContain(file);
    });

    it('without a committed sighting, is deleted after an hour, and no other is', async () => {
      const { body } = await post(aSighting({ image_base64: await base64Of() }));
      const kept = await fileOf(body.video_id);
      const folder = join(ingest.recordingsDir, 'sightings', 'ab');
      await mkdir(folder, { recursive: true });
      const names = [`ab${'0'.repeat(30)}.jpg`, `ab${'1'.repeat(30)}.jpg`, 'mine.jpg'];
      for (const name of names) writeFileSync(join(folder, name), 'x');
      for (const file of [kept, join(folder, names[0] ?? ''), join(folder, 'mine.jpg')])
        utimesSync(file, 1, 1);
      ingest.pictures.start();
      await vi.waitUntil(() => !existsSync(join(folder, names[0] ?? '')));
      await ingest.pictures.stop();
      expect([existsSync(kept), ...names.slice(1).map((name) => existsSync(join(folder, name)))]).toEqual([
        true,
        true,
        true,
      ]);
    });

    it('on a full disk, is 507 and stores nothing', async () => {
      const before = await ingest.countRows();
      ingest.disk.freeBytes = 10;
      const response = await post(aSighting({ image_base64: await base64Of() }));
      ingest.disk.freeBytes = 1e15;
      expect([response.status, response.body.code]).toEqual([507, 'insufficient_storage']);
      expect(await ingest.countRows()).toEqual(before);
      expect(draftsIn(ingest.recordingsDir)).toEqual([]);
    });

    it.each([
      ['no base64', '%%%'],
      ['a page', Buffer.from('<html></html>').toString('base64')],
      ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')],
      ['a GIF', 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'],
      ['a head alone', Buffer.from('\xff\xd8\xff\xe0', 'latin1').toString('base64')],
      ['empty', ''],
    ])('that is %s, is 400 and names the field', async (_, image) => {
      expect(await refusal(aSighting({ image_base64: image }))).toEqual([400, '/image_base64']);
    });

    it('that is truncated, is 400 and names the field', async () => {
      const whole = await aPicture();
      const image = whole.subarray(0, whole.length - 40).toString('base64');
      expect(await refusal(aSighting({ image_base64: image }))).toEqual([400, '/image_base64']);
    });

    it('of 30000 by 30000 pixels, is 400 and names the field', async () => {
      const { width, height } = { width: 30_000, height: 30_000 };
      const bomb = await aPicture(undefined, 'png');
      bomb.writeUInt32BE(width, 16);
      bomb.writeUInt32BE(height, 20);
      expect(await refusal(aSighting({ image_base64: bomb.toString('base64') }))).toEqual([
        400,
        '/image_base64',
      ]);
    });

    it('of more than 10 MB, is 400 and names the field', async () => {
      const large = Buffer.concat([await aPicture(), Buffer.alloc(10 * 1024 * 1024)]);
      expect(await refusal(aSighting({ image_base64: large.toString('base64') }))).toEqual([
        400,
        '/image_base64',
      ]);
    });
  });

  describe('with the URL of a picture', () => {
    it('fetches it, and not again for the same sighting', async () => {
      const picture = await aPicture();
      let requests = 0;
      serve = (_request, response) => {
        requests += 1;
        response.setHeader('content-type', 'image/jpeg').end(picture);
      };
      const body = aSighting({ id: 'fetched', image_url: `${baseUrl}/camera.jpg?token=secret` });
      expect((await post(body)).status).toBe(201);
      expect((await post(body)).status).toBe(200);
      expect(requests).toBe(1);
      expect(JSON.stringify(await ingest.rows(`SELECT * FROM video`))).not.toContain('secret');
    });

    it('follows a redirect to the same host', async () => {
      const picture = await aPicture();
      serve = ({ url }, response) => {
        if (url === '/moved') response.end(picture);
        else response.writeHead(302, { location: '/moved' }).end();
      };
      expect((await post(aSighting({ image_url: `${baseUrl}/a` }))).status).toBe(201);
    });

    const responses: [string, RequestListener][] = [
      [
        'redirects to another host',
        (_, res) => res.writeHead(302, { location: 'http://localhost:1/' }).end(),
      ],
      ['redirects without end', (_, res) => res.writeHead(302, { location: '/again' }).end()],
      ['redirects to a file', (_, res) => res.writeHead(302, { location: 'file:///etc/passwd' }).end()],
      ['is a page', (_, res) => res.end('<html></html>')],
      ['is an error', (_, res) => res.writeHead(500).end()],
      ['sends nothing', () => undefined],
      [
        'switches to another protocol',
        (_, res) =>
          res.socket?.write(
            'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
          ),
      ],
      ['sends without end', (_, res) => void setInterval(() => res.write('x'), 50).unref()],
      ['is announced as too large', (_, res) => res.writeHead(200, { 'content-length': 11_000_000 }).end()],
      [
        'breaks off',
        (_, res) => res.writeHead(200, { 'content-length': 100 }).write('x', () => res.destroy()),
      ],
      ['is too large', (_, res) => res.end(Buffer.alloc(11_000_000))],
    ];
    let hosts = 1;
    /** The same server under an address of its own, as slow hosts are remembered. */
    const nextHost = () => baseUrl.replace('127.0.0.1', `127.0.0.${++hosts}`);

    it.each(responses)('that %s, is 400 and names the field', async (_, listener) => {
      serve = listener;
      expect(await refusal(aSighting({ image_url: `${nextHost()}/x` }))).toEqual([400, '/image_url']);
    });

    it('of a host that was too slow, is 400 at once for a minute', async () => {
      let now = testNow;
      const slow = await createTestIngest({
        pictures: { downloadTimeoutMs: 500, clock: { now: () => now } },
      });
      let requests = 0;
      serve = () => {
        requests += 1;
      };
      const [slowHost, otherHost] = [nextHost(), nextHost()];
      const statusFor = async (host: string) =>
        (await slow.post('/sightings', aSighting({ image_url: `${host}/x` }))).status;
      expect([await statusFor(slowHost), requests]).toEqual([400, 1]);
      now += minute - 1;
      expect([await statusFor(slowHost), requests]).toEqual([400, 1]);
      expect([await statusFor(otherHost), requests]).toEqual([400, 2]);
      now += 1;
      expect([await statusFor(slowHost), requests]).toEqual([400, 3]);
      await slow.close();
    });

    it('of one host, are fetched two at a time, and those of others meanwhile', async () => {
      const waiting: ServerResponse[] = [];
      serve = (_request, response) => void waiting.push(response);
      const [first, second] = [nextHost(), nextHost()];
      const posts = [first, first, first, second].map((host) => post(aSighting({ image_url: `${host}/x` })));
      await vi.waitUntil(() => waiting.length === 3);
      expect(waiting.map(({ req }) => `http://${req.headers.host}`).sort()).toEqual([first, first, second]);
      serve = (_request, response) => response.end();
      for (const response of waiting) response.end();
      await Promise.all(posts);
    });

    it.each(['ftp://example.org/a.jpg', 'file:///etc/passwd', '/a.jpg', 'a', 'data:image/png;base64,AA'])(
      'that is %s, is 400 and names the field',
      async (url) => {
        expect(await refusal(aSighting({ image_url: url }))).toEqual([400, '/image_url']);
      },
    );

    it('and a picture, is 400 and names the field', async () => {
      const both = { image_base64: await base64Of(), image_url: `${baseUrl}/x` };
      expect(await refusal(aSighting(both))).toEqual([400, '/image_url']);
    });

    it('on the host of the hub, is 400 and never requested', async () => {
      const guard = createServiceGuard({ ownAddresses: [], guard: createOutgoingGuard('network') });
      const guarded = await createTestIngest({ pictures: { guard } });
      let requests = 0;
      serve = (_request, response) => {
        requests += 1;
        response.end();
      };
      const { port } = new URL(baseUrl);
      for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433']) {
        const answer = await guarded.post('/sightings', aSighting({ image_url: `http://${host}:${port}/x` }));
        expect([host, answer.status, answer.body.details?.[0]?.path]).toEqual([host, 400, '/image_url']);
      }
      expect(requests).toBe(0);
      await guarded.close();
    });
  });

  describe('with the URL of something else than a picture', () => {
    it('of a service of the hub, is never requested, and all failures have the same message', async () => {
      const own = createServer(() => expect.fail('requested')).listen(0, '127.0.0.1');
      const closed = createServer().listen(0, '127.0.0.1');
      await Promise.all([once(own, 'listening'), once(closed, 'listening')]);
      const portOf = (server: Server) => (server.address() as AddressInfo).port;
      const [ownPort, closedPort] = [portOf(own), portOf(closed)];
      await new Promise((resolve) => closed.close(resolve));
      const guarded = await createTestIngest({
        pictures: {
          guard: createServiceGuard({
            ownAddresses: [{ host: undefined, port: ownPort }],
            guard: createOutgoingGuard('all'),
          }),
        },
      });
      serve = (_request, response) => response.writeHead(404).end();
      const messages = new Set<string>();
      for (const port of [ownPort, closedPort, Number(new URL(baseUrl).port)]) {
        const { status, body } = await guarded.post(
          '/sightings',
          aSighting({ image_url: `http://127.0.0.1:${port}/varz` }),
        );
        expect(status).toBe(400);
        messages.add(body.details[0].message);
      }
      expect([...messages]).toEqual(['cannot be fetched']);
      await guarded.close();
      own.close();
    });
  });

  describe('by a person', () => {
    it('is reviewed, has the provider human, is stored at any confidence and logged in the activity log', async () => {
      await ingest.setSettings({ detection: { min_confidence_to_store: 0.6 } });
      const token = writeCallerToken({ name: 'phone', cameras: undefined });
      const { status, body } = await add(aSighting({ confidence: 0.3, count: 2 }), { 'x-hub-token': token });
      await ingest.setSettings({});
      expect(status).toBe(201);
      const own = {
        reviewed: true,
        reviewed_at: new Date(testNow),
        detection_provider: 'human',
        confidence: 0.3,
      };
      expect(await detections(body.video_id)).toMatchObject([own, own]);
      expect(await ingest.rows(`SELECT data FROM activity_log WHERE type = 'sighting_added'`)).toEqual([
        {
          data: {
            by: 'contributor',
            token: 'phone',
            video_id: body.video_id,
            species_name: 'Great Tit',
            count: 2,
          },
        },
      ]);
    });

    it('repeated with another species and count, has the new values', async () => {
      const body = aSighting({ id: 'person', count: 3 });
      const { body: first } = await add(body);
      expect((await add(body)).body).toEqual({ ...first, created: false });
      await add({ ...body, species_name: 'Robin', count: 1 });
      expect(await detections(first.video_id)).toMatchObject([{ posted_name: 'Robin', reviewed: true }]);
    });

    it('repeated after a correction, keeps the correction', async () => {
      const body = aSighting({ id: 'corrected' });
      const { body: first } = await add(body);
      const [detection] = await detections(first.video_id);
      const [robin] = await ingest.rows<{ id: number }>(`SELECT id FROM species WHERE name = 'Robin'`);
      const author = { role: 'admin', requestId: 'r' };
      const correction = {
        detectionId: Number(detection?.['id']),
        speciesId: robin?.id ?? 0,
        scope: 'visit' as const,
      };
      await ingest.writer.correct(correction, author);
      await add(body);
      expect(await detections(first.video_id)).toMatchObject([{ species_id: robin?.id }]);
    });
  });

  it.each([
    ['/species_name', { species_name: undefined }],
    ['/species_name', { species_name: ' ' }],
    ['/species_name', { species_name: 'a\0b' }],
    ['/time', { time: 'yesterday' }],
    ['/time', { time: '1999-12-31T00:00:00Z' }],
    ['/time', { time: iso(testNow + 25 * 60 * minute) }],
    ['/end_time', { time: iso(testNow - minute), end_time: iso(testNow - 2 * minute) }],
    ['/end_time', { time: iso(testNow - 26 * 60 * minute), end_time: iso(testNow) }],
    ['/end_time', { time: undefined, end_time: iso(testNow - minute) }],
    ['/confidence', { confidence: 1.1 }],
    ['/count', { count: 0 }],
    ['/count', { count: 501 }],
    ['/count', { count: 1.5 }],
    ['/source', { source: 'human' }],
    ['/note', { note: 'x'.repeat(1_001) }],
    ['/note', { note: 'a\0' }],
    ['/id', { id: '' }],
    ['/id', { id: 'x'.repeat(129) }],
    ['/id', { id: 'a\nb' }],
    ['/camera_id', { camera_id: 'a\nb' }],
    ['/camera_id', { camera_id: 7 }],
  ])('with a wrong %s, is 400, names it and stores nothing', async (path, given) => {
    expect(await refusal(aSighting(given))).toEqual([400, path]);
  });

  it('for a camera that the token does not allow, or without a camera, is 403', async () => {
    const token = { 'x-hub-token': writeCallerToken({ name: 'door', cameras: ['door'] }) };
    for (const camera of ['garden', undefined])
      expect((await post(aSighting({ camera_id: camera }), token)).body.code).toBe('camera_not_allowed');
    expect((await post(aSighting({ camera_id: 'door' }), token)).status).toBe(201);
  });

  it('with any body, is stored with correct visits, or 400 naming a field', async () => {
    const image = await base64Of();
    const leaf = fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.boolean(), fc.constant(null));
    const time = fc
      .integer({ min: testNow - 3 * 86_400_000, max: testNow + 2 * 86_400_000 })
      .map((instant) => iso(instant));
    const or = <T>(good: fc.Arbitrary<T>) =>
      fc.oneof({ weight: 8, arbitrary: good }, { weight: 1, arbitrary: leaf });
    const body = fc.record(
      {
        species_name: or(fc.constantFrom('Great Tit', 'Robin', 'Wren')),
        time: or(time),
        end_time: or(time),
        confidence: or(fc.double({ min: 0, max: 1, noNaN: true })),
        camera_id: or(fc.constantFrom('garden', 'balcony')),
        count: or(fc.integer({ min: 1, max: 5 })),
        source: or(fc.constantFrom('video', 'audio')),
        image_base64: or(fc.constantFrom(image, 'AAAA')),
        note: or(fc.string({ maxLength: 50 })),
        id: or(fc.constantFrom('1', '2', '3', '../x')),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(body, async (given) => {
        const before = await ingest.countRows();
        const response = await post(given);
        if (response.status >= 400) {
          expect(response.status).toBe(400);
          expect(response.body.details[0].path).toMatch(/^\/\w+/);
          expect(await ingest.countRows()).toEqual(before);
          return;
        }
        expect([200, 201]).toContain(response.status);
        expect(await detections(response.body.video_id)).toHaveLength(response.body.detections);
      }),
      { numRuns: 60 },
    );
    expect(await readStoredState(ingest.database.pool)).toEqual(
      await readExpectedState(ingest.database.pool),
    );
    expect(draftsIn(ingest.recordingsDir)).toEqual([]);
  });
});
