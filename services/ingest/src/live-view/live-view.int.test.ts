import { createHash } from 'node:crypto';
import { createServiceGuard } from '@birdhub/shared/outgoing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestIngest, type TestIngest } from '../testing/create-test-ingest.js';
import { aFrame, StubCamera } from '../testing/stub-camera.js';

const playlist = `#EXTM3U
#EXT-X-TARGETDURATION:2
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES
#EXT-X-MAP:URI="init.mp4"
#EXT-X-KEY:METHOD=AES-128,URI="/keys/1?s=2"
#EXTINF:2,
segment1.m4s
#EXT-X-PART:DURATION=0.5,URI="part.m4s"
`;

describe('live pictures', () => {
  const camera = new StubCamera();
  let ingest: TestIngest;
  let address: string;
  let port: number;

  const url = (id: string, rest = '') => `${address}/api/ui/cameras/${id}/live${rest}`;
  const caller = { 'x-hub-caller': 'viewer' };
  const get = (id: string, rest = '', headers = {}) =>
    fetch(url(id, rest), { headers: { ...caller, ...headers } });
  const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

  beforeAll(async () => {
    port = await camera.listen();
    ingest = await createTestIngest({
      liveView: {
        guard: createServiceGuard({ ownAddresses: [{ host: undefined, port: 5432 }] }),
        limits: { maxViewers: 2, pictureIntervalMs: 20 },
      },
    });
    const at = `127.0.0.1:${port}`;
    await ingest.setSettings({
      video: {
        cameras: [
          { id: 'mjpeg', stream_url: `http://me:pa%3Ass@${at}/mjpeg?src=1` },
          { id: 'still', stream_url: `http://${at}/latest.jpg` },
          { id: 'snapshot', stream_url: `http://me:50%off@${at}/snapshot.cgi` },
          { id: 'digest', stream_url: `http://me:pa%3Ass@${at}/latest.jpg?q=1` },
          { id: 'no-user', stream_url: `http://:secret@${at}/mjpeg` },
          { id: 'hls', stream_url: `http://me:secret@${at}/live/stream.m3u8?src=1` },
          { id: 'whep', stream_url: `http://${at}/api/webrtc?src=1` },
          { id: 'rtsp', stream_url: 'rtsp://camera/1' },
          { id: 'none' },
          { id: 'off', enabled: false, stream_url: `http://${at}/mjpeg` },
          { id: 'page', stream_url: `http://${at}/page` },
          { id: 'moved', stream_url: `http://${at}/moved` },
          { id: 'database', stream_url: 'http://127.0.0.1:5432/mjpeg' },
          { id: 'link-local', stream_url: 'http://169.254.169.254/latest' },
        ],
      },
    });
    address = await ingest.listen();
  });
  afterEach(async () => {
    camera.replies = {};
    await expect.poll(() => camera.viewerCount).toBe(0);
    camera.requests.length = 0;
  });
  afterAll(async () => {
    await ingest.close();
    await camera.close();
  });

  it.each([
    ['mjpeg', 'mjpeg'],
    ['still', 'picture'],
    ['snapshot', 'mjpeg'],
    ['hls', 'hls'],
    ['whep', 'whep'],
    ['rtsp', 'none'],
    ['none', 'none'],
    ['off', 'none'],
  ])('of the camera %s, are shown as %s', async (id, kind) => {
    expect(await (await get(id)).json()).toEqual({ kind });
  });

  it('for two viewers, come over one authenticated connection, closed after the last viewer', async () => {
    const [first, second] = await Promise.all([get('mjpeg', '/mjpeg'), get('mjpeg', '/mjpeg')]);
    expect(first.headers.get('content-type')).toBe('multipart/x-mixed-replace; boundary=birdhub-frame');
    const readers = [first, second].map((response) =>
      (response.body as ReadableStream<Uint8Array>).getReader(),
    );
    for (const reader of readers) {
      const { value } = await reader.read();
      expect(Buffer.from(value as Uint8Array).includes(aFrame(0))).toBe(true);
    }
    expect(camera.viewerCount).toBe(1);
    expect(camera.requests).toEqual([
      { path: '/mjpeg?src=1', authorization: `Basic ${Buffer.from('me:pa:ss').toString('base64')}` },
    ]);
    expect(await codeOf(await get('mjpeg', '/mjpeg'))).toBe('busy');
    await readers[0]?.cancel();
    camera.sendFrame(1);
    const next = await readers[1]?.read();
    expect(Buffer.from(next?.value ?? []).includes(aFrame(1))).toBe(true);
    await readers[1]?.cancel();
    await expect.poll(() => camera.viewerCount).toBe(0);
  });

  it.each([
    ['still', '/latest.jpg', undefined],
    ['snapshot', '/snapshot.cgi', `Basic ${Buffer.from('me:50%off').toString('base64')}`],
  ])(
    'of the camera %s that serves stills and sometimes fails, come as a stream',
    async (id, path, authorization) => {
      let asked = 0;
      camera.replies[path] = (_, response) => {
        asked += 1;
        if (asked === 2) response.writeHead(503).end();
        else response.writeHead(200, { 'content-type': 'image/jpeg' }).end(aFrame(asked));
      };
      const response = await get(id, '/mjpeg');
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      let taken = Buffer.alloc(0);
      while (!taken.includes(aFrame(3))) {
        const { value, done } = await reader.read();
        expect(done).toBe(false);
        taken = Buffer.concat([taken, Buffer.from(value as Uint8Array)]);
      }
      expect(taken.includes(aFrame(1))).toBe(true);
      expect(camera.requests).toContainEqual({ path, authorization });
      await reader.cancel();
    },
  );

  it('of a camera with a password and no user, are requested with it', async () => {
    const response = await get('no-user', '/mjpeg');
    await response.body?.cancel();
    const { authorization } = camera.requests.find(({ path }) => path === '/mjpeg') ?? {};
    expect(authorization).toBe(`Basic ${Buffer.from(':secret').toString('base64')}`);
  });

  it('of a camera that requires Digest authentication, are requested with the hash of the password', async () => {
    const md5 = (text: string) => createHash('md5').update(text).digest('hex');
    camera.replies['/latest.jpg?q=1'] = (request, response) => {
      const given = Object.fromEntries(
        [...(request.headers.authorization ?? '').matchAll(/(\w+)="?([^",]+)"?/g)].map(([, name, value]) => [
          name,
          value,
        ]),
      );
      const { nc, cnonce } = given;
      const secret = md5('me:IP Camera(C1, "new"):pa:ss');
      const expected = md5(`${secret}:n1:${nc}:${cnonce}:auth:${md5('GET:/latest.jpg?q=1')}`);
      if (given['response'] === expected)
        response.writeHead(200, { 'content-type': 'image/jpeg' }).end(aFrame(7));
      else
        response
          .writeHead(401, {
            'www-authenticate': [
              'Basic realm="IP Camera"',
              'Digest qop="auth", realm="IP Camera(C1, \\"new\\")", nonce="n1", stale="FALSE"',
            ],
          })
          .end();
    };
    const response = await get('digest', '/mjpeg');
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    expect(Buffer.from(value as Uint8Array).includes(aFrame(7))).toBe(true);
    await reader.cancel();
  });

  it('a playlist, names its parts with signatures, and the parts are requested with the password', async () => {
    camera.replies['/live/stream.m3u8?src=1'] = (_, response) =>
      response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).end(playlist);
    camera.replies['/live/segment1.m4s'] = (_, response) =>
      response.writeHead(200, { 'content-type': 'video/mp4' }).end('segment');
    camera.replies['/admin'] = (_, response) => response.writeHead(200).end('config');
    const text = await (await get('hls', '/hls/index.m3u8')).text();
    expect(text).not.toMatch(/SERVER-CONTROL|EXT-X-PART|segment1\.m4s|127\.0\.0\.1|secret/);
    const name = text.split('\n').find((line) => line !== '' && !line.startsWith('#')) ?? '';
    const segment = await get('hls', `/hls/${name}`);
    expect([segment.status, await segment.text(), segment.headers.get('content-type')]).toEqual([
      200,
      'segment',
      'video/mp4',
    ]);
    expect(camera.requests.at(-1)).toEqual({
      path: '/live/segment1.m4s',
      authorization: `Basic ${Buffer.from('me:secret').toString('base64')}`,
    });
    const [signature = ''] = name.split('.');
    const forged = `${signature}.${Buffer.from('/admin').toString('base64url')}`;
    for (const wrong of [forged, 'x', '..%2fadmin', `${name}a`])
      expect([wrong, (await get('hls', `/hls/${wrong}`)).status]).toEqual([wrong, 404]);
    expect(camera.requests.some(({ path }) => path === '/admin')).toBe(false);
  });

  const namesIn = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const replyWith = (path: string, status: number, headers: object, body: string) => {
    camera.replies[path] = (_, response) => response.writeHead(status, { ...headers }).end(body);
  };

  it('a playlist after a redirect, resolves parts relative to its new address', async () => {
    replyWith('/live/stream.m3u8?src=1', 302, { location: '/session/7/index.m3u8' }, '');
    replyWith('/session/7/index.m3u8', 200, {}, '#EXTM3U\n#EXTINF:2,\npart.ts\n');
    replyWith('/session/7/part.ts', 200, { 'content-type': 'video/mp2t' }, 'part');
    const [name] = namesIn(await (await get('hls', '/hls/index.m3u8')).text());
    expect(await (await get('hls', `/hls/${name}`)).text()).toBe('part');
  });

  it('a part with a long address and a range of it, are forwarded', async () => {
    const long = `/live/part.mp4?token=${'x'.repeat(1_500)}`;
    replyWith('/live/stream.m3u8?src=1', 200, {}, `#EXTM3U\n#EXTINF:2,\n#EXT-X-BYTERANGE:4@2\n${long}\n`);
    const headers = { 'content-type': 'video/mp4', 'content-range': 'bytes 2-5/10' };
    camera.replies[long] = (request, response) => {
      expect(request.headers.range).toBe('bytes=2-5');
      response.writeHead(206, headers).end('2345');
    };
    const [name] = namesIn(await (await get('hls', '/hls/index.m3u8')).text());
    const part = await get('hls', `/hls/${name}`, { range: 'bytes=2-5' });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      'bytes 2-5/10',
      '2345',
    ]);
    replyWith(long, 416, {}, '');
    expect(await codeOf(await get('hls', `/hls/${name}`, { range: 'bytes=99-' }))).toBe(
      'range_not_satisfiable',
    );
  });

  it('a part whose path begins with two slashes, is requested from the camera, not from another host', async () => {
    const other = new StubCamera();
    const otherPort = await other.listen();
    const path = `//127.0.0.1:${otherPort}/latest`;
    replyWith('/live/stream.m3u8?src=1', 200, {}, `#EXTM3U\n#EXTINF:2,\n/.${path}\n`);
    const [name] = namesIn(await (await get('hls', '/hls/index.m3u8')).text());
    expect(await codeOf(await get('hls', `/hls/${name}`))).toBe('live_unavailable');
    expect(camera.requests.at(-1)?.path).toBe(path);
    expect(other.requests).toEqual([]);
    await other.close();
  });

  it('a playlist that refers to another host or is invalid, is refused', async () => {
    for (const body of [
      '#EXTM3U\nhttp://other.example/1.ts\n',
      '#EXTM3U\n#EXT-X-KEY:URI="//other/1"\n',
      '<html>',
    ]) {
      camera.replies['/live/stream.m3u8?src=1'] = (_, response) => response.end(body);
      expect(await codeOf(await get('hls', '/hls/index.m3u8'))).toBe('live_unavailable');
    }
  });

  it('a web page, a redirect to another host or a forbidden address, is an error without the address', async () => {
    replyWith('/page', 200, { 'content-type': 'text/html' }, '<html>');
    camera.replies['/moved'] = (_, response) =>
      response.writeHead(302, { location: 'http://other.example/' }).end();
    for (const [id, code] of [
      ['page', 'live_not_playable'],
      ['moved', 'live_unavailable'],
      ['database', 'live_unavailable'],
      ['link-local', 'live_unavailable'],
    ] as const) {
      const response = await get(id, '/mjpeg');
      const text = await response.text();
      expect([id, response.status, text.includes(`"${code}"`)]).toEqual([id, 502, true]);
      expect(text).not.toMatch(/127\.0\.0\.1|other\.example|169\.254/);
    }
  });

  it('of a camera that switches to another protocol, are an error, for later viewers too', async () => {
    camera.replies['/page'] = ({ socket }) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n');
    expect(await codeOf(await get('page', '/mjpeg'))).toBe('live_unavailable');
    camera.replies['/page'] = (_, response) =>
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end(aFrame(1));
    const response = await get('page', '/mjpeg');
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });

  it('a WebRTC offer, is forwarded and answered', async () => {
    camera.replies['/api/webrtc?src=1'] = (request, response) => {
      expect(request.headers['content-type']).toBe('application/sdp');
      response.writeHead(201, { 'content-type': 'application/sdp' }).end('v=0\r\nanswer');
    };
    const post = (sdp: string) =>
      fetch(url('whep', '/whep'), {
        method: 'POST',
        headers: { ...caller, 'content-type': 'application/json' },
        body: JSON.stringify({ sdp }),
      });
    expect(await (await post('v=0\r\noffer')).json()).toEqual({ sdp: 'v=0\r\nanswer' });
    expect((await post('<html>')).status).toBe(400);
  });

  it('of another kind, of an unknown camera or on a locked hub, are refused', async () => {
    expect(await codeOf(await get('rtsp', '/mjpeg'))).toBe('live_not_configured');
    expect(await codeOf(await get('mjpeg', '/hls/index.m3u8'))).toBe('live_not_configured');
    expect(await codeOf(await get('unknown', '/mjpeg'))).toBe('camera_not_found');
    const { video } = (await ingest.settings.current()) as unknown as { video: object };
    await ingest.setSettings({ video, general: { require_auth_for_video_stream: true } });
    for (const rest of ['/mjpeg', '/hls/index.m3u8'])
      expect(await codeOf(await get('mjpeg', rest))).toBe('unlock_required');
    await ingest.setSettings({ video });
  });

  describe('while they are watched', () => {
    const video = async () => ((await ingest.settings.current()) as unknown as { video: object }).video;
    const readerOf = (response: Response) => (response.body as ReadableStream<Uint8Array>).getReader();
    type Reader = ReturnType<typeof readerOf>;
    const openAs = async (role: string, id = 'mjpeg', rest = '/mjpeg') => {
      const reader = readerOf(await get(id, rest, { 'x-hub-caller': role }));
      await reader.read();
      return reader;
    };
    /** Reads a stream to its end. */
    async function ended(reader: Reader): Promise<boolean> {
      try {
        while (!(await reader.read()).done);
      } catch {
        // Cut off.
      }
      return true;
    }
    async function shows(reader: Reader, number: number): Promise<boolean> {
      camera.sendFrame(number);
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return false;
        if (Buffer.from(value).includes(aFrame(number))) return true;
      }
    }

    it('and the hub requires to be unlocked for them, end for those who have not', async () => {
      const before = await video();
      const [viewer, contributor] = [await openAs('viewer'), await openAs('contributor')];
      await ingest.setSettings({ video: before, general: { app_name: 'Birds' } });
      expect(await shows(viewer, 1)).toBe(true);
      expect(await shows(contributor, 2)).toBe(true);
      await ingest.setSettings({ video: before, general: { require_auth_for_video_stream: true } });
      expect(await ended(viewer)).toBe(true);
      expect(await shows(contributor, 3)).toBe(true);
      await contributor.cancel();
      await ingest.setSettings({ video: before });
    });

    it.each([
      ['another address', [{ id: 'mjpeg', stream_url: 'http://192.0.2.1/mjpeg' }]],
      ['no pictures', [{ id: 'mjpeg', enabled: false }]],
      ['been deleted', []],
    ])('and the camera has %s, end', async (_, cameras) => {
      const before = await video();
      const viewer = await openAs('viewer');
      await ingest.setSettings({ video: { cameras } });
      expect(await ended(viewer)).toBe(true);
      await ingest.setSettings({ video: before });
    });
  });

  it('beyond those of an address, are refused, for other cameras and addresses not', async () => {
    const many = await createTestIngest({
      database: ingest.database,
      liveView: { guard: createServiceGuard({ ownAddresses: [] }) },
    });
    const at = await many.listen();
    const open = (id: string, from: string) =>
      fetch(`${at}/api/ui/cameras/${id}/live/mjpeg`, { headers: { ...caller, 'x-forwarded-for': from } });
    const own = await Promise.all(
      Array.from({ length: 16 }, (_, host) => open('mjpeg', `2001:db8::${host}`)),
    );
    expect(own.map(({ status }) => status)).toEqual(Array(16).fill(200));
    const refused = await open('mjpeg', '2001:db8::ff');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    expect(await codeOf(refused)).toBe('busy');
    const others = await Promise.all([open('mjpeg', '192.0.2.1'), open('no-user', '2001:db8::ff')]);
    expect(others.map(({ status }) => status)).toEqual([200, 200]);
    await own[0]?.body?.cancel();
    await expect
      .poll(async () => {
        const next = await open('mjpeg', '2001:db8::ff');
        if (next.ok) others.push(next);
        else await next.body?.cancel();
        return next.status;
      })
      .toBe(200);
    for (const { body } of [...own.slice(1), ...others]) await body?.cancel();
    await many.close();
  });
});
