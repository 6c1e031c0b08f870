import { aDetection } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { speciesIdOf } from '../testing/timeline.js';
import { MergeResponseSchema, SpeciesSchema } from './species.schema.js';

describe('PATCH /species/:id', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());

  const rows = async (sql: string) => (await query.database.pool.query(sql)).rows;
  const patch = (id: number, body: object) => query.change('PATCH', `/api/ui/species/${id}`, body);
  const listed = async (id: number) =>
    (await query.get('/api/ui/species')).body.find((species: { id: number }) => species.id === id);

  it('with every field, is returned as in the list, and logged without the values', async () => {
    const [id, parent_id] = [await speciesIdOf(query, 'Great Tit'), await speciesIdOf(query, 'Birds')];
    const fields = {
      name: 'Kohlmeise',
      scientific_name: 'Parus major major',
      active: true,
      image_url: '/data/kohlmeise.jpg',
      description: 'Frisst\ngerne.',
    };
    const response = await patch(id, { ...fields, ebird_code: 'gretit9', parent_id });
    expect(response.status).toBe(200);
    expectShape(SpeciesSchema, response.body);
    expect(response.body).toMatchObject({ id, ...fields, image_url: 'data/kohlmeise.jpg', parent_id });
    expect(await listed(id)).toEqual(response.body);
    const data = {
      species_id: id,
      fields: ['name', 'scientific_name', 'active', 'image_url', 'description', 'ebird_code', 'parent_id'],
      visits_changed: true,
    };
    expect(await rows(`SELECT data FROM activity_log WHERE type = 'species_edited'`)).toEqual([{ data }]);
    expect(await rows(`SELECT payload FROM outbox WHERE subject = 'hub.v1.species.edited'`)).toEqual([
      { payload: data },
    ]);
  });

  it('with a new name, keeps the old names as aliases', async () => {
    const id = await speciesIdOf(query, 'Coal Tit');
    await patch(id, { name: '  Tannen  Meise ' });
    expect((await listed(id)).name).toBe('Tannen Meise');
    for (const [at, speciesName] of ['tannen-meise', 'Coal Tit', 'Periparus ater'].entries()) {
      const { videoId } = await query.post({
        videoPath: `${at}.mp4`,
        detections: [aDetection({ speciesName })],
      });
      const { body } = await query.get(`/api/ui/videos/${videoId}`);
      expect(body.species[0]).toMatchObject({ species_id: id, species_name: 'Tannen Meise' });
    }
  });

  it('with the same values or none, changes nothing and writes no event', async () => {
    const id = await speciesIdOf(query, 'Marsh Tit');
    const before = await rows('SELECT count(*) FROM outbox');
    for (const body of [{}, { name: 'Marsh Tit', active: false }]) {
      const response = await patch(id, body);
      expect([response.status, response.headers['x-hub-consistency-token']]).toEqual([200, undefined]);
    }
    expect(await rows('SELECT count(*) FROM outbox')).toEqual(before);
  });

  it('with null, removes the entered values and falls back to those of the encyclopedia', async () => {
    const id = await speciesIdOf(query, 'Marsh Tit');
    await patch(id, { image_url: 'https://example.org/a.jpg', description: 'Mine', ebird_code: null });
    await query.database.pool.query(
      `INSERT INTO species_info (species_id, state, asked_for, description, fetched_at, ask_again_at)
       VALUES ($1, 'found', '', 'Theirs', now(), now())`,
      [id],
    );
    const { body } = await patch(id, { image_url: null, description: null });
    expect(body).toMatchObject({ image_url: null, description: 'Theirs' });
  });

  it.each([
    ['an unknown field', { colour: 'blue' }, 400, '/colour'],
    ['an empty name', { name: '' }, 400, '/name'],
    ['a name that nobody sees', { name: '\u200b ' }, 400, '/name'],
    ['a name that is half a character', { name: '\ud800' }, 400, '/name'],
    ['a name with NUL', { name: 'a\u0000b' }, 400, '/name'],
    ['a name that is null', { name: null }, 400, '/name'],
    ['a name that another species has', { name: 'eurasian-blue-tit' }, 409, '/name'],
    [
      'a scientific name that another species has',
      { scientific_name: 'Cyanistes caeruleus' },
      409,
      '/scientific_name',
    ],
    ['an eBird code that another species has', { ebird_code: 'blutit' }, 409, '/ebird_code'],
    ['a script for a picture', { image_url: 'javascript:alert(1)' }, 400, '/image_url'],
    ['a picture of a host without a scheme', { image_url: '//example.org/a.jpg' }, 400, '/image_url'],
    ['a text with NUL', { description: 'a\u0000b' }, 400, '/description'],
    ['a text with half a character', { description: 'a\ud800' }, 400, '/description'],
    ['a parent that there is not', { parent_id: 999_999 }, 404, '/parent_id'],
  ])('with %s, is refused naming the field, and changes nothing', async (_, body, status, path) => {
    const id = await speciesIdOf(query, 'Willow Tit');
    const before = await listed(id);
    const response = await patch(id, { active: true, ...body });
    expect(response).toMatchObject({ status, body: { details: [{ path }] } });
    expect(await listed(id)).toEqual(before);
  });

  it('with a parent below itself, of the root or of an unknown species, is refused', async () => {
    const [root, junco] = [await speciesIdOf(query, 'Birds'), await speciesIdOf(query, 'Dark-eyed Junco')];
    const [{ id: form }] = await rows(`SELECT id FROM species WHERE parent_id = ${junco} LIMIT 1`);
    for (const parent_id of [junco, form])
      expect(await patch(junco, { parent_id })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', details: [{ path: '/parent_id' }] },
      });
    expect((await patch(root, { parent_id: junco })).status).toBe(400);
    expect(await patch(999_999, { active: true })).toMatchObject({
      status: 404,
      body: { code: 'species_not_found' },
    });
  });

  it('with another parent of a form, joins its audio-only runs to the visits of that', async () => {
    const start = Date.UTC(2026, 5, 1, 8);
    const seen = aDetection({ speciesName: 'Eurasian Blue Tit' });
    const heard = aDetection({ speciesName: 'Crested Tit', source: 'audio', startOffset: 4, endOffset: 6 });
    await query.post({ start, detections: [seen, heard] });
    const window = `start_time=${start / 1000}&end_time=${start / 1000 + 60}`;
    const timeline = async () => (await query.get(`/api/ui/timeline?${window}`)).body;
    expect(await timeline()).toHaveLength(2);
    const [blue, crested] = [
      await speciesIdOf(query, 'Eurasian Blue Tit'),
      await speciesIdOf(query, 'Crested Tit'),
    ];
    expect((await patch(blue, { parent_id: crested })).status).toBe(200);
    const [visit, ...others] = await timeline();
    expect(others).toEqual([]);
    expect(visit).toMatchObject({ species: { id: blue, parent_id: crested } });
    expect(visit.detections).toHaveLength(2);
    expect((await listed(crested)).count).toBe(0);
    await patch(blue, { parent_id: null });
    expect(await timeline()).toHaveLength(2);
    expect((await listed(crested)).count).toBe(1);
  });
});

const start = Date.UTC(2026, 4, 1, 8);
const hour = 3_600_000;

describe('POST /species/:id/merge', () => {
  let query: TestQuery;
  let blue: number;
  let great: number;
  beforeAll(async () => {
    query = await createTestQuery();
    query.clock.set(start + 3 * hour);
    blue = await speciesIdOf(query, 'Eurasian Blue Tit');
    great = await speciesIdOf(query, 'Great Tit');
    for (const [at, speciesName] of ['Eurasian Blue Tit', 'Great Tit', 'Eurasian Blue Tit'].entries())
      await query.post({ start: start + at * 20_000, detections: [aDetection({ speciesName })] });
    await query.post({ start: start + hour, detections: [aDetection({ speciesName: 'Eurasian Blue Tit' })] });
  });
  afterAll(() => query.close());

  const merge = (id: number, into_species_id: unknown) =>
    query.change('POST', `/api/ui/species/${id}/merge`, { into_species_id });
  const find = async (path: string, id: number) =>
    (await query.get(path)).body.find((species: { id: number }) => species.id === id);

  /** All responses with counts of the two species. */
  async function look() {
    const window = `start_time=${start / 1000}&end_time=${start / 1000 + 7_200}`;
    const paths = [
      '/api/ui/species',
      '/api/ui/species/observed',
      `/api/ui/species/${blue}/summary`,
      `/api/ui/species/${great}/summary`,
      '/api/ui/migration-calendar?catalog=full',
      '/api/ui/overview?date=2026-05-01',
    ];
    const bodies = await Promise.all(paths.map(async (path) => (await query.get(path)).body));
    const timeline = (await query.get(`/api/ui/timeline?${window}`)).body;
    return { bodies, timeline };
  }

  it('of two species, makes them one in every list, and undone makes them two again', async () => {
    const before = await look();
    const response = await merge(blue, great);
    expect(response.status).toBe(200);
    expectShape(MergeResponseSchema, response.body);
    expect(response.body).toMatchObject({ message: 'success', moved_detections: 3 });

    expect(await find('/api/ui/species', blue)).toBeUndefined();
    expect(await find('/api/ui/species/observed', great)).toMatchObject({ count: 2 });
    const { timeline } = await look();
    expect(timeline.map((item: { species: { id: number } }) => item.species.id)).toEqual([great, great]);
    expect(timeline[1].detections).toHaveLength(3);
    const { body: calendar } = await query.get('/api/ui/migration-calendar?catalog=full');
    const months = calendar.species.filter((row: { total: number }) => row.total > 0);
    expect(months).toMatchObject([{ id: great, total: 2 }]);
    expect(calendar.species.some((row: { id: number }) => row.id === blue)).toBe(false);
    const { body: summary } = await query.get(`/api/ui/species/${blue}/summary`);
    expect(summary).toEqual((await query.get(`/api/ui/species/${great}/summary`)).body);
    expect(summary.species).toMatchObject({ id: great, name: 'Great Tit' });
    const { body: visits } = await query.get(`/api/ui/species/${blue}/visits`);
    expect(visits).toHaveLength(2);
    const { body: sounds } = await query.get(`/api/ui/species/${blue}/xeno-canto`);
    expect(sounds.species_name).toBe('Great Tit');
    const { body: filtered } = await query.get(`/api/ui/timeline?date=2026-05-01&species_id=${blue}`);
    expect(filtered).toEqual(timeline);

    const reverted = await query.change('POST', `/api/ui/species/merges/${response.body.merge_id}/revert`);
    expect(reverted).toMatchObject({ status: 200, body: { moved_detections: 3 } });
    const withoutIds = (value: unknown) =>
      JSON.parse(JSON.stringify(value), (key, inner) => (key === 'id' ? 0 : inner));
    // A visit that was joined with another one has a new id.
    expect(withoutIds(await look())).toEqual(withoutIds(before));
  });

  it('of a merged species, uses the other one where possible, and else is 404', async () => {
    const marsh = await speciesIdOf(query, 'Marsh Tit');
    const willow = await speciesIdOf(query, 'Willow Tit');
    await merge(marsh, willow);
    const edited = await query.change('PATCH', `/api/ui/species/${marsh}`, { description: 'One bird' });
    expect(edited).toMatchObject({ status: 200, body: { id: willow, description: 'One bird' } });
    expect((await merge(marsh, great)).status).toBe(404);
    const coal = await speciesIdOf(query, 'Coal Tit');
    expect((await merge(coal, marsh)).status).toBe(200);
    expect((await query.get(`/api/ui/species/${coal}/summary`)).body.species.id).toBe(willow);
  });

  it('with invalid targets, is refused', async () => {
    const birds = await speciesIdOf(query, 'Birds');
    const unknown = await speciesIdOf(query, 'Unknown');
    const [{ parent_id: family }] = (
      await query.database.pool.query('SELECT parent_id FROM species WHERE id = $1', [great])
    ).rows;
    const at = [{ path: '/into_species_id' }];
    expect(await merge(great, great)).toMatchObject({ status: 400, body: { details: at } });
    expect(await merge(family, great)).toMatchObject({ status: 400, body: { details: at } });
    expect(await merge(great, 999_999)).toMatchObject({ status: 404, body: { details: at } });
    expect(await merge(great, '7')).toMatchObject({ status: 400, body: { details: at } });
    expect(await merge(999_999, great)).toMatchObject({ status: 404, body: { code: 'species_not_found' } });
    expect(await merge(unknown, great)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await merge(birds, great)).status).toBe(409);
    const none = await query.change('POST', '/api/ui/species/merges/999999/revert');
    expect(none).toMatchObject({ status: 404, body: { code: 'merge_not_found' } });
  });
});
