import { storePictureFacts } from '@birdhub/domain/media';
import { aDetection, aRecording, writeUnchecked } from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { readPlan } from '../testing/measurements.js';
import { speciesIdOf } from '../testing/timeline.js';
import { type Highlight, HighlightSchema, PastDaySchema } from './highlights.schema.js';
import { candidatesSql } from './highlights.store.js';

const hour = 3_600_000;
const day = 24 * hour;
const noon = Date.UTC(2026, 4, 1, 12);
const thumbhash = 'YTkGJwaRhWUIt4lbgnhZl3ath2BUBGYA';
const sharp = { width: 600, height: 500, sharpness: 0.9, thumbhash };
const box = [0.1, 0.1, 0.6, 0.6] as const;

describe('GET /highlights', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());
  beforeEach(async () => {
    query.clock.set(noon + 3 * hour);
    await query.database.pool.query(
      'TRUNCATE video, species_visit, visit_day, visit_month, species_total, outbox CASCADE',
    );
    await query.notify({ kind: 'species' });
  });

  const get = async (parameters = ''): Promise<Highlight[]> => {
    const { body } = await query.get(`/api/ui/highlights?${parameters}`);
    for (const one of body) expectShape(HighlightSchema, one);
    return body;
  };
  const namesOf = (highlights: readonly Highlight[]) => highlights.map(({ species }) => species.name);

  /** Stores a recording with one bird; returns its detection. */
  async function post(
    at: number,
    name: string,
    more: Parameters<typeof aDetection>[0] = {},
  ): Promise<number> {
    const detections = [aDetection({ speciesName: name, ...more })];
    const { videoId } = await query.post(
      aRecording({ start: at, videoPath: `${name}-${at}.mp4`, detections }),
    );
    await query.database.pool.query(`UPDATE video SET media = 'ready' WHERE id = $1`, [videoId]);
    const { rows } = await query.database.pool.query('SELECT id FROM detection WHERE video_id = $1', [
      videoId,
    ]);
    return rows[0].id;
  }

  const measure = (detectionId: number, facts: Partial<typeof sharp> = {}) =>
    storePictureFacts(
      query.database.pool,
      { detectionId, seconds: 2.5, box: [...box] },
      { ...sharp, ...facts },
    );

  it('an empty hub, has none', async () => {
    expect(await get()).toEqual([]);
  });

  it('with a sharp picture, lists it before a blurred and an unmeasured one', async () => {
    const [blurred, clear] = [await post(noon, 'Great Tit'), await post(noon + hour, 'European Robin')];
    await post(noon + 2 * hour, 'Eurasian Wren');
    await measure(blurred, { sharpness: 0.05, width: 64, height: 64 });
    await measure(clear);
    const [first, ...rest] = await get();
    expect(first).toMatchObject({
      detection_id: clear,
      seconds: 2.5,
      thumbhash,
      source: 'video',
      heard: null,
      reasons: expect.arrayContaining(['sharp', 'large']),
    });
    expect(namesOf(rest).toSorted()).toEqual(['Eurasian Wren', 'Great Tit']);
  });

  it('with unmeasured pictures, as after an upgrade, lists them', async () => {
    const id = await post(noon, 'Great Tit');
    expect(await get()).toMatchObject([{ detection_id: id, thumbhash: null, seconds: expect.any(Number) }]);
  });

  it('with a species only heard, lists it last with the place of its sound', async () => {
    const heard = await post(noon, 'Tawny Owl', { source: 'audio', confidence: 0.99 });
    await post(noon + hour, 'Great Tit', { confidence: 0.3 });
    const highlights = await get();
    expect(namesOf(highlights)).toEqual(['Great Tit', 'Tawny Owl']);
    expect(highlights[1]).toMatchObject({
      source: 'audio',
      heard: { detection_id: heard, from: expect.any(Number) },
    });
  });

  it('with a deleted file, leaves the recording out and deletes the data of its picture', async () => {
    const id = await post(noon, 'Great Tit');
    await measure(id);
    await query.database.pool.query(`UPDATE video SET media = 'purged'`);
    await query.notify({ kind: 'recordings', from: noon, to: noon + hour });
    expect(await get()).toEqual([]);
    expect((await query.database.pool.query('SELECT FROM detection_picture')).rowCount).toBe(0);
  });

  it('with a species whose latest visits have no files, lists its visit with one', async () => {
    const id = await post(noon, 'Great Tit');
    for (const after of [1, 2, 3]) await post(noon + after * hour, 'Great Tit');
    await query.database.pool.query(`UPDATE video SET media = 'missing' WHERE start_time > $1`, [
      new Date(noon + hour / 2),
    ]);
    await query.notify({ kind: 'recordings', from: noon, to: noon + 4 * hour });
    expect(await get()).toMatchObject([{ detection_id: id }]);
  });

  it('with a favourite, lists it first with that reason', async () => {
    const ids = [await post(noon, 'Great Tit'), await post(noon + hour, 'European Robin')];
    for (const id of ids) await measure(id);
    await query.database.pool.query(
      'UPDATE video SET favorite = true WHERE id = (SELECT video_id FROM detection WHERE id = $1)',
      [ids[0]],
    );
    await query.notify({ kind: 'recordings', from: noon, to: noon + hour });
    const [first] = await get();
    expect(first).toMatchObject({ detection_id: ids[0], favorite: true });
    expect(first?.reasons).toContain('favorite');
  });

  it('with a first ever visit, drops this reason when an earlier visit is posted', async () => {
    await post(noon - 40 * day, 'European Robin');
    await post(noon, 'Great Tit');
    const window = `start_time=${(noon - hour) / 1000}&end_time=${(noon + hour) / 1000}`;
    expect((await get(window))[0]?.reasons).toContain('first_ever');
    await post(noon - 20 * day, 'Great Tit');
    expect((await get(window))[0]?.reasons).not.toContain('first_ever');
  });

  it('with a corrected detection, lists it under its new species', async () => {
    const id = await post(noon, 'Great Tit');
    await measure(id);
    const wren = await speciesIdOf(query, 'Eurasian Wren');
    await query.change('PATCH', `/api/ui/detections/${id}`, { species_id: wren });
    expect(await get(`species_id=${wren}`)).toMatchObject([{ detection_id: id, thumbhash }]);
    expect(await get(`species_id=${await speciesIdOf(query, 'Great Tit')}`)).toEqual([]);
  });

  it('with a time window and a limit, lists only these', async () => {
    for (const [at, name] of [
      [noon - day, 'Great Tit'],
      [noon, 'European Robin'],
      [noon + hour, 'Eurasian Wren'],
    ] as const)
      await measure(await post(at, name));
    const window = `start_time=${(noon - hour) / 1000}&end_time=${(noon + 2 * hour) / 1000}`;
    expect(namesOf(await get(window)).toSorted()).toEqual(['Eurasian Wren', 'European Robin']);
    expect(await get(`${window}&limit=1`)).toHaveLength(1);
    expect(await get()).toHaveLength(3);
  });

  it('with the generic bird and other animals, leaves them out', async () => {
    await measure(await post(noon, 'Bird'));
    expect(await get()).toEqual([]);
  });

  it.each([
    ['start_time=1', 'end_time'],
    ['end_time=1', 'start_time'],
    ['start_time=2&end_time=1', 'end_time'],
    ['start_time=x&end_time=1', 'start_time'],
    ['limit=0', 'limit'],
    ['limit=51', 'limit'],
    ['species_id=0', 'species_id'],
  ])('%s, is refused for %s', async (parameters, at) => {
    const { status, body } = await query.get(`/api/ui/highlights?${parameters}`);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', at]);
  });

  describe('on this day', () => {
    const past = (parameters = '') => query.get(`/api/ui/highlights/on-this-day?${parameters}`);

    it('with birds on that day of other years, lists these years, the latest first', async () => {
      await measure(await post(Date.UTC(2024, 4, 1, 9), 'Great Tit'));
      await measure(await post(Date.UTC(2025, 4, 1, 9), 'European Robin'));
      await measure(await post(Date.UTC(2025, 4, 2, 9), 'Eurasian Wren'));
      await measure(await post(noon, 'Great Tit'));
      const { body } = await past();
      for (const one of body) expectShape(PastDaySchema, one);
      expect(body).toMatchObject([
        {
          date: '2025-05-01',
          years_ago: 1,
          visits: 1,
          species: 1,
          highlights: [{ species: { name: 'European Robin' } }],
        },
        {
          date: '2024-05-01',
          years_ago: 2,
          visits: 1,
          species: 1,
          highlights: [{ species: { name: 'Great Tit' } }],
        },
      ]);
      expect((await past('date=2026-05-02')).body).toMatchObject([{ date: '2025-05-02' }]);
    });

    it('on 29 February, lists leap years', async () => {
      await post(Date.UTC(2020, 1, 29, 9), 'Great Tit');
      expect((await past('date=2024-02-29')).body).toMatchObject([{ date: '2020-02-29', years_ago: 4 }]);
    });

    it.each(['date=2026-02-30', 'date=today'])('%s, is refused for date', async (parameters) => {
      const { status, body } = await past(parameters);
      expect([status, body.details[0].path]).toEqual([400, 'date']);
    });
  });
});

describe('GET /highlights on a long history', () => {
  let query: TestQuery;
  const species = 40;
  const pictures = 60_000;
  const from = Date.UTC(2016, 0, 1);
  const to = from + 10 * 365 * day;
  beforeAll(async () => {
    query = await createTestQuery({ responseCacheMb: 0 });
    const { pool } = query.database;
    await writeUnchecked(
      pool,
      `
      WITH kind AS (SELECT array_agg(id ORDER BY id) AS ids FROM (
        SELECT id FROM species WHERE NOT generic AND rank = 'species' AND species_group = 'bird' ORDER BY id LIMIT ${species}) s
      ), row AS (
        SELECT n, ids[1 + (n * 7 + n / 40) % ${species}] AS species_id,
          to_timestamp(${from / 1000} + n * ${(to - from) / 1000 / pictures}) AS at
        FROM generate_series(1, ${pictures}) n, kind
      ), v AS (
        INSERT INTO video (id, video_path, start_time, end_time, media, content_hash)
        OVERRIDING SYSTEM VALUE SELECT n, n || '.mp4', at, at + interval '20 s', 'ready', '' FROM row
      ), visit AS (
        INSERT INTO species_visit (id, species_id, start_time, end_time, max_simultaneous, detection_count, video_count)
        OVERRIDING SYSTEM VALUE SELECT n, species_id, at, at + interval '5 s', 1, 1, 1 FROM row
      ), seen AS (
        INSERT INTO detection (id, video_id, species_id, visit_id, start_time, end_time, start_offset, end_offset,
          confidence, source, posted_name)
        OVERRIDING SYSTEM VALUE SELECT n, n, species_id, n, at, at + interval '5 s', 0, 5, 0.8, 'video', 'x' FROM row
      ), days AS (
        INSERT INTO visit_day (day, species_id, visits, individuals, video_visits, detections, seconds)
        SELECT (at AT TIME ZONE 'UTC')::date, species_id, count(*), count(*), count(*), count(*), 1 FROM row GROUP BY 1, 2
      )
      INSERT INTO species_total (species_id, visits, individuals)
      SELECT species_id, count(*), count(*) FROM row GROUP BY 1`,
    );
    await writeUnchecked(
      pool,
      `
      INSERT INTO detection_picture
      SELECT id, species_id, start_time, 1, 300, 300, 0.1, 0.5, (id * 79 % 1000) / 1000.0, 'YTkGJwaRhWUIt4lbgnhZl3ath2BUBGYA'
      FROM detection`,
    );
    await pool.query('ANALYZE');
  });
  afterAll(() => query.close());

  it.each([
    ['all ten years', from, to],
    ['a year', to - 365 * day, to],
    ['a day', to - day, to],
  ])('%s, reads no history table completely', async (_, start, end) => {
    const days = [start, end - 1].map((at) => new Date(at).toISOString().slice(0, 10));
    const values = [new Date(start), new Date(end), ...days, 6, null];
    const plan = await readPlan(query.database.pool, candidatesSql, values);
    expect(plan).toMatch(/Index (Only )?Scan using detection_picture_(quality|time)_idx/);
    expect(plan).not.toMatch(/Seq Scan on (detection|video|species_visit|detection_picture)\b/);
    const path = `/api/ui/highlights?start_time=${start / 1000}&end_time=${end / 1000}`;
    const { body } = await query.get(path);
    expect(body).toHaveLength(12);
    expect(await query.countStatements(path)).toBe(2);
  });
});
