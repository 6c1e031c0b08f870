import { aDetection } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SpeciesSchema } from '../species/species.schema.js';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { speciesIdOf } from '../testing/timeline.js';

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

  it('every field, is answered as the list shows it, and told of without its values', async () => {
    const [id, parent_id] = [await speciesIdOf(query, 'Great Tit'), await speciesIdOf(query, 'Birds')];
    const fields = {
      name: 'Kohlmeise',
      scientific_name: 'Parus major major',
      active: true,
      image_url: '/data/kohlmeise.jpg',
      description: 'Frisst\ngerne.',
    };
    const answer = await patch(id, { ...fields, ebird_code: 'gretit9', parent_id });
    expect(answer.status).toBe(200);
    expectShape(SpeciesSchema, answer.body);
    expect(answer.body).toMatchObject({ id, ...fields, image_url: 'data/kohlmeise.jpg', parent_id });
    expect(await listed(id)).toEqual(answer.body);
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

  it('a new name, leads to the species as the old one does', async () => {
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

  it('what is so already, or nothing at all, changes nothing and is not told of', async () => {
    const id = await speciesIdOf(query, 'Marsh Tit');
    const before = await rows('SELECT count(*) FROM outbox');
    for (const body of [{}, { name: 'Marsh Tit', active: false }]) {
      const answer = await patch(id, body);
      expect([answer.status, answer.headers['x-hub-bell']]).toEqual([200, undefined]);
    }
    expect(await rows('SELECT count(*) FROM outbox')).toEqual(before);
  });

  it('null, takes away what a person gave, down to what an encyclopedia says', async () => {
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
  ])('%s, is refused by its path and nothing is changed', async (_, body, status, path) => {
    const id = await speciesIdOf(query, 'Willow Tit');
    const before = await listed(id);
    const answer = await patch(id, { active: true, ...body });
    expect(answer).toMatchObject({ status, body: { details: [{ path }] } });
    expect(await listed(id)).toEqual(before);
  });

  it('a species below itself, the root below something, a species that there is not, are refused', async () => {
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

  it('a form gets another parent, what was heard of that goes into its visits at once', async () => {
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
