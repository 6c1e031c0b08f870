import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestIngest, type TestIngest } from '../testing/create-test-ingest.js';

let hub: TestIngest;

beforeAll(async () => {
  hub = await createTestIngest();
});
beforeEach(async () => {
  await hub.setSettings({
    hooks: [
      {
        name: 'pi',
        species_name: '/message/name',
        confidence: '/message/sure',
        time: '/message/at',
        camera_id: 'pi',
        min_confidence: 0.5,
      },
    ],
  });
});
afterAll(() => hub.close());

const at = '2026-05-01T10:00:00Z';
const sound = (given: object = {}) => ({
  message: JSON.stringify({ name: 'Great Tit', sure: '93%', at, ...given }),
});
const stored = () =>
  hub.rows<{ camera: string; confidence: number; provider: string }>(
    `SELECT camera_id AS camera, confidence, detection_provider AS provider FROM detection
     JOIN video ON video.id = video_id ORDER BY detection.id`,
  );

describe('POST /api/processor/hooks/{name}', () => {
  it('with a body that the mapping understands, stores one sighting, also when repeated', async () => {
    const first = await hub.post('/hooks/pi', sound());
    expect([first.status, first.body]).toEqual([
      201,
      { message: 'success', video_id: expect.any(Number), created: true, visits: [expect.any(Number)] },
    ]);
    const second = await hub.post('/hooks/pi', sound());
    expect([second.status, second.body.video_id]).toEqual([200, first.body.video_id]);
    expect(await stored()).toMatchObject([{ camera: 'pi', confidence: 0.93, provider: 'hook pi' }]);
  });

  it('of a hook with a source, stores the bird as heard', async () => {
    await hub.setSettings({ hooks: [{ name: 'heard', species_name: '/bird', source: 'audio' }] });
    const { body } = await hub.post('/hooks/heard', { bird: 'Great Tit' });
    const sources = await hub.rows('SELECT source FROM detection WHERE video_id = $1', [body.video_id]);
    expect(sources).toEqual([{ source: 'audio' }]);
  });

  it('with a form payload or plain text, reads it as JSON', async () => {
    const form = new URLSearchParams({ payload: JSON.stringify(sound()) }).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await hub.post('/hooks/pi', form, type)).status).toBe(200);
    const text = await hub.post('/hooks/pi', JSON.stringify(sound()), { 'content-type': 'text/plain' });
    expect(text.status).toBe(200);
  });

  it('of an unknown hook, is 404', async () => {
    const { status, body } = await hub.post('/hooks/other', sound());
    expect([status, body.code]).toEqual([404, 'hook_not_found']);
  });

  it('with less than the minimum confidence, is 200 and stores nothing', async () => {
    const before = await stored();
    const { status, body } = await hub.post('/hooks/pi', sound({ sure: 0.2, at: '2026-05-01T09:00:00Z' }));
    expect([status, body]).toEqual([
      200,
      { message: 'below the minimum confidence of the hook', video_id: null, created: false, visits: [] },
    ]);
    expect(await stored()).toEqual(before);
  });

  it.each([
    [{}, '/message/name', /^species_name is required/],
    [sound({ sure: 'very' }), '/message/sure', /^confidence must be a number/],
    [sound({ at: 'now' }), '/message/at', /^time must be a time/],
    [[], '/message/name', /^species_name/],
  ])('with %j, is 400 naming pointer and field, and stores nothing', async (body, path, message) => {
    const before = await hub.countRows();
    const response = await hub.post('/hooks/pi', body);
    expect([response.status, response.body.details]).toEqual([
      400,
      [{ path, message: expect.stringMatching(message) }],
    ]);
    expect(await hub.countRows()).toEqual(before);
  });

  it.each([
    ['image', 'http://127.0.0.1:9/bird.jpg', /^success without the picture: /],
    ['note', 'two\r\nlines', /^success$/],
    ['count', 501, /^success$/],
    ['end_time', '2026-05-01T01:00:00Z', /^success$/],
  ])('with the %s %j, stores the bird', async (field, value, message) => {
    await hub.setSettings({
      hooks: [{ name: 'pi', species_name: '/bird', id: '/id', time: '/at', [field]: '/more' }],
    });
    const body = { bird: 'Great Tit', id: field, at: '2026-05-01T09:00:00Z', more: value };
    const response = await hub.post('/hooks/pi', body);
    expect(response.body).toMatchObject({ created: true, message: expect.stringMatching(message) });
  });

  it('with a time before 2000, is 400 naming the pointer of the sender', async () => {
    await hub.setSettings({ hooks: [{ name: 'old', species_name: '/bird', time: '/at' }] });
    const response = await hub.post('/hooks/old', { bird: 'Great Tit', at: '1999-05-01T09:00:00Z' });
    expect([response.status, response.body.details[0]]).toMatchObject([
      400,
      { path: '/at', message: expect.stringMatching(/^time /) },
    ]);
  });

  it('with no body or half a body, is 400', async () => {
    expect((await hub.post('/hooks/pi', '')).status).toBe(400);
    expect((await hub.post('/hooks/pi', '{"message":')).status).toBe(400);
  });

  it('with a token for other cameras, is refused whatever the body contains', async () => {
    const token = Buffer.from(JSON.stringify({ name: 'pi', cameras: ['garden'] })).toString('base64url');
    const response = await hub.post(
      '/hooks/pi',
      { ...sound(), camera_id: 'garden' },
      { 'x-hub-token': token },
    );
    expect([response.status, response.body.code]).toEqual([403, 'camera_not_allowed']);
  });
});

describe('POST /api/ui/hooks/preview', () => {
  const preview = async (mapping: object, example: unknown) =>
    (await hub.send('POST', '/../ui/hooks/preview', { mapping, example })).body;

  it('with a mapping, returns what would be stored, and stores nothing', async () => {
    const before = await hub.countRows();
    const mapping = {
      name: 'pi',
      species_name: '/message/name',
      confidence: '/message/sure',
      min_confidence: 0.95,
    };
    expect(await preview(mapping, sound())).toMatchObject({
      sighting: { species_name: 'Great Tit', confidence: 0.93 },
      problems: [
        {
          field: 'min_confidence',
          message: 'is more than 0.93: nothing is stored',
          code: 'min_confidence',
          values: { confidence: 0.93 },
        },
      ],
    });
    expect(await hub.countRows()).toEqual(before);
  });

  it('without a mapping, applies the suggested one', async () => {
    expect(await preview({}, '{"species": "Robin", "score": 0.7}')).toEqual({
      sighting: { species_name: 'Robin', confidence: 0.7 },
      problems: [],
      suggestions: { species_name: '/species', confidence: '/score' },
    });
  });

  it('with no bird or a wrong pattern, returns the problems', async () => {
    expect(await preview({}, { a: 1 })).toMatchObject({
      problems: [{ field: 'species_name', message: 'is required', code: 'required' }],
    });
    expect(await preview({ species_name: '/bird' }, { bird: ['Robin'] })).toMatchObject({
      problems: [{ field: 'species_name', code: 'value_not_text', values: { value: '[…]' } }],
    });
    expect(await preview({ text: '/a', pattern: '(?<bird>.*' }, { a: 'x' })).toMatchObject({
      problems: [{ field: 'pattern', message: expect.stringContaining('RE2') }],
    });
  });
});
