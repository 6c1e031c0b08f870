import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestIngest, type TestIngest } from '../testing/create-test-ingest.js';

const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(100)]);

describe('POST /notify', () => {
  let hub: TestIngest;
  beforeAll(async () => {
    hub = await createTestIngest();
  });
  afterAll(() => hub.close());

  const notify = (body: unknown, headers?: object) => hub.post('/notify/detections', body, headers);
  const lastNotice = async () =>
    (await hub.rows<{ extra: unknown }>('SELECT * FROM detection_notice ORDER BY id DESC LIMIT 1'))[0];
  const lastEvent = async () =>
    (await hub.rows('SELECT subject, request_id, payload FROM outbox ORDER BY id DESC LIMIT 1'))[0];

  it('/detections with everything, is stored with its event', async () => {
    const body = {
      detection: ' Great Tit ',
      image_base64: `data:image/jpeg;base64,${jpeg.toString('base64')}`,
      image_path: 'recordings/a.jpg',
      link: 'https://hub.example/a',
      confidence: 0.4,
    };
    const response = await notify(body, { 'x-request-id': 'notice-1' });
    expect(response).toMatchObject({ status: 200, body: { message: 'success' } });
    expect(await lastNotice()).toMatchObject({
      species_name: 'Great Tit',
      image: jpeg,
      image_path: 'recordings/a.jpg',
      link: 'https://hub.example/a',
      extra: { confidence: 0.4 },
    });
    expect(await lastEvent()).toMatchObject({
      subject: 'hub.v1.detection.notified',
      request_id: 'notice-1',
      payload: { species_name: 'Great Tit', has_image: true, image_path: 'recordings/a.jpg' },
    });
  });

  it.each([[{}], [{ image_base64: null, image_path: null, link: null }], [{ image_base64: '' }]])(
    '/detections with %j beside the name, has no picture',
    async (rest) => {
      expect((await notify({ detection: 'Robin', ...rest })).status).toBe(200);
      expect(await lastNotice()).toMatchObject({
        species_name: 'Robin',
        image: null,
        link: null,
        extra: null,
      });
      expect(await lastEvent()).toMatchObject({
        payload: { has_image: false, link: null, image_path: null },
      });
    },
  );

  it('/detections with line breaks in the picture, stores the same picture', async () => {
    const lines = jpeg.toString('base64').replaceAll(/.{20}/g, '$&\r\n');
    expect((await notify({ detection: 'Robin', image_base64: lines })).status).toBe(200);
    expect(await lastNotice()).toMatchObject({ image: jpeg });
  });

  it('/detections, deletes notices older than a day', async () => {
    await hub.database.pool.query(`UPDATE detection_notice SET notified_at = now() - interval '25 hours'`);
    await notify({ detection: 'Robin' });
    expect(await hub.rows('SELECT species_name FROM detection_notice')).toEqual([{ species_name: 'Robin' }]);
  });

  it('/detections beyond 1,000 notices, keeps the newest', async () => {
    await hub.database.pool.query('TRUNCATE detection_notice');
    await hub.database.pool.query(
      `INSERT INTO detection_notice (species_name, notified_at)
       SELECT 'old ' || n, now() FROM generate_series(1, 1200) n`,
    );
    expect((await notify({ detection: 'Robin' })).status).toBe(200);
    const kept = await hub.rows<{ species_name: string }>(
      'SELECT species_name FROM detection_notice ORDER BY id',
    );
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([
      1_000,
      { species_name: 'old 202' },
      { species_name: 'Robin' },
    ]);
  });

  it('/detections with pictures beyond 64 MB or 200, keeps the newest', async () => {
    await hub.database.pool.query('TRUNCATE detection_notice');
    await hub.database.pool.query(
      `INSERT INTO detection_notice (species_name, image, notified_at)
       SELECT 'old ' || n, decode(repeat('00', 1048576), 'hex'), now() FROM generate_series(1, 64) n`,
    );
    const image_base64 = jpeg.toString('base64');
    expect((await notify({ detection: 'Robin', image_base64 })).status).toBe(200);
    const kept = () =>
      hub.rows<{ species_name: string }>(
        'SELECT species_name FROM detection_notice WHERE image IS NOT NULL ORDER BY id',
      );
    const names = (await kept()).map(({ species_name }) => species_name);
    expect([names.length, names[0], names.at(-1)]).toEqual([64, 'old 2', 'Robin']);
    await hub.database.pool.query(
      `INSERT INTO detection_notice (species_name, image, notified_at)
       SELECT 'small ' || n, '\\x00', now() FROM generate_series(1, 250) n`,
    );
    await notify({ detection: 'Wren', image_base64 });
    expect((await kept()).map(({ species_name }) => species_name).slice(-200)).toHaveLength(200);
    expect(await kept()).toHaveLength(200);
    expect(await hub.rows('SELECT count(*) FROM detection_notice')).toEqual([{ count: 316 }]);
  });

  it.each([
    ['no name', {}, '/detection'],
    ['a blank name', { detection: ' ' }, '/detection'],
    ['a name that nobody sees', { detection: '\u200d' }, '/detection'],
    ['NUL in its name', { detection: 'a\0' }, '/detection'],
    ['half a character', { detection: '\udfff' }, '/detection'],
    ['a name of 201 characters', { detection: 'x'.repeat(201) }, '/detection'],
    ['a picture that is no base64', { detection: 'a', image_base64: '***' }, '/image_base64'],
    ['a picture that is none', { detection: 'a', image_base64: 'aGVsbG8gd29ybGQ=' }, '/image_base64'],
    ['a picture that is a number', { detection: 'a', image_base64: 1 }, '/image_base64'],
    ['NUL in its path', { detection: 'a', image_path: '\0' }, '/image_path'],
    ['a line break in its link', { detection: 'a', link: 'https://a\n' }, '/link'],
    ['a link of 2,001 characters', { detection: 'a', link: 'x'.repeat(2_001) }, '/link'],
  ])('/detections with %s, is refused and nothing is stored', async (_, body, path) => {
    const rows = await hub.countRows();
    const response = await notify(body);
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request', details: [{ path }] } });
    expect(response.body.details).toHaveLength(1);
    expect(await hub.countRows()).toEqual(rows);
  });

  it('/detections with a picture of more than 4 MB, is 413', async () => {
    const image_base64 = Buffer.concat([jpeg, Buffer.alloc(4 * 1024 * 1024)]).toString('base64');
    expect(await notify({ detection: 'a', image_base64 })).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    });
  });

  it('/detections with further fields of more than 64 KB, is stored with the smallest that fit', async () => {
    const embedding = { deep: ['x'.repeat(65_450)] };
    const body = { detection: 'Robin', embedding, camera: 'north', second_picture: 'x'.repeat(1_000_000) };
    expect((await notify({ ...body, note: 'x'.repeat(100) })).status).toBe(200);
    expect((await lastNotice())?.extra).toEqual({ camera: 'north', note: 'x'.repeat(100) });
    expect((await notify(body)).status).toBe(200);
    expect((await lastNotice())?.extra).toEqual({ camera: 'north', embedding });
    expect((await notify({ detection: 'Robin', second_picture: body.second_picture })).status).toBe(200);
    expect((await lastNotice())?.extra).toBeNull();
  });

  it.each([['{}'], [undefined], ['{"camera":"north"}']])(
    '/motion with the body %s, writes its event',
    async (body) => {
      const response = await hub.post('/notify/motion', body, { 'x-request-id': 'motion-1' });
      expect(response).toMatchObject({ status: 200, body: { message: 'success' } });
      expect(await lastEvent()).toMatchObject({
        subject: 'hub.v1.motion.notified',
        request_id: 'motion-1',
        payload: { notified_at: expect.stringMatching(/Z$/) },
      });
    },
  );
});
