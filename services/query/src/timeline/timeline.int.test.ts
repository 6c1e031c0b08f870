import { aDetection, aRecording, insertManyVisits } from '@birdhub/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { between, getTimeline, hour, minute, second, speciesIdOf, start } from '../testing/timeline.js';
import { TimelineItemSchema } from './timeline.schema.js';
import { maxDetections, maxItems, timelineSql } from './timeline.store.js';

/** As PostgreSQL writes it, without trailing zeros. */
const at = (ms: number) => new Date(start + ms).toISOString().replace(/\.?0*Z$/, '+00:00');

describe('GET /timeline', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());

  it('for an empty day, is an empty list', async () => {
    expect(await getTimeline(query, 'date=2020-01-01')).toMatchObject({ status: 200, body: [] });
  });

  it('with a visit over two recordings of two cameras, lists both, newest first', async () => {
    const weather = `INSERT INTO weather_snapshot (source, temp, clouds, fetched_at)
      VALUES ('open-meteo', 12.5, 40, $1) RETURNING id`;
    await query.database.pool.query(weather, [new Date(start - minute)]);
    const first = await query.post(
      aRecording({
        start,
        cameraId: 'garden',
        detections: [
          aDetection({ startOffset: 1.5, endOffset: 4, provider: 'yolo "11"', confidence: 0.8125 }),
        ],
      }),
    );
    const second_ = await query.post(
      aRecording({
        start: start + 30 * second,
        end: start + 45.5 * second,
        cameraId: 'feeder',
        detections: [aDetection({ startOffset: 0, endOffset: 2, source: 'audio' })],
      }),
    );
    const { body } = await getTimeline(query, between(-hour, hour));
    expectShape(Type.Array(TimelineItemSchema), body);
    expect(body).toMatchObject([
      {
        id: first.visitIds[0],
        timeline_kind: 'visit',
        start_time: at(1_500),
        end_time: at(32 * second),
        max_simultaneous: 1,
        total_recording_seconds: 25.5,
        video_duration_seconds: null,
        weather: { temp: 12.5, clouds: 40 },
        species: { name: 'Great Tit', scientific_name: 'Parus major', image_url: null },
        media_kind: 'video',
        cameras: ['feeder', 'garden'],
        best: { video_id: first.videoId, source: 'video', media_kind: 'video', seconds: 1.5 },
        heard: null,
        detections: [
          {
            video_id: second_.videoId,
            start_time: at(30 * second),
            end_time: at(32 * second),
            confidence: 0.9,
            source: 'audio',
            detection_provider: null,
            reviewed: false,
          },
          { video_id: first.videoId, confidence: 0.8125, source: 'video', detection_provider: 'yolo "11"' },
        ],
      },
    ]);
    expect(body).toHaveLength(1);
  });

  it('with an audio-only visit, names its most confident sound', async () => {
    const from = 20 * hour;
    const call = (startOffset: number, confidence: number) =>
      aDetection({
        speciesName: 'Tawny Owl',
        source: 'audio',
        startOffset,
        endOffset: startOffset + 1.5,
        confidence,
      });
    await query.post(aRecording({ start: start + from, detections: [call(0, 0.4), call(3, 0.6)] }));
    const surer = await query.post(
      aRecording({
        start: start + from + 20 * second,
        end: start + from + 32.5 * second,
        videoPath: 'call.wav',
        detections: [call(4, 0.8)],
      }),
    );
    const { body } = await getTimeline(query, between(from, from + minute));
    expectShape(Type.Array(TimelineItemSchema), body);
    expect(body).toMatchObject([
      {
        heard: {
          detection_id: body[0].detections[0].id,
          video_id: surer.videoId,
          media_kind: 'audio',
          from: 4,
          to: 5.5,
          recording_seconds: 12.5,
        },
      },
    ]);
  });

  it('with a recording without detections, lists it with a negative id', async () => {
    const from = 2 * hour;
    const { videoId } = await query.post(
      aRecording({ start: start + from, end: start + from + 12_250, cameraId: '', detections: [] }),
    );
    const { body } = await getTimeline(query, between(from, from + minute));
    expectShape(Type.Array(TimelineItemSchema), body);
    expect(body).toEqual([
      {
        id: -videoId,
        timeline_kind: 'unlinked_video',
        start_time: at(from),
        end_time: at(from + 12_250),
        max_simultaneous: 0,
        total_recording_seconds: 12.25,
        video_duration_seconds: 12.25,
        weather: { temp: 12.5, clouds: 40 },
        species: {
          id: expect.any(Number),
          name: 'Bird',
          scientific_name: null,
          image_url: null,
          parent_id: expect.any(Number),
          group: 'bird',
        },
        media_kind: 'video',
        cameras: [],
        best: null,
        heard: null,
        thumbhash: null,
        detections: [],
      },
    ]);
  });

  it('with audio recordings and mixed visits, has their media_kind and filters by it', async () => {
    const from = 80 * hour;
    const post = (path: string, offset: number, detections = [aDetection({ source: 'audio' })]) =>
      query.post(aRecording({ start: start + from + offset, videoPath: path, detections }));
    const heard = await post('sound/dawn.WAV', 0);
    const both = await post('sound/noon.flac', 2 * hour);
    await post('sound/noon.mp4', 2 * hour + 20 * second, [aDetection()]);
    const unlinked = await post('sound/night.opus', 4 * hour, []);
    const ask = async (filter: string) =>
      (await getTimeline(query, `${between(from - hour, from + 6 * hour)}${filter}`)).body.map(
        ({ id, media_kind }: { id: number; media_kind: string }) => [id, media_kind],
      );
    const [heardId, bothId] = [heard.visitIds[0], both.visitIds[0]];
    const all = [
      [-unlinked.videoId, 'audio'],
      [bothId, 'video'],
      [heardId, 'audio'],
    ];
    expect(await ask('')).toEqual(all);
    expect(await ask('&media_kind=audio')).toEqual(all);
    expect(await ask('&media_kind=video')).toEqual([[bothId, 'video']]);
    expect((await getTimeline(query, 'date=2026-05-01&media_kind=text')).status).toBe(400);
  });

  it('with sightings with and without a picture, has the kinds image and none', async () => {
    const from = 100 * hour;
    const withoutFile = await query.post(
      aRecording({
        start: start + from,
        videoPath: 'sightings/told.jpg',
        hasFile: false,
        detections: [aDetection({ source: 'audio' })],
      }),
    );
    const seen = await query.post(
      aRecording({ start: start + from + hour, videoPath: 'sightings/seen.jpg', detections: [aDetection()] }),
    );
    const ask = async (filter: string) =>
      (await getTimeline(query, `${between(from - hour, from + 3 * hour)}${filter}`)).body.map(
        ({ id, media_kind, heard }: { id: number; media_kind: string | null; heard: unknown }) => [
          id,
          media_kind,
          heard,
        ],
      );
    const ofImage = [seen.visitIds[0], 'image', null];
    expect(await ask('')).toEqual([ofImage, [withoutFile.visitIds[0], null, null]]);
    expect(await ask('&media_kind=image')).toEqual([ofImage]);
  });

  it('for a date, uses the zone of the settings', async () => {
    const lateInUtc = Date.UTC(2026, 6, 1, 23, 30);
    await query.post(aRecording({ start: lateInUtc }));
    expect((await getTimeline(query, 'date=2026-07-01')).body).toHaveLength(1);
    await query.setSettings({ general: { timezone: 'Europe/Prague' } });
    expect((await getTimeline(query, 'date=2026-07-01')).body).toHaveLength(0);
    expect((await getTimeline(query, 'date=2026-07-02')).body).toHaveLength(1);
    await query.setSettings({});
  });

  it.each([
    ['', 'start_time'],
    ['start_time=1', 'end_time'],
    ['date=2026-13-01', 'date'],
    ['date=2026-05-01&start_time=1&end_time=2', 'date'],
    ['start_time=2&end_time=1', 'end_time'],
    ['start_time=0&end_time=9999999', 'end_time'],
    ['date=2026-05-01&limit=0', 'limit'],
    ['date=2026-05-01&limit=1001', 'limit'],
    ['date=2026-05-01&limit=x', 'limit'],
    ['date=2026-05-01&limit=1e999', 'limit'],
    ['date=2026-05-01&camera_id=a%00b', 'camera_id'],
    ['date=2026-05-01&cursor=abc', 'cursor'],
    ['date=2026-05-01&species_id=0', 'species_id'],
    ['date=2026-05-01&species_id=99999999999', 'species_id'],
    ['date=2026-05-01&min_confidence=1.1', 'min_confidence'],
    ['date=2026-05-01&source=smell', 'source'],
    ['date=2026-05-01&favorite=maybe', 'favorite'],
  ])('with %s, is refused for %s', async (parameters, path) => {
    const { status, body } = await getTimeline(query, parameters);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', path]);
  });

  it.each(['date=0001-01-01', 'date=9999-12-31', 'start_time=-62135596800&end_time=-62135596799&x=y'])(
    'with %s at the edge of the calendar, returns 200',
    async (parameters) => {
      expect(await getTimeline(query, parameters)).toMatchObject({ status: 200, body: [] });
    },
  );
});

describe('the window of GET /timeline', () => {
  let query: TestQuery;
  const from = 10 * hour;
  let visitId: number | undefined;
  let unlinkedId: number;

  beforeAll(async () => {
    query = await createTestQuery();
    for (let step = 0; step < 10; step += 1) {
      const posted = await query.post(
        aRecording({
          start: start + from + step * minute,
          end: start + from + step * minute + 50 * second,
          detections: [aDetection({ speciesName: 'Eurasian Wren', startOffset: 0, endOffset: 50 })],
        }),
      );
      visitId = posted.visitIds[0];
    }
    const unlinked = { start: start + from, end: start + from + 23 * hour, detections: [] };
    unlinkedId = -(await query.post(aRecording({ ...unlinked, videoPath: 'long.mp4' }))).videoId;
  });
  afterAll(() => query.close());

  const end = from + 9 * minute + 50 * second;
  it.each([
    ['starts when the visit ends', end, end + 1, true],
    ['starts a millisecond later', end + 1, end + 2, false],
    ['ends when the visit starts', from - hour, from, false],
    ['ends a millisecond later', from - hour, from + 1, true],
    ['lies within it', from + minute, from + minute + 1, true],
    ['holds it', from - hour, from + hour, true],
  ])('that %s, %s to %s, contains the visit: %s', async (_, low, high, isIn) => {
    const { body } = await getTimeline(
      query,
      `${between(low, high)}&species_id=${await speciesIdOf(query, 'Eurasian Wren')}`,
    );
    expect(body.map((item: { id: number }) => item.id)).toEqual(isIn ? [visitId] : []);
  });

  it.each([
    [from + 23 * hour, true],
    [from + 23 * hour + 1, false],
    [from + 22 * hour, true],
  ])('for a recording of 23 hours, %d ms later, contains it: %s', async (low, isIn) => {
    const { body } = await getTimeline(query, between(low, low + 1));
    expect(body.map((item: { id: number }) => item.id)).toEqual(isIn ? [unlinkedId] : []);
  });
});

describe('the filters of GET /timeline', () => {
  let query: TestQuery;
  const from = 40 * hour;
  const window = between(from, from + 5 * hour);
  const kinds = async (parameters: string) => {
    const { body } = await getTimeline(query, `${window}&${parameters}`);
    return body.map((item: { id: number; species: { name: string } | null; detections: object[] }) =>
      item.species ? `${item.species.name} ${item.detections.length}` : 'Bird 0',
    );
  };

  beforeAll(async () => {
    query = await createTestQuery();
    const robin = (given: object) => aDetection({ speciesName: 'European Robin', ...given });
    await query.post(
      aRecording({
        start: start + from,
        cameraId: 'garden',
        detections: [robin({ confidence: 0.4 }), robin({ confidence: 0.9, source: 'audio' })],
      }),
    );
    const liked = await query.post(
      aRecording({
        start: start + from + 20 * second,
        cameraId: 'nest',
        detections: [robin({ confidence: 0.5 })],
      }),
    );
    await query.post(aRecording({ start: start + from + 2 * hour, cameraId: 'garden' }));
    const empty = aRecording({ start: start + from + 3 * hour, cameraId: 'nest', detections: [] });
    await query.post(empty);
    await query.database.pool.query('UPDATE video SET favorite = true WHERE id = $1', [liked.videoId]);
    await query.notify({ kind: 'recordings', from: start + from, to: start + from + 5 * hour });
  });
  afterAll(() => query.close());

  it.each([
    ['camera_id=nest', ['Bird 0', 'European Robin 3']],
    ['camera_id=garden', ['Great Tit 1', 'European Robin 3']],
    ['camera_id=none-such', []],
    ['min_confidence=0.9', ['Great Tit 1', 'European Robin 3']],
    ['min_confidence=0.91', []],
    ['source=audio', ['European Robin 3']],
    ['source=video', ['Great Tit 1', 'European Robin 3']],
    ['favorite=true', ['European Robin 3']],
    ['favorite=True&hour=&source=', ['European Robin 3']],
    ['favorite=false', ['Bird 0', 'Great Tit 1', 'European Robin 3']],
    ['favorite=false&camera_id=nest', ['Bird 0']],
    ['camera_id=nest&source=audio', []],
    ['camera_id=garden&min_confidence=0.9&source=video', ['Great Tit 1']],
    ['', ['Bird 0', 'Great Tit 1', 'European Robin 3']],
  ])('%s, return %j with all their detections', async (parameters, expected) => {
    expect(await kinds(parameters)).toEqual(expected);
  });

  it('by species, return its visits and no unlinked recordings', async () => {
    expect(await kinds(`species_id=${await speciesIdOf(query, 'European Robin')}`)).toEqual([
      'European Robin 3',
    ]);
  });

  it('by family, return the visits of its species', async () => {
    const { rows } = await query.database.pool.query(
      `SELECT parent_id AS id FROM species WHERE name = 'Great Tit'`,
    );
    expect(await kinds(`taxon_id=${rows[0].id}`)).toEqual(['Great Tit 1']);
    expect(await kinds(`taxon_id=${await speciesIdOf(query, 'Great Tit')}`)).toEqual(['Great Tit 1']);
  });
});

describe('the pages of GET /timeline', () => {
  let query: TestQuery;
  const from = 60 * hour;
  const window = between(from, from + hour);
  const names = ['European Robin', 'Great Tit', 'Eurasian Wren', 'Eurasian Blackbird', 'House Sparrow'];

  beforeAll(async () => {
    query = await createTestQuery();
    const detections = names.map((speciesName) => aDetection({ speciesName }));
    await query.post(aRecording({ start: start + from, detections }));
    await query.post(aRecording({ start: start + from, videoPath: 'twin.mp4', detections: [] }));
    await query.post(aRecording({ start: start + from + 10 * minute, detections: detections.slice(0, 2) }));
  });
  afterAll(() => query.close());

  it.each([1, 2, 3, 7, 8, 100])('of %d, are complete and unique together', async (limit) => {
    const whole = (await getTimeline(query, window)).body;
    expect(whole).toHaveLength(8);
    const read: object[] = [];
    let next: string | undefined = `/api/ui/timeline?${window}&limit=${limit}`;
    while (next) {
      const page = await query.get(next);
      expect(page.body.length).toBeLessThanOrEqual(limit);
      read.push(...page.body);
      next = /^<(.+)>; rel="next"$/.exec(String(page.headers['link'] ?? ''))?.[1];
    }
    expect(read).toEqual(whole);
  });

  it('at the end of the list, have no link', async () => {
    expect((await getTimeline(query, `${window}&limit=8`)).headers['link']).toBeUndefined();
    expect((await getTimeline(query, window)).headers['link']).toBeUndefined();
  });

  it('behind a prefix, have it in the link with the other parameters', async () => {
    const prefixed = { 'x-forwarded-prefix': '/birds' };
    const { headers } = await getTimeline(query, `${window}&limit=2&source=video`, prefixed);
    expect(headers['link']).toMatch(
      /^<\/birds\/api\/ui\/timeline\?start_time=.*&limit=2&source=video&cursor=/,
    );
  });

  it('with an unknown parameter, do not have it in the link, also for the next caller', async () => {
    for (const unknown of ['&x=1', '']) {
      const { headers } = await getTimeline(query, `${window}&limit=3${unknown}`);
      expect(headers['link']).toMatch(
        /^<\/api\/ui\/timeline\?start_time=[^&]*&end_time=[^&]*&limit=3&cursor=/,
      );
    }
  });
});

describe('GET /timeline on many visits', () => {
  let query: TestQuery;
  const from = Date.UTC(2026, 0, 1);
  beforeAll(async () => {
    query = await createTestQuery({ responseCacheMb: 0 });
  });
  afterAll(() => query.close());

  const path = `/api/ui/timeline?start_time=${from / 1000}&end_time=${from / 1000 + 30 * 86_400}`;

  it('with ten or eight thousand of them, takes one statement and returns all', async () => {
    await insertManyVisits(query.database.pool, { count: 10, from, everyMs: 2 * minute });
    expect(await query.countStatements(path)).toBe(1);
    await insertManyVisits(query.database.pool, { count: 7_990, from: from + hour, everyMs: 2 * minute });
    expect(await query.countStatements(path)).toBe(1);
    expect((await query.get(path)).body).toHaveLength(8_000);
  });

  it('with a window of most visits, read repeatedly, returns each time', async () => {
    for (let time = 1; time <= 8; time += 1) expect((await query.get(path)).status).toBe(200);
  });

  it('above the limit of a response, takes two statements a page, with a link to the rest', async () => {
    const later = from + 20 * 24 * hour;
    await insertManyVisits(query.database.pool, { count: 12_002, from: later, everyMs: 70_000 });
    expect(await query.countStatements(path)).toBe(2);
    const { body, headers } = await query.get(path);
    expect(body).toHaveLength(maxItems);
    const next = /^<(.+)>; rel="next"$/.exec(String(headers['link']))?.[1] ?? '';
    const rest = await query.get(next);
    expect(rest.body).toHaveLength(20_002 - maxItems);
    expect(rest.headers['link']).toBeUndefined();
  });

  it('above the limit of detections, ends the page there, with at least one item', async () => {
    const { pool } = query.database;
    const counts = [maxDetections + 1, maxDetections - 1, 1, 1];
    for (const [at, count] of counts.entries())
      await pool.query('UPDATE species_visit SET detection_count = $2 WHERE start_time = $1', [
        new Date(from + hour + at * 2 * minute),
        count,
      ]);
    let next: string | undefined =
      `/api/ui/timeline?start_time=${(from + hour) / 1000}&end_time=${(from + hour + 7 * minute) / 1000}`;
    const lengths: number[] = [];
    while (next) {
      const page = await query.get(next);
      lengths.push(page.body.length);
      next = /^<(.+)>; rel="next"$/.exec(String(page.headers['link'] ?? ''))?.[1];
    }
    expect(lengths).toEqual([3, 1]);
  });

  it('for an hour among thousands, reads no history table completely', async () => {
    const window = [new Date(from + 24 * hour), new Date(from + 25 * hour)];
    const { rows } = await query.database.pool.query(`EXPLAIN ${timelineSql([])}`, [
      ...window,
      null,
      null,
      null,
      1e9,
    ]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Scan using species_visit_start_time_id_idx/);
    expect(plan).not.toMatch(/Seq Scan on (detection|video|species_visit)\b/);
  });
});

describe('GET /visits/:id', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());
  const get = (id: number | string) => query.app.inject({ url: `/api/ui/visits/${id}` });

  it('of a visit, equals that of the timeline', async () => {
    const { visitIds } = await query.post(aRecording({ start, detections: [aDetection()] }));
    const response = await get(visitIds[0] ?? 0);
    expect(response.statusCode).toBe(200);
    expectShape(TimelineItemSchema, response.json());
    expect([response.json()]).toEqual((await getTimeline(query, between(-hour, hour))).body);
  });

  it('of a visit that continues, is up to date', async () => {
    const first = await query.post(aRecording({ start: start + 5 * hour, detections: [aDetection()] }));
    const id = first.visitIds[0] ?? 0;
    expect((await get(id)).json().detections).toHaveLength(1);
    await query.post(
      aRecording({
        start: start + 5 * hour + 20 * second,
        videoPath: 'more.mp4',
        detections: [aDetection()],
      }),
    );
    expect((await get(id)).json().detections).toHaveLength(2);
  });

  it.each([
    ['999999', 404, 'visit_not_found'],
    ['0', 400, 'invalid_request'],
    ['-5', 400, 'invalid_request'],
    ['x', 400, 'invalid_request'],
  ])('with the id %s, is %d', async (id, status, code) => {
    const response = await get(id);
    expect([response.statusCode, response.json().code]).toEqual([status, code]);
  });
});
