import { aDetection, aRecording } from '@birdhub/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { between, getTimeline, hour, minute, speciesIdOf, start } from '../testing/timeline.js';
import { TimelineItemSchema } from '../timeline/timeline.schema.js';

/** A species of each level of the tree, from a family down to a form. */
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
    await query.ring({ kind: 'everything' });
  });
  afterAll(() => query.close());
  const get = (name: string, parameters = '', headers = {}) =>
    query.get(`/api/ui/species/${ids.get(name)}/visits?${parameters}`, headers);
  const namesOf = (items: { species: { name: string } }[]) => items.map(({ species }) => species.name);

  it('a species in the middle of the tree, lists its own and those of all below it', async () => {
    const { body } = await get('Little Species');
    expectShape(Type.Array(TimelineItemSchema), body);
    expect(namesOf(body)).toEqual(['Little Form', 'Little Form', 'Little Species']);
    expect(namesOf((await get('Little Family')).body)).toHaveLength(5);
    expect(namesOf((await get('Little Form')).body)).toHaveLength(2);
  });

  it('each of them, is as the timeline has it', async () => {
    const timeline = (await getTimeline(query, between(-hour, 3 * hour))).body;
    const little = timeline.filter(({ species }: { species: { name: string } }) =>
      levels.includes(species.name),
    );
    expect((await get('Little Family')).body).toEqual(little);
  });

  it.each([1, 2, 4, 5, 200])('by %d, together are the whole list once', async (limit) => {
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

  it('behind a prefix, the link starts with it', async () => {
    const { headers } = await get('Little Family', 'limit=2', { 'x-forwarded-prefix': '/birds' });
    expect(headers['link']).toMatch(/^<\/birds\/api\/ui\/species\/\d+\/visits\?limit=2&cursor=/);
  });

  it('one without visits, is an empty list', async () => {
    const wren = await speciesIdOf(query, 'Eurasian Wren');
    expect((await query.get(`/api/ui/species/${wren}/visits`)).body).toEqual([]);
  });

  it('a recording is posted, shows it', async () => {
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
