import { aDetection, anAuthor, aRecording, insertManyVisits } from '@birdhub/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { BirdFamilySchema, SpeciesSchema } from './species.schema.js';

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

  it('a new hub, lists the whole catalogue by name with counts of zero', async () => {
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

  it('two birds at once in one visit and one in another, counts three birds in two visits', async () => {
    const start = Date.UTC(2026, 4, 1, 8);
    const pair = [aDetection({ trackId: '1' }), aDetection({ trackId: '2' })];
    await query.post(aRecording({ start, detections: pair }));
    await query.post(aRecording({ start: start + 3_600_000 }));
    expect(await find('Great Tit')).toMatchObject({ count: 3, visits: 2, heard_only: false });
  });

  it('a species that was heard, is heard only until it is seen', async () => {
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
    await query.writer.remove(videoId, anAuthor);
    await query.ring({ kind: 'everything' });
    expect(await find('Tawny Owl')).toMatchObject({ visits: 1, heard_only: true });
  });

  it('a name that nobody knew, is there with the recording that brought it', async () => {
    await query.post(
      aRecording({ start: Date.UTC(2026, 4, 2), detections: [aDetection({ speciesName: 'Pink Phoenix' })] }),
    );
    expect(await count('Pink Phoenix')).toBe(1);
  });

  it('asked for those that were observed, lists them alone, and none that is gone', async () => {
    const { videoId } = await query.post(
      aRecording({ start: Date.UTC(2026, 4, 3), detections: [aDetection({ speciesName: 'Blue Bird' })] }),
    );
    const observed = async () => {
      const { body } = await query.get('/api/ui/species/observed');
      expectShape(Type.Array(SpeciesSchema), body);
      return body.map((species: { name: string; count: number }) => [species.name, species.count]);
    };
    expect(await observed()).toEqual([
      ['Blue Bird', 1],
      ['Great Tit', 3],
      ['Pink Phoenix', 1],
      ['Tawny Owl', 1],
    ]);
    await query.writer.remove(videoId, anAuthor);
    await query.ring({ kind: 'everything' });
    expect((await observed()).map(([name]: [string]) => name)).toEqual([
      'Great Tit',
      'Pink Phoenix',
      'Tawny Owl',
    ]);
  });

  it('few visits and ten thousand, takes one statement', async () => {
    await query.ring({ kind: 'everything' });
    expect(await query.countStatements('/api/ui/species')).toBe(1);
    await insertManyVisits(query.database.pool, {
      count: 10_000,
      from: Date.UTC(2025, 0, 1),
      everyMs: 120_000,
    });
    await query.ring({ kind: 'everything' });
    expect(await query.countStatements('/api/ui/species')).toBe(1);
  });
});

describe('GET /bird_families', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());

  it('a new hub, lists the families of the catalogue by name and nothing else', async () => {
    const { body } = await query.get('/api/ui/bird_families');
    expectShape(Type.Array(BirdFamilySchema), body);
    const { rows } = await query.database.pool.query(
      `SELECT id, name FROM species WHERE rank = 'family' ORDER BY name, id`,
    );
    expect(rows.length).toBeGreaterThan(20);
    expect(body).toEqual(rows);
  });

  it('a family gets another name, is shown as soon as the bell rings', async () => {
    const { body } = await query.get('/api/ui/bird_families');
    await query.database.pool.query(`UPDATE species SET name = 'Aaa' WHERE id = $1`, [body.at(-1).id]);
    await query.ring({ kind: 'species' });
    expect((await query.get('/api/ui/bird_families')).body[0]).toEqual({ id: body.at(-1).id, name: 'Aaa' });
  });
});
