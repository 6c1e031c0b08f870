import { aDetection, aRecording } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { hour } from '../testing/timeline.js';

const day = Date.UTC(2026, 4, 1);

describe('other animals', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
    const post = (at: number, speciesName: string, source: 'video' | 'audio' = 'video') =>
      query.post(aRecording({ start: day + at * hour, detections: [aDetection({ speciesName, source })] }));
    await post(8, 'Great Tit');
    await post(9, 'squirrel');
    await post(10, 'cat');
    await post(11, 'Engine', 'audio');
  });
  afterAll(() => query.close());
  const get = async (path: string) => (await query.get(path)).body;
  const namesOf = async (parameters: string) =>
    (await get(`/api/ui/timeline?date=2026-05-01${parameters}`)).map(
      (item: { species: { name: string; group: string }; timeline_kind: string }) =>
        `${item.species.name} ${item.species.group} ${item.timeline_kind}`,
    );

  it('in the overview of the day, are not counted', async () => {
    const { stats, topSpecies } = await get('/api/ui/overview?date=2026-05-01');
    expect(stats).toMatchObject({ uniqueSpecies: 1, totalDetections: 1, busiestHour: 8 });
    expect(topSpecies.map(({ name }: { name: string }) => name)).toEqual(['Great Tit']);
  });

  it('in the calendar, are not listed', async () => {
    const { species } = await get('/api/ui/migration-calendar?catalog=observed');
    expect(species.map(({ name }: { name: string }) => name)).toEqual(['Great Tit']);
  });

  it('in the timeline, are listed, and can be filtered by group', async () => {
    const noise = 'Bird bird unlinked_video';
    expect(await namesOf('')).toEqual([
      noise,
      'Cat other_animal visit',
      'Squirrel other_animal visit',
      'Great Tit bird visit',
    ]);
    expect(await namesOf('&group=bird')).toEqual([noise, 'Great Tit bird visit']);
    expect(await namesOf('&group=other_animal')).toEqual([
      'Cat other_animal visit',
      'Squirrel other_animal visit',
    ]);
    expect((await query.get('/api/ui/timeline?date=2026-05-01&group=noise')).status).toBe(400);
  });

  it('in the observed species, have their groups', async () => {
    const observed = await get('/api/ui/species/observed');
    expect(observed.map(({ name, group }: { name: string; group: string }) => `${name} ${group}`)).toEqual([
      'Cat other_animal',
      'Great Tit bird',
      'Squirrel other_animal',
    ]);
  });
});
