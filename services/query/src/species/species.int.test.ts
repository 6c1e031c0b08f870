import { aDetection, aRecording, insertManyVisits, testAuthor } from '@birdhub/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { readPlan } from '../testing/measurements.js';
import { between, getTimeline, hour, minute, speciesIdOf, start } from '../testing/timeline.js';
import { TimelineItemSchema } from '../timeline/timeline.schema.js';
import { BirdFamilySchema, ObservedSpeciesSchema, SpeciesSchema } from './species.schema.js';
import { speciesSummarySql, speciesVisitsSql } from './species.store.js';

describe('GET /species', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());
  const find = async (name: string) => {
    const { body } = await query.get('/api/ui/species');
    return body.find((species: { name: string }) => species.name === name);
  };
  const count = async (name: string) => (await find(name))?.count;

  it('on a new hub, lists the whole catalogue by name with counts of zero', async () => {
    const { body } = await query.get('/api/ui/species');
    expectShape(Type.Array(SpeciesSchema), body);
    expect(body.length).toBeGreaterThan(250);
    const names = body.map((species: { name: string }) => species.name);
    expect(names).toEqual(expect.arrayContaining(['Birds', 'Unknown', 'Great Tit']));
    const { rows } = await query.database.pool.query(
      'SELECT array_agg(name ORDER BY name, id) AS names FROM species',
    );
    expect(names).toEqual(rows[0]?.names);
    expect(new Set(body.map((species: { count: number }) => species.count))).toEqual(new Set([0]));
  });

  it('with visits of one bird and of two at once, counts three birds in two visits', async () => {
    const start = Date.UTC(2026, 4, 1, 8);
    const pair = [aDetection({ trackId: '1' }), aDetection({ trackId: '2' })];
    await query.post(aRecording({ start, detections: pair }));
    await query.post(aRecording({ start: start + 3_600_000 }));
    expect(await find('Great Tit')).toMatchObject({ count: 3, visits: 2, heard_only: false });
  });

  it('with an audio-only species, marks it as heard only until a video shows it', async () => {
    const start = Date.UTC(2026, 4, 1, 22);
    const post = (at: number, source: 'audio' | 'video') =>
      query.post(
        aRecording({ start: at, detections: [aDetection({ speciesName: 'Tawny Owl', source, frames: [] })] }),
      );
    expect(await find('Tawny Owl')).toMatchObject({ visits: 0, heard_only: false });
    await post(start, 'audio');
    expect(await find('Tawny Owl')).toMatchObject({ visits: 1, heard_only: true });
    const { videoId } = await post(start + 3_600_000, 'video');
    expect(await find('Tawny Owl')).toMatchObject({ visits: 2, heard_only: false });
    await query.writer.remove(videoId, testAuthor);
    await query.notify({ kind: 'everything' });
    expect(await find('Tawny Owl')).toMatchObject({ visits: 1, heard_only: true });
  });

  it('with an unknown name, lists it with the recording that contained it', async () => {
    await query.post(
      aRecording({ start: Date.UTC(2026, 4, 2), detections: [aDetection({ speciesName: 'Pink Phoenix' })] }),
    );
    expect(await count('Pink Phoenix')).toBe(1);
  });

  it('with observed=true, lists only observed species, without merged ones', async () => {
    const { videoId } = await query.post(
      aRecording({ start: Date.UTC(2026, 4, 3), detections: [aDetection({ speciesName: 'Blue Bird' })] }),
    );
    const observed = async () => {
      const { body } = await query.get('/api/ui/species/observed');
      expectShape(Type.Array(ObservedSpeciesSchema), body);
      return body.map((species: { name: string; count: number }) => [species.name, species.count]);
    };
    expect(await observed()).toEqual([
      ['Blue Bird', 1],
      ['Great Tit', 3],
      ['Pink Phoenix', 1],
      ['Tawny Owl', 1],
    ]);
    await query.writer.remove(videoId, testAuthor);
    await query.notify({ kind: 'everything' });
    expect((await observed()).map(([name]: [string]) => name)).toEqual([
      'Great Tit',
      'Pink Phoenix',
      'Tawny Owl',
    ]);
  });

  it('with an observed species, has its first and latest visit and its visits by month of all years', async () => {
    const starts = [Date.UTC(2024, 0, 5, 10), Date.UTC(2025, 0, 6, 10), Date.UTC(2025, 11, 7, 10)];
    for (const start of starts)
      await query.post(aRecording({ start, detections: [aDetection({ speciesName: 'Common Kingfisher' })] }));
    const { body } = await query.get('/api/ui/species/observed');
    const kingfisher = body.find(({ name }: { name: string }) => name === 'Common Kingfisher');
    expect(kingfisher.monthly_visits).toEqual([2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    const { first_visit_at, last_visit_at } = kingfisher;
    expect([first_visit_at, last_visit_at].map((at) => Date.parse(at))).toEqual([starts[0], starts[2]]);
  });

  it('with few or ten thousand visits, takes one statement', async () => {
    await query.notify({ kind: 'everything' });
    expect(await query.countStatements('/api/ui/species')).toBe(1);
    await insertManyVisits(query.database.pool, {
      count: 10_000,
      from: Date.UTC(2025, 0, 1),
      everyMs: 120_000,
    });
    await query.notify({ kind: 'everything' });
    expect(await query.countStatements('/api/ui/species')).toBe(1);
  });
});

describe('GET /bird_families', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());

  it('on a new hub, lists only the families of the catalogue, by name', async () => {
    const { body } = await query.get('/api/ui/bird_families');
    expectShape(Type.Array(BirdFamilySchema), body);
    const { rows } = await query.database.pool.query(
      `SELECT id, name FROM species WHERE rank = 'family' ORDER BY name, id`,
    );
    expect(rows.length).toBeGreaterThan(20);
    expect(body).toEqual(rows);
  });

  it('with a renamed family, has its new name after the change notice', async () => {
    const { body } = await query.get('/api/ui/bird_families');
    await query.database.pool.query(`UPDATE species SET name = 'Aaa' WHERE id = $1`, [body.at(-1).id]);
    await query.notify({ kind: 'species' });
    expect((await query.get('/api/ui/bird_families')).body[0]).toEqual({ id: body.at(-1).id, name: 'Aaa' });
  });
});

/** One species at each level of the tree, from a family down to a form. */
const levels = ['Little Family', 'Little Species', 'Little Form'];

describe('GET /species/:id/visits', () => {
  let query: TestQuery;
  const ids = new Map<string, number>();
  beforeAll(async () => {
    query = await createTestQuery();
    const detections = levels.map((speciesName) => aDetection({ speciesName }));
    await query.post(aRecording({ start, detections: [...detections, aDetection()] }));
    for (const name of levels) ids.set(name, await speciesIdOf(query, name));
    for (const [at, name] of levels.slice(1).entries())
      await query.database.pool.query('UPDATE species SET parent_id = $2 WHERE id = $1', [
        ids.get(name),
        ids.get(levels[at] ?? ''),
      ]);
    await query.post(aRecording({ start: start + hour, detections: detections.slice(2) }));
    await query.post(aRecording({ start: start + 2 * hour, detections: detections.slice(0, 1) }));
    await query.notify({ kind: 'everything' });
  });
  afterAll(() => query.close());
  const get = (name: string, parameters = '', headers = {}) =>
    query.get(`/api/ui/species/${ids.get(name)}/visits?${parameters}`, headers);
  const namesOf = (items: { species: { name: string } }[]) => items.map(({ species }) => species.name);

  it('of a species with descendants, lists its visits and theirs', async () => {
    const { body } = await get('Little Species');
    expectShape(Type.Array(TimelineItemSchema), body);
    expect(namesOf(body)).toEqual(['Little Form', 'Little Form', 'Little Species']);
    expect(namesOf((await get('Little Family')).body)).toHaveLength(5);
    expect(namesOf((await get('Little Form')).body)).toHaveLength(2);
  });

  it('of any species, equals the visits of the timeline', async () => {
    const timeline = (await getTimeline(query, between(-hour, 3 * hour))).body;
    const little = timeline.filter(({ species }: { species: { name: string } }) =>
      levels.includes(species.name),
    );
    expect((await get('Little Family')).body).toEqual(little);
  });

  it.each([1, 2, 4, 5, 200])('in pages of %d, is complete and unique', async (limit) => {
    const whole = (await get('Little Family')).body;
    const read: object[] = [];
    let next: string | undefined = `/api/ui/species/${ids.get('Little Family')}/visits?limit=${limit}`;
    while (next) {
      const page = await query.get(next);
      expect(page.body.length).toBeLessThanOrEqual(limit);
      read.push(...page.body);
      next = /^<(.+)>; rel="next"$/.exec(String(page.headers['link'] ?? ''))?.[1];
    }
    expect(read).toEqual(whole);
  });

  it('behind a prefix, has it in the link', async () => {
    const { headers } = await get('Little Family', 'limit=2', { 'x-forwarded-prefix': '/birds' });
    expect(headers['link']).toMatch(/^<\/birds\/api\/ui\/species\/\d+\/visits\?limit=2&cursor=/);
  });

  it('of a species without visits, is an empty list', async () => {
    const wren = await speciesIdOf(query, 'Eurasian Wren');
    expect((await query.get(`/api/ui/species/${wren}/visits`)).body).toEqual([]);
  });

  it('after a post, has the new visit', async () => {
    const before = (await get('Little Form')).body.length;
    const detections = [aDetection({ speciesName: 'Little Form' })];
    await query.post(aRecording({ start: start + 2 * hour + 5 * minute, detections }));
    expect((await get('Little Form')).body).toHaveLength(before + 1);
  });

  it.each([
    ['/api/ui/species/999999/visits', 404, 'species_not_found'],
    ['/api/ui/species/9007199254740991/visits', 404, 'species_not_found'],
    ['/api/ui/species/x/visits', 400, 'invalid_request'],
    ['/api/ui/species/1/visits?limit=0', 400, 'invalid_request'],
    ['/api/ui/species/1/visits?limit=201', 400, 'invalid_request'],
    ['/api/ui/species/1/visits?cursor=abc', 400, 'invalid_request'],
  ])('%s, is %d %s', async (path, status, code) => {
    expect(await query.get(path)).toMatchObject({ status, body: { code } });
  });
});

describe('a species with many visits', () => {
  let query: TestQuery;
  let speciesId: number;
  const everyMs = 30 * minute;
  const from = Date.UTC(2026, 0, 1);
  const end = from + 10_000 * everyMs;
  beforeAll(async () => {
    query = await createTestQuery({ responseCacheMb: 0 });
    query.clock.set(end);
    const { rows } = await query.database.pool.query(
      `SELECT id FROM species WHERE rank = 'species' AND NOT generic ORDER BY id LIMIT 1`,
    );
    speciesId = rows[0].id;
  });
  afterAll(() => query.close());

  it('with ten or ten thousand visits, takes the same number of statements', async () => {
    const path = `/api/ui/species/${speciesId}`;
    const { pool } = query.database;
    await insertManyVisits(pool, { count: 10, from, everyMs });
    expect(await query.countStatements(`${path}/summary`)).toBe(2);
    expect(await query.countStatements(`${path}/visits`)).toBe(1);
    await insertManyVisits(pool, { count: 9_990, from: from + 6 * hour, everyMs });
    expect(await query.countStatements(`${path}/summary`)).toBe(2);
    expect(await query.countStatements(`${path}/visits`)).toBe(1);
  });

  it.each([
    ['the summary', speciesSummarySql, () => [speciesId, new Date(end), [new Date(from)], [0], 'en']],
    ['the first page', speciesVisitsSql, () => [speciesId, null, null, 50, 1e9]],
    ['a later page', speciesVisitsSql, () => [speciesId, new Date(from), 1, 50, 1e9]],
  ])('%s, reads no history table completely', async (_, sql, values) => {
    const plan = await readPlan(query.database.pool, sql, values());
    expect(plan).toMatch(/Index Scan Backward using species_visit_/);
    expect(plan).not.toMatch(/Seq Scan on (detection|video|video_food|species_visit)\b/);
  });
});
