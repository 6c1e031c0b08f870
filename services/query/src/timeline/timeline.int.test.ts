import { aDetection, aRecording, insertManyVisits } from '@birdhub/shared/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { TimelineItemSchema } from './timeline.schema.js';
import { timelineSql } from './timeline-sql.js';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const start = Date.UTC(2026, 4, 1, 8);
/** As PostgreSQL writes it: without zeros that say nothing. */
const at = (ms: number) => new Date(start + ms).toISOString().replace(/\.?0*Z$/, '+00:00');

describe('GET /timeline', () => {
  let query: TestQuery;
  const timeline = async (parameters: string, headers?: Record<string, string>) =>
    query.get(`/api/ui/timeline?${parameters}`, headers);
  const between = (from: number, to: number) =>
    `start_time=${(start + from) / 1000}&end_time=${(start + to) / 1000}`;

  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());

  it('a day without anything, is an empty list', async () => {
    expect(await timeline('date=2020-01-01')).toMatchObject({ status: 200, body: [] });
  });

  it('a visit over two recordings of two cameras, lists both, newest first', async () => {
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
    const { body } = await timeline(between(-hour, hour));
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
        cameras: ['feeder', 'garden'],
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

  it('a recording without detections, is an item with minus its number', async () => {
    const from = 2 * hour;
    const { videoId } = await query.post(
      aRecording({ start: start + from, end: start + from + 12_250, cameraId: '', detections: [] }),
    );
    const { body } = await timeline(between(from, from + minute));
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
        species: null,
        cameras: [],
        detections: [],
      },
    ]);
  });

  describe('window membership', () => {
    const from = 10 * hour;
    let visitId: number | undefined;
    let unlinkedId: number;

    beforeAll(async () => {
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

    const end = from + 9 * minute + 50 * second;
    it.each([
      ['starts when the visit ends', end, end + 1, true],
      ['starts a millisecond later', end + 1, end + 2, false],
      ['ends when the visit starts', from - hour, from, false],
      ['ends a millisecond later', from - hour, from + 1, true],
      ['lies within it', from + minute, from + minute + 1, true],
      ['holds it', from - hour, from + hour, true],
    ])('a window that %s, has it: %s %s %s', async (_, low, high, isIn) => {
      const { body } = await timeline(`${between(low, high)}&species_id=${await speciesId('Eurasian Wren')}`);
      expect(body.map((item: { id: number }) => item.id)).toEqual(isIn ? [visitId] : []);
    });

    it.each([
      [from + 23 * hour, true],
      [from + 23 * hour + 1, false],
      [from + 22 * hour, true],
    ])('an unlinked recording of 23 hours, window %d ms after, is in: %s', async (low, isIn) => {
      const { body } = await timeline(between(low, low + 1));
      expect(body.map((item: { id: number }) => item.id)).toEqual(isIn ? [unlinkedId] : []);
    });
  });

  async function speciesId(name: string): Promise<number> {
    const { rows } = await query.database.pool.query<{ id: number }>(
      'SELECT id FROM species WHERE name = $1',
      [name],
    );
    return rows[0]?.id ?? 0;
  }

  describe('filters', () => {
    const from = 40 * hour;
    const window = between(from, from + 5 * hour);
    const kinds = async (parameters: string) => {
      const { body } = await timeline(`${window}&${parameters}`);
      return body.map((item: { id: number; species: { name: string } | null; detections: object[] }) =>
        item.species ? `${item.species.name} ${item.detections.length}` : 'none',
      );
    };

    beforeAll(async () => {
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
      await query.ring({ kind: 'recordings', from: start + from, to: start + from + 5 * hour });
    });

    it.each([
      ['camera_id=nest', ['none', 'European Robin 3']],
      ['camera_id=garden', ['Great Tit 1', 'European Robin 3']],
      ['camera_id=none-such', []],
      ['min_confidence=0.9', ['Great Tit 1', 'European Robin 3']],
      ['min_confidence=0.91', []],
      ['source=audio', ['European Robin 3']],
      ['source=video', ['Great Tit 1', 'European Robin 3']],
      ['favorite=true', ['European Robin 3']],
      ['favorite=false', ['none', 'Great Tit 1', 'European Robin 3']],
      ['favorite=false&camera_id=nest', ['none']],
      ['camera_id=nest&source=audio', []],
      ['camera_id=garden&min_confidence=0.9&source=video', ['Great Tit 1']],
      ['', ['none', 'Great Tit 1', 'European Robin 3']],
    ])('%s, lets in %j with all their detections', async (parameters, expected) => {
      expect(await kinds(parameters)).toEqual(expected);
    });

    it('a species, lets in its visits and no unlinked recordings', async () => {
      expect(await kinds(`species_id=${await speciesId('European Robin')}`)).toEqual(['European Robin 3']);
    });
  });

  describe('pages', () => {
    const from = 60 * hour;
    const window = between(from, from + hour);
    const names = ['European Robin', 'Great Tit', 'Eurasian Wren', 'Eurasian Blackbird', 'House Sparrow'];

    beforeAll(async () => {
      const detections = names.map((speciesName) => aDetection({ speciesName }));
      await query.post(aRecording({ start: start + from, detections }));
      await query.post(aRecording({ start: start + from, videoPath: 'twin.mp4', detections: [] }));
      await query.post(aRecording({ start: start + from + 10 * minute, detections: detections.slice(0, 2) }));
    });

    it.each([1, 2, 3, 7, 8, 100])('by %d, together are the whole list once', async (limit) => {
      const whole = (await timeline(window)).body;
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

    it('the list that ends with its limit, has no link', async () => {
      expect((await timeline(`${window}&limit=8`)).headers['link']).toBeUndefined();
      expect((await timeline(window)).headers['link']).toBeUndefined();
    });

    it('behind a prefix, the link starts with it and keeps the other parameters', async () => {
      const prefixed = { 'x-forwarded-prefix': '/birds' };
      const { headers } = await timeline(`${window}&limit=2&source=video`, prefixed);
      expect(headers['link']).toMatch(
        /^<\/birds\/api\/ui\/timeline\?start_time=.*&limit=2&source=video&cursor=/,
      );
    });
  });

  it('a date, is the day of the zone in the settings', async () => {
    const lateInUtc = Date.UTC(2026, 6, 1, 23, 30);
    await query.post(aRecording({ start: lateInUtc }));
    expect((await timeline('date=2026-07-01')).body).toHaveLength(1);
    await query.setSettings({ general: { timezone: 'Europe/Prague' } });
    expect((await timeline('date=2026-07-01')).body).toHaveLength(0);
    expect((await timeline('date=2026-07-02')).body).toHaveLength(1);
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
    ['date=2026-05-01&cursor=abc', 'cursor'],
    ['date=2026-05-01&species_id=0', 'species_id'],
    ['date=2026-05-01&species_id=99999999999', 'species_id'],
    ['date=2026-05-01&min_confidence=1.1', 'min_confidence'],
    ['date=2026-05-01&source=smell', 'source'],
    ['date=2026-05-01&favorite=maybe', 'favorite'],
  ])('%s, is refused for %s', async (parameters, path) => {
    const { status, body } = await timeline(parameters);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', path]);
  });

  it.each(['date=0001-01-01', 'date=9999-12-31', 'start_time=-62135596800&end_time=-62135596799&x=y'])(
    '%s at the edge of the calendar, is answered',
    async (parameters) => {
      expect(await timeline(parameters)).toMatchObject({ status: 200, body: [] });
    },
  );
});

describe('GET /timeline on many visits', () => {
  let query: TestQuery;
  const from = Date.UTC(2026, 0, 1);
  beforeAll(async () => {
    query = await createTestQuery({ answerCacheMb: 0 });
  });
  afterAll(() => query.close());

  it('ten and ten thousand of them, takes one statement', async () => {
    const path = `/api/ui/timeline?start_time=${from / 1000}&end_time=${from / 1000 + 20 * 86_400}`;
    await insertManyVisits(query.database.pool, { count: 10, from, everyMs: 2 * minute });
    expect(await query.countStatements(path)).toBe(1);
    await insertManyVisits(query.database.pool, { count: 9_990, from: from + hour, everyMs: 2 * minute });
    expect(await query.countStatements(path)).toBe(1);
    expect((await query.get(path)).body).toHaveLength(10_000);
  });

  it('an hour among thousands, reads no table of history as a whole', async () => {
    const window = [new Date(from + 24 * hour), new Date(from + 25 * hour)];
    const { rows } = await query.database.pool.query(`EXPLAIN ${timelineSql([])}`, [
      ...window,
      null,
      null,
      null,
    ]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Scan using species_visit_start_time_id_idx/);
    expect(plan).not.toMatch(/Seq Scan on (detection|video|species_visit)\b/);
  });
});
