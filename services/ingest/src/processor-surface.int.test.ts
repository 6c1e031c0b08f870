import { callerTokenHeader, writeCallerToken } from '@birdhub/shared/app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRecordingBody, createTestIngest, type TestIngest } from './testing/create-test-ingest.js';

const routes = [
  ['POST', '/videos', aRecordingBody()],
  ['PUT', '/species/active', ['Great Tit']],
  ['POST', '/notify/detections', { detection: 'Great Tit' }],
  ['POST', '/notify/motion', {}],
  ['POST', '/activity_log', { type: 'heartbeat', data: {} }],
] as const;

describe('the processor API with a token', () => {
  const secret = 'correct horse';
  let hub: TestIngest;
  let addresses = 0;
  beforeAll(async () => {
    hub = await createTestIngest({ processorSecret: secret });
  });
  afterAll(() => hub.close());

  const wrong = [
    undefined,
    '',
    'correct',
    'correct horses',
    'CORRECT HORSE',
    [secret, secret],
    `${secret}, ${secret}`,
  ];

  it.each(routes)(
    '%s %s, without exactly one right token, is 403 and writes nothing',
    async (method, path, body) => {
      const rows = await hub.countRows();
      for (const token of wrong) {
        addresses += 1;
        const headers = token === undefined ? {} : { 'x-processor-token': token };
        const response = await hub.send(method, path, body, headers, `198.51.100.${addresses}`);
        expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      }
      expect((await hub.send(method, path, '{', {})).status).toBe(403);
      expect(await hub.countRows()).toEqual(rows);
    },
  );

  it.each(routes)('%s %s, with the right token, is 2xx', async (method, path, body) => {
    const response = await hub.send(method, path, body, { 'X-Processor-Token': secret });
    expect(response.status).toBeLessThan(300);
  });
});

describe('wrong tokens of processors', () => {
  const secret = 'correct horse';
  const internal = 'between us';
  let hub: TestIngest;
  beforeAll(async () => {
    hub = await createTestIngest({ processorSecret: secret, internalSecret: internal });
  });
  afterAll(() => hub.close());

  const send = async (token: string | undefined, address: string, headers = {}) => {
    const given = { ...(token !== undefined && { 'x-processor-token': token }), ...headers };
    return hub.send('POST', '/notify/motion', {}, given, address);
  };
  const statusOf = async (...given: Parameters<typeof send>) => (await send(...given)).status;
  const byGateway = (client: string) => ({ 'x-hub-internal': internal, 'x-forwarded-for': client });

  it('after five within a minute, are 429 for this address only, even with the right one', async () => {
    for (let count = 0; count < 5; count += 1) expect(await statusOf('guess', '203.0.113.1')).toBe(403);
    for (const token of ['guess', secret]) {
      const refused = await send(token, '203.0.113.1');
      expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
      const wait = Number(refused.headers['retry-after']);
      expect(Number.isInteger(wait) && wait > 0 && wait <= 60).toBe(true);
    }
    expect(await statusOf(secret, '203.0.113.2')).toBe(200);
  });

  it('forwarded by the gateway, count for the client and not for the gateway', async () => {
    for (let count = 0; count < 5; count += 1) {
      expect(await statusOf('guess', '127.0.0.1', byGateway('203.0.113.3'))).toBe(403);
    }
    expect(await statusOf(secret, '127.0.0.1', byGateway('203.0.113.3'))).toBe(429);
    expect(await statusOf(secret, '203.0.113.3')).toBe(429);
    expect(await statusOf(secret, '127.0.0.1', byGateway('203.0.113.4'))).toBe(200);
  });

  it('of a client with a forged address, count for its real one', async () => {
    const claim = (index: number) => ({
      'x-forwarded-for': `198.51.100.${index}`,
      'x-hub-internal': 'guess',
    });
    for (let count = 0; count < 5; count += 1) {
      expect(await statusOf('guess', '203.0.113.5', claim(count))).toBe(403);
    }
    expect(await statusOf('guess', '203.0.113.5', claim(6))).toBe(429);
  });

  it('when missing, do not count', async () => {
    for (let count = 0; count < 8; count += 1) expect(await statusOf(undefined, '203.0.113.6')).toBe(403);
    expect(await statusOf(secret, '203.0.113.6')).toBe(200);
  });
});

describe('access tokens in headers of the gateway', () => {
  const internal = 'between us';
  let hub: TestIngest;
  let videos = 0;
  beforeAll(async () => {
    hub = await createTestIngest({ processorSecret: 'correct horse', internalSecret: internal });
  });
  afterAll(() => hub.close());

  const described = (cameras?: readonly string[], name = 'Küche') => ({
    'x-hub-internal': internal,
    [callerTokenHeader]: writeCallerToken({ name, cameras }),
  });
  const aRecording = (given: object) => {
    videos += 1;
    return aRecordingBody({
      video_path: `2026/05/01/11${String(videos).padStart(4, '0')}/video.mp4`,
      ...given,
    });
  };

  it.each(routes)('%s %s, without PROCESSOR_SECRET, is 2xx', async (method, path, body) => {
    expect((await hub.send(method, path, body, described())).status).toBeLessThan(300);
  });

  it.each(routes)('%s %s, with such headers from another sender, is 403', async (method, path, body) => {
    const rows = await hub.countRows();
    for (const secret of [undefined, '', 'guess']) {
      const { 'x-hub-internal': _, ...claimed } = described();
      const headers = { ...claimed, ...(secret !== undefined && { 'x-hub-internal': secret }) };
      const response = await hub.send(method, path, body, headers);
      expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect(await hub.countRows()).toEqual(rows);
  });

  it.each([
    ['garden', 201],
    ['pond', 201],
    ['Garden', 403],
    ['garden ', 403],
    ['street', 403],
    ['', 403],
    [null, 403],
    [undefined, 403],
    [['garden'], 403],
  ])('a recording of the camera %j, with a token for garden and pond, is %i', async (camera_id, status) => {
    const rows = await hub.countRows();
    const response = await hub.post('/videos', aRecording({ camera_id }), described(['garden', 'pond']));
    expect(response.status).toBe(status);
    if (status === 201) return;
    const message = 'must be one of the cameras of the token: garden, pond';
    expect(response.body).toMatchObject({
      code: 'camera_not_allowed',
      details: [{ path: '/camera_id', message }],
    });
    expect(await hub.countRows()).toEqual(rows);
  });

  it.each(['video_path', 'spectrogram_path'])(
    "another camera's file as %s, with a token for some cameras, is 403",
    async (field) => {
      const other = aRecording({ camera_id: 'street', spectrogram_path: '2026/05/01/street.png' });
      expect((await hub.post('/videos', other, described())).status).toBe(201);
      const film = field === 'video_path' ? [other['video_path']] : [];
      for (const path of [...film, other['spectrogram_path']]) {
        const claim = aRecording({ camera_id: 'garden', [field]: path });
        const response = await hub.post('/videos', claim, described(['garden']));
        const details = [{ path: `/${field}`, message: 'is a file of another camera' }];
        expect(response).toMatchObject({ status: 403, body: { code: 'camera_not_allowed', details } });
        expect((await hub.post('/videos', claim, described())).status).toBe(201);
      }
      const own = aRecording({ camera_id: 'garden' });
      expect((await hub.post('/videos', own, described(['garden']))).status).toBe(201);
      expect((await hub.post('/videos', own, described(['garden']))).status).toBe(200);
    },
  );

  it.each([
    ['street', 'garden', 'street/new.mp4', 403],
    ['street', 'garden', 'data/recordings/street/new.mp4', 403],
    ['street', 'street', 'street/new.mp4', 201],
    ['street', 'garden', 'streets/new.mp4', 201],
    ['gate', 'gate/one', 'gate/one/new.mp4', 201],
    ['gate', 'gate/one', 'gate/new.mp4', 403],
  ])(
    'with a known camera %s, a recording with a token for %s and the new file %s, is %i',
    async (known, camera_id, video_path, status) => {
      await hub.post('/videos', aRecording({ camera_id: known }), described());
      const claim = aRecording({ camera_id, video_path });
      expect((await hub.post('/videos', claim, described([camera_id]))).status).toBe(status);
    },
  );

  it('a notice, with a token for some cameras, is 200 without or with one of them, and else 403', async () => {
    const notify = async (given: object) =>
      (await hub.post('/notify/detections', { detection: 'Great Tit', ...given }, described(['garden'])))
        .status;
    expect([
      await notify({}),
      await notify({ camera_id: 'garden' }),
      await notify({ camera_id: 'pond' }),
    ]).toEqual([200, 200, 403]);
  });

  it.each([
    ['garden/2026/05/01/1.mp4', 201],
    ['data/recordings/pond/1.mp4', 201],
    ['gate/one/1.mp4', 201],
    ['2026/05/01/garden/1.mp4', 403],
    ['Garden/1.mp4', 403],
    ['gardens/1.mp4', 403],
    ['garden', 403],
    ['gate/1.mp4', 403],
    ['garden%2F..%2Fstreet/1.mp4', 400],
  ])('an upload to %s, with a token for garden, pond and gate/one, is %i', async (path, status) => {
    const video = Buffer.from('\0\0\0\x20ftypisom of somebody', 'latin1');
    const headers = described(['garden', 'pond', 'gate/one']);
    const response = await hub.send('PUT', `/media/${path}`, video, headers);
    expect(response.status).toBe(status);
    const state = await hub.send('HEAD', `/media/${path}`, undefined, headers);
    expect(state.status).toBe(status === 201 ? 200 : status);
    if (status !== 403) return;
    const message = "must begin with a folder of the token's cameras: garden/, pond/, gate/one/";
    expect(response.body).toMatchObject({ code: 'camera_not_allowed', details: [{ path: 'path', message }] });
    expect((await hub.send('HEAD', `/media/${path}`, undefined, described())).status).not.toBe(200);
  });

  it('the list of active species, with a token for some cameras, is refused and unchanged', async () => {
    const listed = async () => (await hub.rows('SELECT name FROM species WHERE active ORDER BY name')).length;
    expect((await hub.send('PUT', '/species/active', ['Great Tit'], described())).status).toBe(200);
    const before = await listed();
    const response = await hub.send('PUT', '/species/active', ['Robin of the pond'], described(['pond']));
    expect(response).toMatchObject({
      status: 403,
      body: {
        code: 'camera_not_allowed',
        error: 'This affects all cameras, but the token is limited to pond.',
      },
    });
    expect(await listed()).toBe(before);
  });

  it('rows of the activity log and heartbeats, have the name of the token that wrote them last', async () => {
    const nameOf = async (id: number) =>
      (
        await hub.rows<{ name: string | null }>(
          `SELECT token_name AS name FROM processor_activity WHERE id = $1
           UNION ALL SELECT token_name FROM processor_heartbeat WHERE id = $1`,
          [id],
        )
      ).map(({ name }) => name);
    const withSecret = { 'x-processor-token': 'correct horse' };
    for (const [id, type] of [
      [800_001, 'heartbeat'],
      [undefined, 'log'],
    ] as const) {
      const made = await hub.post('/activity_log', { type, data: {}, id }, described());
      expect(await nameOf(made.body.id)).toContain('Küche');
      const again = { type, data: {}, id: made.body.id };
      await hub.post('/activity_log', again, described(undefined, 'Other'));
      expect(await nameOf(made.body.id)).toContain('Other');
      await hub.post('/activity_log', again, withSecret);
      expect(await nameOf(made.body.id)).toContain(null);
    }
  });
});

describe('the processor API without a token', () => {
  let hub: TestIngest;
  beforeAll(async () => {
    hub = await createTestIngest();
  });
  afterAll(() => hub.close());

  it.each(routes)('%s %s, with any token, is 2xx', async (method, path, body) => {
    const response = await hub.send(method, path, body, { 'x-processor-token': 'any' });
    expect(response.status).toBeLessThan(300);
  });

  it.each(routes)('%s %s, with a body that is not JSON, is 400 or 415', async (method, path) => {
    const rows = await hub.countRows();
    const broken = await hub.send(method, path, '{"a":');
    expect(broken).toMatchObject({ status: 400, body: { code: 'invalid_request', details: [{ path: '' }] } });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const response = await hub.send(method, path, 'a=1', { 'content-type': type });
      expect(response).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    }
    expect(await hub.countRows()).toEqual(rows);
  });

  it.each(routes)(
    '%s %s, sent by a page of another site, is 403 and writes nothing',
    async (method, path, body) => {
      const rows = await hub.countRows();
      const signs = [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ];
      for (const headers of signs) {
        const response = await hub.send(method, path, body, headers);
        expect(response).toMatchObject({ status: 403, body: { code: 'csrf_rejected' } });
      }
      expect(await hub.countRows()).toEqual(rows);
    },
  );

  it('motion from an allowed page, forwarded by the gateway, is 2xx', async () => {
    const headers = { origin: 'https://app.example', 'x-hub-caller': 'processor' };
    expect((await hub.post('/notify/motion', {}, headers)).status).toBeLessThan(300);
  });

  it('a request id, is kept when well-formed and replaced otherwise', async () => {
    const idOf = async (given: string) =>
      (await hub.post('/notify/motion', {}, { 'x-request-id': given })).headers['x-request-id'];
    expect(await idOf('Job-1.2:3_4')).toBe('Job-1.2:3_4');
    for (const given of ['', 'a b', 'a;b', 'x'.repeat(129), "1'--"]) {
      expect(await idOf(given)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('errors outside the routes, have the usual error body and the request id', async () => {
    const headers = { 'x-request-id': 'lost-1' };
    const responses = [await hub.post('/nothing', {}, headers), await hub.post('/%zz', {}, headers)];
    expect(responses.map((response) => response.status)).toEqual([404, 400]);
    for (const { body, headers: sent } of responses) {
      expect(body).toMatchObject({ code: expect.stringMatching(/^\w+$/), request_id: 'lost-1' });
      expect(sent['x-request-id']).toBe('lost-1');
    }
  });
});
