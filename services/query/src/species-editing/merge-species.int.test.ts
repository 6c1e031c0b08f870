import { aDetection } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { speciesIdOf } from '../testing/timeline.js';
import { MergeAnswerSchema } from './species-editing.schema.js';

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

  /** Everything that tells numbers of the two. */
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

  it('two species that are one, are one in every list, and two again when that is taken back', async () => {
    const before = await look();
    const answer = await merge(blue, great);
    expect(answer.status).toBe(200);
    expectShape(MergeAnswerSchema, answer.body);
    expect(answer.body).toMatchObject({ message: 'success', moved_detections: 3 });

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

    const reverted = await query.change('POST', `/api/ui/species/merges/${answer.body.merge_id}/revert`);
    expect(reverted).toMatchObject({ status: 200, body: { moved_detections: 3 } });
    const withoutIds = (value: unknown) =>
      JSON.parse(JSON.stringify(value), (key, inner) => (key === 'id' ? 0 : inner));
    // A visit that was joined with another one is there again under a number of its own.
    expect(withoutIds(await look())).toEqual(withoutIds(before));
  });

  it('a merged species, edited or merged again by its old number, is the other one or not there', async () => {
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

  it('what makes no sense, is refused', async () => {
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
